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
	query      struct{ *Root }
	player     struct{ *Root }
	character  struct{ *Root }
	light      struct{ *Root }
	online     struct{ *Root }
	item       struct{ *Root }
	itemSet    struct{ *Root }
	major      struct{ *Root }
	material   struct{ *Root }
	class      struct{ *Root }
	tree       struct{ *Root }
	ability    struct{ *Root }
	aspect     struct{ *Root }
	aspectTier struct{ *Root }

	guildReference    struct{ *Root }
	guildHistoryEntry struct{ *Root }
	guildListing      struct{ *Root }
	guild             struct{ *Root }
	guildMembers      struct{ *Root }
	guildSeasonRank   struct{ *Root }
	guildSeason       struct{ *Root }
	territory         struct{ *Root }
	playerLocation    struct{ *Root }
	worldEvent        struct{ *Root }
	reward            struct{ *Root }
	playerHit         struct{ *Root }
	articleHead       struct{ *Root }
	articleBlock      struct{ *Root }
	newsEntry         struct{ *Root }

	asker       struct{ *Root }
	apiToken    struct{ *Root }
	application struct{ *Root }
	grant       struct{ *Root }
	mutation    struct{ *Root }
)

func (r *Root) Query() graph.QueryResolver                             { return query{r} }
func (r *Root) Player() graph.PlayerResolver                           { return player{r} }
func (r *Root) Character() graph.CharacterResolver                     { return character{r} }
func (r *Root) LightCharacter() graph.LightCharacterResolver           { return light{r} }
func (r *Root) OnlinePlayer() graph.OnlinePlayerResolver               { return online{r} }
func (r *Root) Item() graph.ItemResolver                               { return item{r} }
func (r *Root) ItemSet() graph.ItemSetResolver                         { return itemSet{r} }
func (r *Root) MajorIdentification() graph.MajorIdentificationResolver { return major{r} }
func (r *Root) RecipeMaterial() graph.RecipeMaterialResolver           { return material{r} }
func (r *Root) Class() graph.ClassResolver                             { return class{r} }
func (r *Root) AbilityTree() graph.AbilityTreeResolver                 { return tree{r} }
func (r *Root) Ability() graph.AbilityResolver                         { return ability{r} }
func (r *Root) Aspect() graph.AspectResolver                           { return aspect{r} }
func (r *Root) AspectTier() graph.AspectTierResolver                   { return aspectTier{r} }
func (r *Root) GuildReference() graph.GuildReferenceResolver           { return guildReference{r} }
func (r *Root) GuildHistoryEntry() graph.GuildHistoryEntryResolver     { return guildHistoryEntry{r} }
func (r *Root) GuildListing() graph.GuildListingResolver               { return guildListing{r} }
func (r *Root) Guild() graph.GuildResolver                             { return guild{r} }
func (r *Root) GuildMembers() graph.GuildMembersResolver               { return guildMembers{r} }
func (r *Root) GuildSeasonRank() graph.GuildSeasonRankResolver         { return guildSeasonRank{r} }
func (r *Root) GuildSeason() graph.GuildSeasonResolver                 { return guildSeason{r} }
func (r *Root) Territory() graph.TerritoryResolver                     { return territory{r} }
func (r *Root) PlayerLocation() graph.PlayerLocationResolver           { return playerLocation{r} }
func (r *Root) WorldEvent() graph.WorldEventResolver                   { return worldEvent{r} }
func (r *Root) Reward() graph.RewardResolver                           { return reward{r} }
func (r *Root) PlayerHit() graph.PlayerHitResolver                     { return playerHit{r} }
func (r *Root) ArticleHead() graph.ArticleHeadResolver                 { return articleHead{r} }
func (r *Root) ArticleBlock() graph.ArticleBlockResolver               { return articleBlock{r} }
func (r *Root) NewsEntry() graph.NewsEntryResolver                     { return newsEntry{r} }
func (r *Root) Viewer() graph.ViewerResolver                           { return asker{r} }
func (r *Root) ApiToken() graph.ApiTokenResolver                       { return apiToken{r} }
func (r *Root) Application() graph.ApplicationResolver                 { return application{r} }
func (r *Root) Grant() graph.GrantResolver                             { return grant{r} }
func (r *Root) Mutation() graph.MutationResolver                       { return mutation{r} }

// fault gives an error of the store its meaning: a store that does not answer, or a caller
// who left, makes the answer unavailable; anything else is the failure that the endpoint
// documents. The cause stays inside for the log.
func fault(err error, documented *graph.Error) error {
	if errors.Is(err, mongo.ErrUnavailable) || errors.Is(err, context.Canceled) {
		documented = graph.ErrUnavailable
	}
	return fmt.Errorf("%w: %w", documented, err)
}
