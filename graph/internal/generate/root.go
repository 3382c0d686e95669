package main

import (
	"github.com/99designs/gqlgen/codegen"
	"github.com/99designs/gqlgen/codegen/templates"
)

// rootPlugin is a plugin of gqlgen that writes the resolvers' types, and the methods that return them.
type rootPlugin struct{}

// Name returns the name of the plugin.
func (rootPlugin) Name() string { return "resolver roots" }

// GenerateCode writes resolvers/schema_gen.go.
func (rootPlugin) GenerateCode(data *codegen.Data) error {
	var types, methods goFile
	types.add("// The resolvers of the types that have resolved fields.\ntype (")
	for _, object := range data.Objects {
		if !object.HasResolvers() {
			continue
		}
		name := templates.UcFirst(object.Name)
		types.add("%sResolver struct{ *root }", templates.LcFirst(name))
		methods.add("func (r *root) %s() graph.%sResolver { return %sResolver{r} }\n", name, name, templates.LcFirst(name))
	}
	types.add(")\n")
	types.Write(methods.Bytes())
	return types.write("resolvers/schema_gen.go", "resolvers", "gamedata/graph")
}
