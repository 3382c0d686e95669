package transform

import "github.com/vektah/gqlparser/v2/ast"

func (op *Operation) apply(f *field, d *ast.Directive) {
	flags := map[string]*bool{
		"omitEmpty": &f.OmitEmpty, "emptyObject": &f.EmptyObject, "orFalse": &f.OrFalse, "numbered": &f.Numbered,
		"text": &f.Text, "offset": &f.Offset, "tuple": &f.Tuple, "spread": &f.Spread,
	}
	if flag := flags[d.Name]; flag != nil {
		*flag = true
	}
	switch d.Name {
	case "skip", "include":
		f.conditional = true
		if a := d.Arguments.ForName("if").Value; a.Kind == ast.Variable {
			f.conditions = append(f.conditions, Condition{Variable: a.Raw, When: d.Name == "include"})
		}
	case "omitNull":
		f.OmitNull = true
		if name, is := stringArg(d, "when"), stringsArg(d, "is"); name != "" || is != nil {
			f.OmitWhen = &OmitWhen{Name: name, Is: is}
		}
	case "tuple":
		f.Missing = stringArg(d, "missing")
	case "header":
		f.Header = stringArg(d, "name")
	case "coalesce":
		f.Coalesced, f.key = true, stringArg(d, "into")
	case "within":
		f.Within = stringArg(d, "object")
		if key := stringArg(d, "key"); key != "" {
			f.key = key
		}
	case "whenNull":
		f.WhenNull = stringArg(d, "json")
	case "constant":
		f.Constant = &Constant{stringArg(d, "key"), stringArg(d, "json")}
	case "unwrap":
		f.Unwrap = stringArg(d, "field")
	case "spelled":
		f.Spelling = Spelling(stringArg(d, "as"))
		f.spellings = map[string]string{}
		if f.enum != nil {
			for _, v := range f.enum.EnumValues {
				f.spellings[v.Name] = f.Spelling.Of(v.Name)
			}
		}
	case "reject":
		f.Reject = &Reject{Null: stringArg(d, "null"), Empty: stringArg(d, "empty"), True: stringArg(d, "true")}
	case "pick":
		f.Pick = &Pick{Key: stringArg(d, "field"), Variable: stringArg(d, "if")}
	case "keyBy":
		f.keyBy = &keyBy{field: stringArg(d, "field"), clash: stringArg(d, "clash"), value: stringArg(d, "value")}
		f.keyBy.always = stringsArg(d, "always")
		f.keyBy.variable = stringArg(d, "chosen")
		if f.keyBy.variable != "" {
			if v := op.def.VariableDefinitions.ForName(f.keyBy.variable).DefaultValue; v != nil {
				f.keyBy.preset = v.Raw
			}
		}
	}
}

// stringArg returns a string argument, or "" if it is missing.
func stringArg(d *ast.Directive, name string) string {
	if a := d.Arguments.ForName(name); a != nil {
		return a.Value.Raw
	}
	return ""
}

// stringsArg returns an argument that is a list of strings, or nil if it is missing.
func stringsArg(d *ast.Directive, name string) []string {
	a := d.Arguments.ForName(name)
	if a == nil {
		return nil
	}
	out := []string{}
	for _, c := range a.Value.Children {
		out = append(out, c.Value.Raw)
	}
	return out
}
