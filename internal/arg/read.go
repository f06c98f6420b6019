package arg

import "iter"

func (r *Reader) String(name string, f Flags) String                     { return String{} }
func (r *Reader) ID(name string, f Flags) String                         { return String{} }
func (r *Reader) Enum(name string, f Flags, e Enum) String               { return String{} }
func (r *Reader) Int(name string, f Flags) Int                           { return Int{} }
func (r *Reader) IntEnum(name string, f Flags, e Enum) Int               { return Int{} }
func (r *Reader) IntRange(name string, f Flags, lo, hi string) Int       { return Int{} }
func (r *Reader) Number(name string, f Flags) Number                     { return Number{} }
func (r *Reader) NumberRange(name string, f Flags, lo, hi string) Number { return Number{} }
func (r *Reader) Bool(name string, f Flags) Bool                         { return Bool{} }
func (r *Reader) Strings(name string, f Flags) Strings                   { return Strings{} }
func (r *Reader) EnumStrings(name string, f Flags, e Enum) Strings       { return Strings{} }
func (r *Reader) IDs(name string, f Flags) Strings                       { return Strings{} }
func (r *Reader) Ints(name string, f Flags) Ints                         { return Ints{} }
func (r *Reader) IntEnums(name string, f Flags, e Enum) Ints             { return Ints{} }
func (r *Reader) Numbers(name string, f Flags) Numbers                   { return Numbers{} }
func (r *Reader) Map(name string, f Flags) Raw                           { return Raw{} }
func (r *Reader) Any(name string, f Flags) Raw                           { return Raw{} }
func (r *Reader) File(name string, f Flags) File                         { return File{} }
func (r *Reader) Object(name string, f Flags) *Reader                    { return nil }
func (r *Reader) Objects(name string, f Flags) iter.Seq[*Reader]         { return func(func(*Reader) bool) {} }

// Nearest is the candidate that was perhaps meant by name, or "".
func Nearest(name string, candidates []string) string { return "" }
