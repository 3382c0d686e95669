package main

import (
	"go/types"
	"io"
	"log"
	"slices"

	"github.com/99designs/gqlgen/api"
	"github.com/99designs/gqlgen/codegen"
	"github.com/99designs/gqlgen/codegen/config"
	"github.com/99designs/gqlgen/codegen/templates"
	"github.com/99designs/gqlgen/plugin/modelgen"
	"github.com/vektah/gqlparser/v2/ast"
)

// runGqlgen writes the executable schema and the models. It gives gqlgen the published sections: gqlgen then writes one
// file of code per section, and embeds the text of schema.graphqls.
func runGqlgen(s *schema, _ modelTypes) error {
	log.SetOutput(io.Discard) // gqlgen reports each field that no struct field matches and so needs a resolver
	cfg, err := config.LoadConfig("gqlgen.yml")
	if err != nil {
		return err
	}
	for _, section := range s.sections {
		cfg.Sources = append(cfg.Sources, &ast.Source{Name: section + ".graphqls", Input: s.sdl(section)})
	}
	for _, enum := range textEnums(s) {
		cfg.Models.Add(enum.Name, cfg.AutoBind[0]+"."+enum.Name)
	}
	models := &modelgen.Plugin{MutateHook: withoutIDs, FieldHook: modelgen.DefaultFieldMutateHook}
	return api.Generate(cfg, api.ReplacePlugin(models), api.AddPlugin(rootPlugin{s}))
}

// withoutIDs removes the field `id` from models that implement Node: they compute it.
func withoutIDs(b *modelgen.ModelBuild) *modelgen.ModelBuild {
	for _, m := range b.Models {
		if slices.Contains(m.Implements, "Node") {
			m.Fields = slices.DeleteFunc(m.Fields, func(f *modelgen.Field) bool { return f.Name == "id" })
		}
	}
	return b
}

// rootPlugin is a gqlgen plugin that writes the types of the resolvers, the methods that return them, and the resolvers
// of mutations and of fields with @reference.
type rootPlugin struct{ *schema }

// Name returns the name of the plugin.
func (rootPlugin) Name() string { return "resolver roots" }

// GenerateCode writes resolvers/schema_gen.go.
func (p rootPlugin) GenerateCode(data *codegen.Data) error {
	if err := p.bundlePageArguments(); err != nil {
		return err
	}
	var types, methods, references goFile
	types.add("// The resolvers of the types that have resolved fields.\ntype (")
	for _, object := range data.Objects {
		if !object.HasResolvers() {
			continue
		}
		name := templates.UcFirst(object.Name)
		types.add("%sResolver struct{ *root }", templates.LcFirst(name))
		methods.add("func (r accessors) %s() generated.%sResolver { return %sResolver{r.root} }\n", name, name,
			templates.LcFirst(name))
		for _, f := range object.Fields {
			if object == data.MutationRoot {
				writeMutation(&references, f)
			}
			if d := p.Types[object.Name].Fields.ForName(f.Name).Directives.ForName("reference"); d != nil {
				writeReference(&references, object, f, argument(d, "by", ""))
			}
		}
	}
	types.add(")\n\n// accessors return the resolvers of the types.\ntype accessors struct{ *root }\n")
	types.Write(methods.Bytes())
	types.Write(references.Bytes())
	return types.write(
		"resolvers/schema_gen.go", "resolvers", "context", "", "gamedata/graph/generated", "gamedata/graph/model",
	)
}

// bundlePageArguments gives the resolvers of connections one model.PageArgs for the arguments of `Paged.list`. gqlgen
// bundles the fields of an input type whose argument has @inlineArguments, and would write that type into the schema.
// Here gqlgen has already read the schema and not yet written the interfaces of resolvers.
func (p rootPlugin) bundlePageArguments() error {
	const goType = "gamedata/graph/model.PageArgs"
	input := &ast.Definition{Kind: ast.InputObject}
	for _, a := range p.templates.ForName("Paged").Fields[0].Arguments {
		input.Fields = append(input.Fields, &ast.FieldDefinition{Name: a.Name})
	}
	bundle := &ast.ArgumentDefinition{
		Name: "page", Type: ast.NamedType(goType, nil), Directives: ast.DirectiveList{{Name: "inlineArguments"}},
	}
	types := map[string]*ast.Definition{goType: input}
	for name, def := range p.Types {
		bundled := &ast.Definition{Kind: def.Kind}
		for _, f := range def.Fields {
			if f.Directives.ForName("connection") != nil {
				field := &ast.FieldDefinition{Name: f.Name, Arguments: ast.ArgumentDefinitionList{bundle}}
				bundled.Fields = append(bundled.Fields, field)
			}
		}
		types[name] = bundled
	}
	return codegen.ExpandInlineArguments(&ast.Schema{Types: types})
}

// writeReference writes the resolver of a field: it calls the method of root named after the field's type, with the
// object's key or list of keys.
func writeReference(f *goFile, object *codegen.Object, field *codegen.Field, by string) {
	key, nullable := "of."+templates.ToGo(by), false
	if i := slices.IndexFunc(object.Fields, func(f *codegen.Field) bool { return f.Name == by }); i >= 0 {
		of := object.Fields[i]
		key = "of." + of.GoFieldName
		if of.IsMethod() {
			key += "()"
		}
		_, nullable = of.TypeReference.GO.(*types.Pointer)
	}
	find := templates.LcFirst(field.TypeReference.Definition.Name)
	if field.Type.Elem != nil {
		find = plural(find)
	}
	f.add("func (r %sResolver) %s(ctx context.Context, of *%s) (%s, error) {", templates.LcFirst(object.Name),
		field.GoFieldName, inModel(object.Type), inModel(field.TypeReference.GO))
	if nullable {
		f.add("if %s == nil { return nil, nil }", key)
		key = "*" + key
	}
	f.add("return r.%s(ctx, %s)\n}\n", find, key)
}

// writeMutation writes the resolver of a mutation: it calls the method of session with the same name.
func writeMutation(f *goFile, field *codegen.Field) {
	payload := inModel(field.TypeReference.GO)
	var parameters, arguments string
	for _, a := range field.Args {
		parameters += ", " + a.VarName + " " + inModel(a.TypeReference.GO)
		arguments += ", " + a.VarName
	}
	f.add("func (r mutationResolver) %s(ctx context.Context%s) (%s, error) {", field.GoFieldName, parameters, payload)
	f.add("return inSession(ctx, r.root, func(s session) (%s, error) { return s.%s(ctx%s) })\n}\n", payload,
		field.GoFieldName, arguments)
}

// inModel returns a type as resolvers write it.
func inModel(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}
