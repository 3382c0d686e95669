package embedded

import (
	"regexp"
	"regexp/syntax"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
)

func parseRegex(v, options value) (*pattern, error) {
	var source, flags string
	switch v.kind {
	case bson.TypeRegex:
		source, flags = v.regex()
	case bson.TypeString:
		source = string(v.text())
		if strings.IndexByte(source, 0) >= 0 {
			return nil, errorf(codeBadValue, "Regular expression cannot contain an embedded null byte")
		}
	default:
		return nil, errorf(codeBadValue, "$regex has to be a string")
	}
	if options.kind != 0 {
		if options.kind != bson.TypeString {
			return nil, errorf(codeBadValue, "$options has to be a string")
		}
		if given := string(options.text()); given != "" || flags == "" {
			if flags != "" {
				return nil, errorf(51075, "options set in both $regex and $options")
			}
			flags = given
		}
	}
	return newPattern(source, flags)
}

// newPattern compiles a regular expression with Go's engine, which runs in linear time. What that engine does not
// have (look-around, back references) is an error.
func newPattern(source, options string) (*pattern, error) {
	expression, flags := source, ""
	for _, option := range options {
		switch option {
		case 'i', 'm', 's':
			if !strings.ContainsRune(flags, option) {
				flags += string(option)
			}
		case 'x':
			expression = stripSpace(expression)
		case 'u':
		default:
			return nil, errorf(51108, "invalid flag in regex options: %c", option)
		}
	}
	if flags != "" {
		expression = "(?" + flags + ")" + expression
	}
	re, err := regexp.Compile(expression)
	if err != nil {
		return nil, errorf(51091, "Regular expression is invalid: %v", err)
	}
	p := &pattern{re: re, source: regexValue(source, options)}
	p.prefix, p.pure = literalPrefix(expression)
	return p, nil
}

func regexValue(source, options string) value {
	data := append([]byte(source), 0)
	return value{bson.TypeRegex, append(append(data, options...), 0)}
}

// literalPrefix finds the text that an expression anchored at the start of the text requires there; pure says that
// it requires nothing else.
func literalPrefix(expression string) (prefix string, pure bool) {
	tree, err := syntax.Parse(expression, syntax.Perl)
	if err != nil || tree.Op != syntax.OpConcat || len(tree.Sub) < 2 {
		return "", false
	}
	start, literal := tree.Sub[0], tree.Sub[1]
	if start.Op != syntax.OpBeginText || literal.Op != syntax.OpLiteral || literal.Flags&syntax.FoldCase != 0 {
		return "", false
	}
	return string(literal.Rune), len(tree.Sub) == 2
}

// stripSpace applies option x: it removes white space and comments outside of classes.
func stripSpace(expression string) string {
	var out strings.Builder
	class, comment := false, false
	for i := 0; i < len(expression); i++ {
		c := expression[i]
		switch {
		case comment:
			comment = c != '\n'
			continue
		case c == '\\' && i+1 < len(expression):
			out.WriteByte(c)
			i++
			c = expression[i]
		case class:
			class = c != ']'
		case c == '[':
			class = true
		case c == '#':
			comment = true
			continue
		case strings.IndexByte(" \t\n\r\f\v", c) >= 0:
			continue
		}
		out.WriteByte(c)
	}
	return out.String()
}
