package resolvers

import (
	"context"
	"slices"

	"github.com/99designs/gqlgen/graphql"

	"gamedata/graph/model"
	"gamedata/loaders"
)

// prefetchCharacters loads the characters of members with one command if the operation selects them below
// each member. If that fails, the fields load them again.
func prefetchCharacters(ctx context.Context, members []*model.GuildMember) {
	if !selectsPlayerFields(ctx, "bestCharacter", "characters", "characterList") {
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
	for _, f := range graphql.CollectFieldsCtx(ctx, []string{"GuildMember"}) {
		if f.Name == "player" && slices.ContainsFunc(graphql.CollectFields(operation, f.Selections, []string{"Player"}),
			func(below graphql.CollectedField) bool { return slices.Contains(fields, below.Name) }) {
			return true
		}
	}
	return false
}
