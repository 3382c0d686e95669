package openapi

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/rest"
	"gamedata/rest/transform"
)

func (b *builder) parameters(row rest.Row, op *rest.Operation) []object {
	var out []object
	for _, p := range row.Parameters(op) {
		o := object{{"name", p.Name}, {"in", "query"}}
		if p.InPath {
			o = object{{"name", p.Name}, {"in", "path"}, {"required", true}}
		}
		about := AboutParameter(p, op)
		if p.Flag {
			about = strings.TrimSpace(about + " A flag: send it without a value.")
		}
		o = o.with("description", about)
		if p.Flag {
			o = append(o, member{"allowEmptyValue", true})
		}
		o = append(o, member{"schema", parameterSchema(p)})
		if p.Flag || p.Values != nil || p.Default != nil {
			out = append(out, o)
			continue
		}
		out = append(out, o.with("example", b.sample(row, p)))
	}
	return out
}

// Arguments returns the JSON Schema of an object with all inputs of a row's requests: the parameters, with flags as
// booleans, and the filters of the body under the name of their variable.
func Arguments(row rest.Row, op *rest.Operation) []byte {
	properties, required := object{}, []string{}
	for _, p := range row.Parameters(op) {
		schema := parameterSchema(p)
		if p.Flag {
			schema = object{{"type", "boolean"}, {"default", false}}
		}
		properties = append(properties, member{p.Name, schema.with("description", AboutParameter(p, op))})
		if p.InPath {
			required = append(required, p.Name)
		}
	}
	if body := op.Body(); body != nil {
		properties = append(properties, member{op.BodyVariable(), filters(body)})
	}
	return Marshal(object{
		{"type", "object"}, {"properties", properties}, {"required", required}, {"additionalProperties", false},
	})
}

func parameterSchema(p rest.Parameter) object {
	schema := object{{"type", "string"}}
	switch {
	case p.Flag:
		return object{{"type", "string"}, {"enum", []string{""}}}
	case p.Values != nil:
		var values []string
		for _, v := range p.Values {
			values = append(values, v.Name)
		}
		schema = schema.with("enum", values)
	case p.Lenient:
		schema = object{{"type", "integer"}}
	case p.Number:
		schema = object{{"type", "integer"}, {"format", "int32"}, {"minimum", p.Min}, {"maximum", p.Max}}
	default:
		schema = schema.with("minLength", 1)
	}
	return schema.with("default", p.Default)
}

// AboutParameter describes a parameter of an operation, and the effect of a flag on the body.
func AboutParameter(p rest.Parameter, op *rest.Operation) string {
	words := []string{Paragraph(p.Description)}
	for _, v := range p.Values {
		words = append(words, "`"+v.Name+"`: "+Paragraph(v.Description))
	}
	if p.Flag {
		words = append(words, effect(op.Plan(), p.Name)...)
	}
	if p.Lenient {
		words = append(words, "Anything except an integer is ignored.")
	}
	return strings.TrimSpace(strings.Join(words, " "))
}

// effect describes the effect of a flag on the body.
func effect(p *transform.Plan, flag string) []string {
	var out []string
	if p.Pick != nil && p.Pick.Variable == flag {
		out = append(out, "The body is then the bare value of `"+p.Pick.Key+"`.")
	}
	for _, c := range p.Conditions {
		switch {
		case c.Variable != flag:
		case p.Spread:
			out = append(out, "Adds the entries of `"+p.Name+"`.")
		case c.When:
			out = append(out, "Adds `"+p.Key+"`.")
		default:
			out = append(out, "Leaves `"+p.Key+"` out.")
		}
	}
	for _, f := range p.Fields {
		out = append(out, effect(f, flag)...)
	}
	return out
}

// sample returns the value of a parameter in a case of the row, or nil if there is none.
func (b *builder) sample(row rest.Row, p rest.Parameter) any {
	for _, c := range b.cases[row.Path] {
		if c.Want.Status != 200 {
			continue
		}
		if _, vars, _ := c.Row(); p.InPath {
			return vars[p.Name]
		}
		query, err := url.ParseQuery(c.Query())
		if err == nil && len(query[p.Name]) == 1 {
			if p.Number {
				return json.Number(query.Get(p.Name))
			}
			return query.Get(p.Name)
		}
	}
	return nil
}

// requestBody describes the JSON body of a row: filters, each one value or a list.
func (b *builder) requestBody(row rest.Row, op *rest.Operation) object {
	def := op.Body()
	if def == nil {
		return nil
	}
	named := b.components.add(filters(def), def.Name)
	more := object{}
	for _, c := range b.cases[row.Path] {
		if c.Want.Status == 200 && c.Body != "" {
			more = object{{"example", decode([]byte(c.Body))}}
			break
		}
	}
	return object{{"required", false}, {"content", jsonContent(named, more)}}
}

// filters returns the schema of an object with the filters of a body.
func filters(def *ast.Definition) object {
	var properties object
	for _, f := range def.Fields {
		properties = append(properties, member{f.Name, filter(f).with("description", Paragraph(f.Description))})
	}
	return object{
		{"type", "object"},
		{"description", Paragraph(def.Description) + " Unknown keys are ignored."},
		{"properties", properties},
	}
}

// filter returns the schema of a filter: one value, a list of values, or null.
func filter(f *ast.FieldDefinition) object {
	one := object{{"type", "string"}, {"maxLength", 100}}
	many := object{{"type", "array"}, {"maxItems", 200}, {"items", one}}
	if f.Type.Name() == "Int" {
		one = object{{"type", "integer"}, {"format", "int32"}}
		many = object{{"type", "array"}, {"maxItems", 2}, {"items", one}}
	}
	return anyOf(one, many, object{{"type", "null"}})
}
