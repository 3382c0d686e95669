// Package resolvers resolves the fields of the schema, one file per section. A resolver parses its arguments, loads
// records through the operation's loaders, applies the access rules of access.go before any field is read, and returns.
// Computations are pure functions beside it. The package knows neither HTTP nor REST.
package resolvers

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/internal/auth"
	"gamedata/mongo"
)

// Settings configure the resolvers.
type Settings struct {
	// PageSize is how many entries a page of a list has.
	PageSize int
	// Now is the clock for seasons and schedules; time.Now when nil.
	Now func() time.Time
	// Accounts runs the operations of signed-in users; if nil, no viewer counts as signed in.
	Accounts *auth.Accounts
	// Limits of queries and MaxBody, the bytes of a request's body, are only reported.
	Limits  graph.Limits
	MaxBody int64
	// Counters returns the state of a viewer's rate limits in some buckets; may be nil.
	Counters func(v viewer.Viewer, buckets []string) []graph.Counter
}

// root is the resolver of every field.
type root struct {
	pageSize int
	now      func() time.Time
	accounts *auth.Accounts
	limits   *model.QueryLimits
	unit     int
	counters func(viewer.Viewer, []string) []graph.Counter
	metadata atomic.Pointer[metadata]
}

// New returns the resolvers. They read the store through the loaders of each operation.
func New(s Settings) graph.ResolverRoot {
	if s.Now == nil {
		s.Now = time.Now
	}
	if s.Counters == nil {
		s.Counters = func(viewer.Viewer, []string) []graph.Counter { return nil }
	}
	return &root{
		pageSize: s.PageSize, now: s.Now, accounts: s.Accounts,
		limits: queryLimits(s.Limits, s.MaxBody), unit: s.Limits.UnitFields, counters: s.Counters,
	}
}

// The resolvers of the types that have resolved fields.
type (
	queryResolver               struct{ *root }
	playerResolver              struct{ *root }
	characterResolver           struct{ *root }
	onlinePlayerResolver        struct{ *root }
	itemResolver                struct{ *root }
	itemSetResolver             struct{ *root }
	majorIdentificationResolver struct{ *root }
	recipeMaterialResolver      struct{ *root }
	classResolver               struct{ *root }
	abilityTreeResolver         struct{ *root }
	abilityResolver             struct{ *root }
	aspectResolver              struct{ *root }
	aspectTierResolver          struct{ *root }

	guildHistoryEntryResolver struct{ *root }
	playerGlobalDataResolver  struct{ *root }
	guildMemberDataResolver   struct{ *root }
	guildResolver             struct{ *root }
	guildSeasonResultResolver struct{ *root }
	guildSeasonResolver       struct{ *root }
	leaderboardResolver       struct{ *root }
	rankPositionResolver      struct{ *root }
	rankMovementResolver      struct{ *root }
	territoryResolver         struct{ *root }
	playerLocationResolver    struct{ *root }
	companionLocationResolver struct{ *root }
	worldEventResolver        struct{ *root }
	rewardResolver            struct{ *root }
	lootPoolResolver          struct{ *root }
	searchResultResolver      struct{ *root }
	articleResolver           struct{ *root }
	articleBlockResolver      struct{ *root }
	newsEntryResolver         struct{ *root }

	sessionResolver     struct{ *root }
	viewerResolver      struct{ *root }
	apiTokenResolver    struct{ *root }
	applicationResolver struct{ *root }
	grantResolver       struct{ *root }
	mutationResolver    struct{ *root }
)

func (r *root) Query() graph.QueryResolver               { return queryResolver{r} }
func (r *root) Player() graph.PlayerResolver             { return playerResolver{r} }
func (r *root) Character() graph.CharacterResolver       { return characterResolver{r} }
func (r *root) OnlinePlayer() graph.OnlinePlayerResolver { return onlinePlayerResolver{r} }
func (r *root) Item() graph.ItemResolver                 { return itemResolver{r} }
func (r *root) ItemSet() graph.ItemSetResolver           { return itemSetResolver{r} }
func (r *root) MajorIdentification() graph.MajorIdentificationResolver {
	return majorIdentificationResolver{r}
}

func (r *root) RecipeMaterial() graph.RecipeMaterialResolver { return recipeMaterialResolver{r} }
func (r *root) Class() graph.ClassResolver                   { return classResolver{r} }
func (r *root) AbilityTree() graph.AbilityTreeResolver       { return abilityTreeResolver{r} }
func (r *root) Ability() graph.AbilityResolver               { return abilityResolver{r} }
func (r *root) Aspect() graph.AspectResolver                 { return aspectResolver{r} }
func (r *root) AspectTier() graph.AspectTierResolver         { return aspectTierResolver{r} }

func (r *root) PlayerGlobalData() graph.PlayerGlobalDataResolver { return playerGlobalDataResolver{r} }

func (r *root) GuildMemberData() graph.GuildMemberDataResolver { return guildMemberDataResolver{r} }

func (r *root) GuildHistoryEntry() graph.GuildHistoryEntryResolver {
	return guildHistoryEntryResolver{r}
}
func (r *root) Guild() graph.GuildResolver                   { return guildResolver{r} }
func (r *root) GuildSeason() graph.GuildSeasonResolver       { return guildSeasonResolver{r} }
func (r *root) Leaderboard() graph.LeaderboardResolver       { return leaderboardResolver{r} }
func (r *root) RankPosition() graph.RankPositionResolver     { return rankPositionResolver{r} }
func (r *root) RankMovement() graph.RankMovementResolver     { return rankMovementResolver{r} }
func (r *root) Territory() graph.TerritoryResolver           { return territoryResolver{r} }
func (r *root) PlayerLocation() graph.PlayerLocationResolver { return playerLocationResolver{r} }
func (r *root) CompanionLocation() graph.CompanionLocationResolver {
	return companionLocationResolver{r}
}
func (r *root) WorldEvent() graph.WorldEventResolver     { return worldEventResolver{r} }
func (r *root) Reward() graph.RewardResolver             { return rewardResolver{r} }
func (r *root) SearchResult() graph.SearchResultResolver { return searchResultResolver{r} }
func (r *root) Article() graph.ArticleResolver           { return articleResolver{r} }
func (r *root) ArticleBlock() graph.ArticleBlockResolver { return articleBlockResolver{r} }
func (r *root) NewsEntry() graph.NewsEntryResolver       { return newsEntryResolver{r} }
func (r *root) Viewer() graph.ViewerResolver             { return viewerResolver{r} }
func (r *root) Session() graph.SessionResolver           { return sessionResolver{r} }
func (r *root) ApiToken() graph.ApiTokenResolver         { return apiTokenResolver{r} }
func (r *root) Application() graph.ApplicationResolver   { return applicationResolver{r} }
func (r *root) Grant() graph.GrantResolver               { return grantResolver{r} }
func (r *root) Mutation() graph.MutationResolver         { return mutationResolver{r} }
func (r *root) GuildSeasonResult() graph.GuildSeasonResultResolver {
	return guildSeasonResultResolver{r}
}
func (r *root) LootPool() graph.LootPoolResolver { return lootPoolResolver{r} }

// stored wraps the error of a read of the store in storeError with ErrInternal.
func stored[T any](v T, err error) (T, error) {
	if err != nil {
		err = storeError(err, graph.ErrInternal)
	}
	return v, err
}

// found is stored for a record that must exist: nil is ErrNotFound.
func found[T any](record *T, err error) (*T, error) {
	if err == nil && record == nil {
		return nil, graph.ErrNotFound
	}
	return stored(record, err)
}

// storeError wraps an error of the store, which is only logged: in ErrUnavailable if the store does not respond or the
// operation ended before it did, else in the documented error of the field.
func storeError(err error, documented *graph.Error) error {
	for _, unavailable := range []error{mongo.ErrUnavailable, context.DeadlineExceeded, context.Canceled} {
		if errors.Is(err, unavailable) {
			documented = graph.ErrUnavailable
		}
	}
	return fmt.Errorf("%w: %w", documented, err)
}
