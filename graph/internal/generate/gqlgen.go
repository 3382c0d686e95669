package main

import (
	"io"
	"log"
	"slices"

	"github.com/99designs/gqlgen/api"
	"github.com/99designs/gqlgen/codegen/config"
	"github.com/99designs/gqlgen/plugin/modelgen"
	"github.com/vektah/gqlparser/v2/ast"
)

// runGqlgen writes the executable schema and the models. It gives gqlgen the sections as they are published, so that
// there is one file of code for each, and the code contains the text of schema.graphqls.
func runGqlgen(s *schema, _ modelTypes) error {
	log.SetOutput(io.Discard) // gqlgen reports each field that has no counterpart in a struct and needs a resolver
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
