package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// sdl returns the published text of a section: its heading, its directives and its types.
func (s *schema) sdl(section string) string {
	source := s.sources[section]
	heading, _, _ := strings.Cut(source.Input, "\n")
	parts := []string{heading + "\n"}
	for _, d := range s.doc.Directives {
		if d.Position.Src == source {
			parts = append(parts, directiveDefinition(d))
		}
	}
	for _, def := range s.doc.Definitions {
		if def.Position.Src == source {
			parts = append(parts, s.definition(def))
		}
	}
	return strings.Join(parts, "\n")
}

func directiveDefinition(d *ast.DirectiveDefinition) string {
	locations := make([]string, len(d.Locations))
	for i, location := range d.Locations {
		locations[i] = string(location)
	}
	return fmt.Sprintf("%sdirective @%s%s on %s\n",
		description(d.Description, ""), d.Name, arguments(d.Arguments, ""), strings.Join(locations, " | "))
}

// keywords are the words that begin a definition.
var keywords = map[ast.DefinitionKind]string{
	ast.Scalar: "scalar", ast.Object: "type", ast.Interface: "interface", ast.Enum: "enum", ast.InputObject: "input",
}

func (s *schema) definition(def *ast.Definition) string {
	var b strings.Builder
	b.WriteString(description(def.Description, "") + keywords[def.Kind] + " " + def.Name)
	if len(def.Interfaces) > 0 {
		b.WriteString(" implements " + strings.Join(def.Interfaces, " & "))
	}
	b.WriteString(s.directives(def.Directives))
	if def.Kind == ast.Scalar {
		return b.String() + "\n"
	}
	b.WriteString(" {\n")
	for _, f := range def.Fields {
		if !strings.HasPrefix(f.Name, "__") {
			b.WriteString(s.field(f))
		}
	}
	for _, v := range def.EnumValues {
		b.WriteString(description(v.Description, "  ") + "  " + v.Name + s.directives(v.Directives) + "\n")
	}
	return b.String() + "}\n"
}

func (s *schema) field(f *ast.FieldDefinition) string {
	return fmt.Sprintf("%s  %s%s: %s%s%s\n", description(f.Description, "  "), f.Name, arguments(f.Arguments, "  "),
		f.Type, defaultValue(f.DefaultValue), s.directives(f.Directives))
}

func arguments(list ast.ArgumentDefinitionList, indent string) string {
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	for _, a := range list {
		fmt.Fprintf(&b, "%s%s  %s: %s%s\n",
			description(a.Description, indent+"  "), indent, a.Name, a.Type, defaultValue(a.DefaultValue))
	}
	return "(\n" + b.String() + indent + ")"
}

func defaultValue(v *ast.Value) string {
	if v == nil {
		return ""
	}
	return " = " + value(v)
}

func value(v *ast.Value) string {
	if v.Kind != ast.ListValue {
		return v.String()
	}
	elements := make([]string, len(v.Children))
	for i, child := range v.Children {
		elements[i] = value(child.Value)
	}
	return "[" + strings.Join(elements, ", ") + "]"
}

// directives returns the published directives in a list, each after a space.
func (s *schema) directives(list ast.DirectiveList) string {
	var b strings.Builder
	for _, d := range list {
		if !s.isPublished(d.Name) {
			continue
		}
		b.WriteString(" @" + d.Name)
		var args []string
		for _, a := range d.Arguments {
			args = append(args, a.Name+": "+value(a.Value))
		}
		if len(args) > 0 {
			b.WriteString("(" + strings.Join(args, ", ") + ")")
		}
	}
	return b.String()
}

// description returns a description in lines of its own: in quotes if it is one line, else as a block.
func description(text, indent string) string {
	if text == "" {
		return ""
	}
	if !strings.Contains(text, "\n") {
		return indent + value(&ast.Value{Kind: ast.StringValue, Raw: text}) + "\n"
	}
	block := `"""` + "\n" + text + "\n" + `"""` + "\n"
	return regexp.MustCompile(`(?m)^(.)`).ReplaceAllString(block, indent+"${1}")
}
