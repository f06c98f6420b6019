package token

// Unit is one way to ask for a document, packed: the mass of its terms, the
// class of its verb, the field it is from, and the scopes that its terms name.
type Unit uint32

// MaxUnitMass is the largest mass of a unit, in hundredths. Longer phrases
// count as if they had it.
const MaxUnitMass = 1<<16 - 1

// NewUnit packs a unit. A field of units has two bits, a class three.
func NewUnit(mass int, class, field, scopes uint8) Unit {
	return Unit(min(mass, MaxUnitMass))<<16 | Unit(class)<<13 | Unit(field)<<11 | Unit(scopes)
}

// Mass is the mass of the unit's terms, in hundredths.
func (u Unit) Mass() int32 { return int32(u >> 16) }

// Class is the class of the unit's verb.
func (u Unit) Class() int { return int(u >> 13 & 7) }

// Field is where the unit is from.
func (u Unit) Field() int { return int(u >> 11 & 3) }

// Scopes is the set of scopes that the unit's terms name, one bit each.
func (u Unit) Scopes() uint8 { return uint8(u) }
