package app

import (
	"gamedata/graph"
	"gamedata/graph/generated"
	"gamedata/rest"
	"gamedata/rest/openapi"
)

// OpenAPI returns the OpenAPI document of this program, without a running service.
func OpenAPI() ([]byte, error) {
	exec := graph.New(generated.NewExecutableSchema(generated.Config{}), graph.Options{})
	ops, err := rest.Load(exec.Schema())
	if err != nil {
		return nil, err
	}
	return openapi.Document(exec, ops)
}
