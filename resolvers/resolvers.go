// Package resolvers answers the fields of the schema, one file per section. A resolver
// parses its arguments, loads records through the operation's loaders, applies the access
// rules of access.go to them before any field is read, and returns. What can be computed
// from values alone stands in pure functions beside it. HTTP may not enter here.
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

// Settings are the numbers that resolvers work with.
type Settings struct {
	// PageSize is how many entries a page of a list holds (WIRE §3).
	PageSize int
	// Now tells the time that decides what has begun and what comes next; time.Now when nil.
	Now func() time.Time
	// Accounts does what somebody who is signed in asks for. Without it nobody is signed in.
	Accounts *auth.Accounts
	// Limits bound a query, MaxBody the bytes of a request's body; both are told only.
	Limits  graph.Limits
	MaxBody int64
	// Counters tells the state of a viewer's rate limits in some buckets; nil tells none.
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

// New returns the resolvers. They find the store through the loaders of each operation.
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

// The resolvers of each type with fields of its own.
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

// fault gives an error of the store its meaning: a store that does not answer, or a caller
// who left, makes the answer unavailable; anything else is the failure that the endpoint
// documents. The cause stays inside for the log.
func storeError(err error, documented *graph.Error) error {
	if errors.Is(err, mongo.ErrUnavailable) || errors.Is(err, context.Canceled) {
		documented = graph.ErrUnavailable
	}
	return fmt.Errorf("%w: %w", documented, err)
}
