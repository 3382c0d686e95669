package resolvers

import (
	"context"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/graph/model"
	"gamedata/loaders"
)

// prefetchCharacters loads the characters of members with one command if the operation selects them below
// each member. If that fails, the fields load them again.
func prefetchCharacters(ctx context.Context, members []*model.GuildMember) {
	if !selectsPlayerFields(ctx, "characters") {
		return
	}
	var owners []string
	for _, m := range members {
		if m.Player != nil && listsCharacters(m.Player) {
			owners = append(owners, m.UUID)
		}
	}
	loaders.From(ctx).CharactersByOwner.Prefetch(ctx, owners)
}

// selectsPlayerFields reports whether the operation selects one of the fields of the players of the members
// being resolved.
func selectsPlayerFields(ctx context.Context, fields ...string) bool {
	operation := graphql.GetOperationContext(ctx)
	for _, f := range nodeFields(ctx, "GuildMember") {
		if f.Name == "player" && slices.ContainsFunc(
			graphql.CollectFields(operation, f.Selections, []string{"Player", "Node"}),
			func(below graphql.CollectedField) bool { return slices.Contains(fields, below.Name) }) {
			return true
		}
	}
	return false
}

// nodeFields returns the fields that the operation selects of the nodes of the connection that is being resolved.
func nodeFields(ctx context.Context, node string) []graphql.CollectedField {
	operation := graphql.GetOperationContext(ctx)
	return nodeFieldsOf(operation, graphql.CollectFieldsCtx(ctx, []string{node + "Connection"}), node)
}

// nodeFieldsOf returns the fields that an operation selects of the nodes of a connection.
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
