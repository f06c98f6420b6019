package diff

import (
	"fmt"
	"io"
	"strings"
)

// WriteText writes the report for people, one change a line.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	for i, ch := range r.Changes {
		switch {
		case ch.Breaking && i == 0:
			b.WriteString("Breaking:\n")
		case !ch.Breaking && i == r.Breaking:
			if i > 0 {
				b.WriteByte('\n')
			}
			b.WriteString("Compatible:\n")
		}
		b.WriteString("  " + ch.String() + "\n")
	}
	if len(r.Changes) > 0 {
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "%s: %d changes, %d breaking\n", r.span(), len(r.Changes), r.Breaking)
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *Report) span() string {
	if r.Old == r.New {
		return "GitLab " + r.New
	}
	return "GitLab " + r.Old + " to " + r.New
}

// String is the change as a sentence.
func (ch Change) String() string {
	where := ch.Action
	if ch.Param != "" {
		where += ", " + ch.Param
	}
	return where + ": " + ch.what()
}

func (ch Change) what() string {
	switch ch.Kind {
	case ActionAdded:
		return "added" + inBrackets(ch.To)
	case ActionRemoved:
		return "removed" + inBrackets(ch.From)
	case ActionRenamed:
		if ch.Breaking {
			return "was " + ch.From
		}
		return "was " + ch.From + ", which is an alias now"
	case Deprecated:
		return "deprecated: " + ch.To
	case ParamAdded:
		return "added" + inBrackets(ch.To)
	case ParamRemoved:
		return "removed" + inBrackets(ch.From)
	case ParamRequired:
		return "required now"
	case ParamOptional:
		return "no longer required"
	case ParamLimited:
		if ch.To == "" {
			return "no longer takes " + ch.From
		}
	case ParamWidened:
		if ch.From == "" {
			return "takes " + ch.To
		}
	}
	noun := map[Kind]string{
		RequestChanged: "request", KindChanged: "answer", RiskRaised: "risk", RiskLowered: "risk",
		ParamRetyped: "type", ParamLimited: "limited", ParamWidened: "widened",
	}[ch.Kind]
	return noun + ": " + ch.From + " → " + ch.To
}

func inBrackets(s string) string {
	if s == "" {
		return ""
	}
	return " (" + s + ")"
}
