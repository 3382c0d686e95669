// Command generate generates the executable schema and the models: gqlgen with one change. It runs in the root of the
// project.
package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/99designs/gqlgen/api"
	"github.com/99designs/gqlgen/codegen/config"
	"github.com/99designs/gqlgen/plugin/modelgen"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run() error {
	cfg, err := config.LoadConfigFromDefaultLocations()
	if err != nil {
		return err
	}
	records, err := readStructs("graph/model")
	if err != nil {
		return err
	}
	schema, err := readSchema("schema.graphqls")
	if err != nil {
		return err
	}
	if err := generateRecords(records, schema); err != nil {
		return err
	}
	return api.Generate(cfg, api.ReplacePlugin(&modelgen.Plugin{
		MutateHook: withoutIDs, FieldHook: modelgen.DefaultFieldMutateHook,
	}))
}

// withoutIDs removes the field `id` from models that implement Node: they compute it, in graph/model/node.go.
func withoutIDs(b *modelgen.ModelBuild) *modelgen.ModelBuild {
	for _, m := range b.Models {
		if slices.Contains(m.Implements, "Node") {
			m.Fields = slices.DeleteFunc(m.Fields, func(f *modelgen.Field) bool { return f.Name == "id" })
		}
	}
	return b
}
