package resolvers

import (
	"context"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// nodeFields returns the node fields that the operation selects in the connection being resolved.
func nodeFields(ctx context.Context, node string) []graphql.CollectedField {
	operation := graphql.GetOperationContext(ctx)
	return nodeFieldsOf(operation, graphql.CollectFieldsCtx(ctx, []string{node + "Connection"}), node)
}

func nodeFieldsOf(operation *graphql.OperationContext, connection []graphql.CollectedField, node string) (
	out []graphql.CollectedField,
) {
	collect := func(set ast.SelectionSet) {
		out = append(out, graphql.CollectFields(operation, set, []string{node, "Node"})...)
	}
	for _, f := range connection {
		switch f.Name {
		case "nodes", "byName", "byPrefix":
			collect(f.Selections)
		case "edges":
			for _, e := range graphql.CollectFields(operation, f.Selections, []string{node + "Edge"}) {
				if e.Name == "node" {
					collect(e.Selections)
				}
			}
		}
	}
	return out
}

func selectsOnly(ctx context.Context, connections []graphql.CollectedField, node string, names []string) bool {
	operation := graphql.GetOperationContext(ctx)
	for _, c := range connections {
		fields := graphql.CollectFields(operation, c.Selections, []string{c.Definition.Type.Name()})
		if !onlyFields(nodeFieldsOf(operation, fields, node), names) {
			return false
		}
	}
	return true
}

// Indexes cover these fields of guilds and players.
var (
	briefGuild  = []string{"id", "uuid", "name", "prefix", "__typename"}
	briefPlayer = []string{"id", "uuid", "username", "__typename"}
)

func onlyFields(selected []graphql.CollectedField, names []string) bool {
	return !slices.ContainsFunc(selected, func(f graphql.CollectedField) bool { return !slices.Contains(names, f.Name) })
}
