package resolvers

import (
	"context"
	"slices"

	"github.com/99designs/gqlgen/graphql"

	"gamedata/graph/model"
	"gamedata/loaders"
)

// prefetchCharacters reads the characters of members with one command, when they are going to be
// asked for member by member. A failure is met again by whoever asks.
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

// selectsPlayerFields tells whether the members being resolved are asked for their players, and
// those for one of the fields named.
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
