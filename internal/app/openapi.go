package app

import (
	"gamedata/graph"
	"gamedata/graph/generated"
	"gamedata/rest"
	"gamedata/rest/openapi"
)

// OpenAPI returns the OpenAPI document of this program, without a running service.
func OpenAPI() []byte {
	exec := graph.New(generated.NewExecutableSchema(generated.Config{}), graph.Options{})
	return openapi.Document(exec, rest.Load(exec.Schema()))
}
