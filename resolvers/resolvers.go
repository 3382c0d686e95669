// Package resolvers resolves the fields of the schema, one file per section. A resolver parses its
// arguments, loads records through the operation's loaders, applies the access rules of access.go
// before any field is read, and returns. Computations are pure functions beside it. The package knows
// neither HTTP nor REST.
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

// Root is the resolver of every field.
type Root struct {
	pageSize int
	now      func() time.Time
	accounts *auth.Accounts
	limits   *model.QueryLimits
	unit     int
	counters func(viewer.Viewer, []string) []graph.Counter
	metadata atomic.Pointer[metadata]
}

var _ graph.ResolverRoot = (*Root)(nil)

// New returns the resolvers. They read the store through the loaders of each operation.
func New(s Settings) *Root {
	if s.Now == nil {
		s.Now = time.Now
	}
	if s.Counters == nil {
		s.Counters = func(viewer.Viewer, []string) []graph.Counter { return nil }
	}
	return &Root{
		pageSize: s.PageSize, now: s.Now, accounts: s.Accounts,
		limits: queryLimits(s.Limits, s.MaxBody), unit: s.Limits.UnitFields, counters: s.Counters,
	}
}

// The resolvers of the types that have resolved fields.
type (
	queryResolver               struct{ *Root }
	playerResolver              struct{ *Root }
	characterResolver           struct{ *Root }
	lightCharacterResolver      struct{ *Root }
	onlinePlayerResolver        struct{ *Root }
	itemResolver                struct{ *Root }
	itemSetResolver             struct{ *Root }
	majorIdentificationResolver struct{ *Root }
	recipeMaterialResolver      struct{ *Root }
	classResolver               struct{ *Root }
	abilityTreeResolver         struct{ *Root }
	abilityResolver             struct{ *Root }
	aspectResolver              struct{ *Root }
	aspectTierResolver          struct{ *Root }

	guildReferenceResolver    struct{ *Root }
	guildHistoryEntryResolver struct{ *Root }
	guildListingResolver      struct{ *Root }
	guildResolver             struct{ *Root }
	guildMembersResolver      struct{ *Root }
	guildSeasonRankResolver   struct{ *Root }
	guildSeasonResolver       struct{ *Root }
	territoryResolver         struct{ *Root }
	playerLocationResolver    struct{ *Root }
	worldEventResolver        struct{ *Root }
	rewardResolver            struct{ *Root }
	playerHitResolver         struct{ *Root }
	articleHeadResolver       struct{ *Root }
	articleBlockResolver      struct{ *Root }
	newsEntryResolver         struct{ *Root }

	viewerResolver      struct{ *Root }
	apiTokenResolver    struct{ *Root }
	applicationResolver struct{ *Root }
	grantResolver       struct{ *Root }
	mutationResolver    struct{ *Root }
)

func (r *Root) Query() graph.QueryResolver                   { return queryResolver{r} }
func (r *Root) Player() graph.PlayerResolver                 { return playerResolver{r} }
func (r *Root) Character() graph.CharacterResolver           { return characterResolver{r} }
func (r *Root) LightCharacter() graph.LightCharacterResolver { return lightCharacterResolver{r} }
func (r *Root) OnlinePlayer() graph.OnlinePlayerResolver     { return onlinePlayerResolver{r} }
func (r *Root) Item() graph.ItemResolver                     { return itemResolver{r} }
func (r *Root) ItemSet() graph.ItemSetResolver               { return itemSetResolver{r} }
func (r *Root) MajorIdentification() graph.MajorIdentificationResolver {
	return majorIdentificationResolver{r}
}
func (r *Root) RecipeMaterial() graph.RecipeMaterialResolver { return recipeMaterialResolver{r} }
func (r *Root) Class() graph.ClassResolver                   { return classResolver{r} }
func (r *Root) AbilityTree() graph.AbilityTreeResolver       { return abilityTreeResolver{r} }
func (r *Root) Ability() graph.AbilityResolver               { return abilityResolver{r} }
func (r *Root) Aspect() graph.AspectResolver                 { return aspectResolver{r} }
func (r *Root) AspectTier() graph.AspectTierResolver         { return aspectTierResolver{r} }
func (r *Root) GuildReference() graph.GuildReferenceResolver { return guildReferenceResolver{r} }
func (r *Root) GuildHistoryEntry() graph.GuildHistoryEntryResolver {
	return guildHistoryEntryResolver{r}
}
func (r *Root) GuildListing() graph.GuildListingResolver       { return guildListingResolver{r} }
func (r *Root) Guild() graph.GuildResolver                     { return guildResolver{r} }
func (r *Root) GuildMembers() graph.GuildMembersResolver       { return guildMembersResolver{r} }
func (r *Root) GuildSeasonRank() graph.GuildSeasonRankResolver { return guildSeasonRankResolver{r} }
func (r *Root) GuildSeason() graph.GuildSeasonResolver         { return guildSeasonResolver{r} }
func (r *Root) Territory() graph.TerritoryResolver             { return territoryResolver{r} }
func (r *Root) PlayerLocation() graph.PlayerLocationResolver   { return playerLocationResolver{r} }
func (r *Root) WorldEvent() graph.WorldEventResolver           { return worldEventResolver{r} }
func (r *Root) Reward() graph.RewardResolver                   { return rewardResolver{r} }
func (r *Root) PlayerHit() graph.PlayerHitResolver             { return playerHitResolver{r} }
func (r *Root) ArticleHead() graph.ArticleHeadResolver         { return articleHeadResolver{r} }
func (r *Root) ArticleBlock() graph.ArticleBlockResolver       { return articleBlockResolver{r} }
func (r *Root) NewsEntry() graph.NewsEntryResolver             { return newsEntryResolver{r} }
func (r *Root) Viewer() graph.ViewerResolver                   { return viewerResolver{r} }
func (r *Root) ApiToken() graph.ApiTokenResolver               { return apiTokenResolver{r} }
func (r *Root) Application() graph.ApplicationResolver         { return applicationResolver{r} }
func (r *Root) Grant() graph.GrantResolver                     { return grantResolver{r} }
func (r *Root) Mutation() graph.MutationResolver               { return mutationResolver{r} }

// storeError wraps an error of the store, which is only logged: in ErrUnavailable if the store does not
// respond or the caller has left, else in the documented error of the field.
func storeError(err error, documented *graph.Error) error {
	if errors.Is(err, mongo.ErrUnavailable) || errors.Is(err, context.Canceled) {
		documented = graph.ErrUnavailable
	}
	return fmt.Errorf("%w: %w", documented, err)
}
