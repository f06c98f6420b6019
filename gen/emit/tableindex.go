package emit

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"

	"gitlab-mcp-server/internal/token"
)

// indexTable is the search index as Go source: the variables that hold its
// fields and the literal that names them. The index is the one table whose
// struct both the generator and the run time import, so its fields are walked
// instead of listed a third time.
type indexTable struct {
	vars    bytes.Buffer
	literal strings.Builder
}

func newIndexTable(ix *token.Index) (*indexTable, error) {
	t := &indexTable{}
	if err := t.fields(reflect.ValueOf(ix).Elem(), "index", "\t\t"); err != nil {
		return nil, fmt.Errorf("search index: %w", err)
	}
	return t, nil
}

func (t *indexTable) fields(v reflect.Value, prefix, indent string) error {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.Type.Kind() == reflect.Struct {
			fmt.Fprintf(&t.literal, "%s%s: catalog.%s{\n", indent, f.Name, f.Type.Name())
			if err := t.fields(v.Field(i), prefix+f.Name, indent+"\t"); err != nil {
				return err
			}
			fmt.Fprintf(&t.literal, "%s},\n", indent)
			continue
		}
		name := prefix + f.Name
		value := name
		switch x := v.Field(i).Interface().(type) {
		case int32:
			value = fmt.Sprint(x)
		case string:
			packed(&t.vars, name, "is a text of the search index.", x)
		case []uint8:
			numbers(&t.vars, name, numbersDoc, "uint8", 1, x)
		case []uint16:
			numbers(&t.vars, name, numbersDoc, "uint16", 2, x)
		case []uint32:
			numbers(&t.vars, name, numbersDoc, "uint32", 4, x)
		case []int32:
			numbers(&t.vars, name, numbersDoc, "int32", 4, x)
		default:
			return fmt.Errorf("no way to write field %s of type %s", f.Name, f.Type)
		}
		fmt.Fprintf(&t.literal, "%s%s: %s,\n", indent, f.Name, value)
	}
	return nil
}

const numbersDoc = "is a table of the search index."

func (t *indexTable) file() (File, error) {
	var b bytes.Buffer
	b.WriteString(header)
	b.Write(t.vars.Bytes())
	return source("table_index_gen.go", &b)
}
