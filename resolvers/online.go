package resolvers

import (
	"context"
	"slices"
	"strings"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/loaders"
	"gamedata/mongo"
)

func (r queryResolver) OnlinePlayers(ctx context.Context, page model.PageArgs, filter *model.OnlinePlayerFilter) (
	*model.OnlinePlayerConnection, error,
) {
	if filter == nil {
		filter = &model.OnlinePlayerFilter{}
	}
	onWorld, err := worldFilter(filter.World)
	if err != nil {
		return nil, err
	}
	members, err := membersFilter(ctx, filter)
	if err != nil {
		return nil, err
	}
	list, err := loaders.From(ctx).OnlinePlayers(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	total := len(list.All)
	if filter.World != nil {
		total = 0 // of the matching worlds, players who hide included
		for world, n := range list.Worlds {
			if onWorld(&world) {
				total += n
			}
		}
	}
	// Among players who share a name the one who visibly joined last comes first: the order must not reveal what rules
	// hide.
	shown := list.Visible
	if v := viewer.From(ctx); len(v.Own()) > 0 || v.Preview != nil {
		if shown, err = shownTo(ctx, list); err != nil {
			return nil, err
		}
	}
	if filter.World != nil || members != nil {
		shown = only(shown, func(p loaders.Listed) bool {
			return onWorld(p.World) && (members == nil || members[p.UUID])
		})
	}
	if members != nil { // a count of few players would reveal which of them are online
		total = len(shown)
	}
	connection, err := connect(shown, page, r.PageSize, func(p loaders.Listed) string { return p.UUID })
	if err != nil {
		return nil, err
	}
	players := converted(connection, func(p loaders.Listed) *model.OnlinePlayer {
		return &model.OnlinePlayer{Username: p.Username, UUID: p.UUID, World: *p.World}
	})
	return &model.OnlinePlayerConnection{OnlineCount: total, Connection: players}, nil
}

// worldFilter returns whether a filter selects a world; a nil filter selects all.
func worldFilter(wanted *string) (func(*string) bool, error) {
	if wanted == nil {
		return func(*string) bool { return true }, nil
	}
	world, ok := parseWorld(*wanted)
	if !ok {
		return nil, &graph.Error{
			Code: graph.InvalidQueryParams, Argument: "world", Detail: "world must be a world such as EU37, or its number.",
		}
	}
	return world.is, nil
}

// membersFilter returns the uuids of the members of a filter's guild, or nil if the filter names no guild.
func membersFilter(ctx context.Context, f *model.OnlinePlayerFilter) (map[string]bool, error) {
	switch {
	case f.GuildUUID == nil && f.GuildRanks != nil:
		return nil, graph.Errorf(graph.InvalidQueryParams, "guildRanks requires guildUuid.")
	case f.GuildUUID == nil:
		return nil, nil
	}
	players, err := loaders.From(ctx).PlayersByGuild.Load(ctx, *f.GuildUUID)()
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	out := make(map[string]bool, len(players))
	for _, p := range players {
		out[p.UUID] = hasGuildRank(p, f.GuildRanks)
	}
	return out, nil
}

// hasGuildRank reports whether a player's guild rank is in a list; nil accepts everybody.
func hasGuildRank(p *model.Player, ranks []string) bool {
	return ranks == nil || p.Guild != nil && p.Guild.Rank != nil && slices.Contains(ranks, *p.Guild.Rank)
}

// shownTo returns the players on a world whom the viewer sees there.
func shownTo(ctx context.Context, list *loaders.OnlineList) ([]loaders.Listed, error) {
	players := each(list.Restricted, func(p *mongo.OnlineEntry) *model.Player { return p.Restricted })
	relations, err := loadRelations(ctx, players...)
	if err != nil {
		return nil, err
	}
	var restricted []loaders.Listed
	for _, p := range list.Restricted {
		if r := relations.with(p.Restricted); p.World != nil && showsOnline(p.Restricted, r) {
			restricted = append(restricted, loaders.Listed{OnlineEntry: p, Joined: shownLastJoin(p.Restricted, r)})
		}
	}
	slices.SortFunc(restricted, loaders.Listed.Compare)
	public, shown := list.Public, make([]loaders.Listed, 0, len(list.Public)+len(restricted))
	for _, p := range restricted {
		before, _ := slices.BinarySearchFunc(public, p, loaders.Listed.Compare)
		shown, public = append(append(shown, public[:before]...), p), public[before:]
	}
	return append(shown, public...), nil
}

// Whoami returns the caller's own online players, so access rules do not apply.
func (queryResolver) Whoami(ctx context.Context) ([]*model.Player, error) { return ownOnline(ctx) }

// ownOnline returns the caller's own online players as stored: linked profiles, and players who joined from the
// caller's address. An application gets the linked profiles only with the scope that shows their presence. It returns
// nil if there are none.
func ownOnline(ctx context.Context) ([]*model.Player, error) {
	caller := viewer.From(ctx)
	if caller.CrossSite {
		return nil, graph.ErrCrossSite
	}
	own := caller.Own()
	if caller.Is(viewer.OAuth) && !model.LiftedBy(caller.Scopes).Has(model.OnlineStatus) {
		own = nil
	}
	linked := loaders.From(ctx).PlayerByUUID.LoadMany(ctx, own)
	var found []*model.Player
	if caller.Address.IsValid() {
		at, err := loaders.From(ctx).OnlineAt.Load(ctx, caller.Address.String())()
		if err != nil {
			return nil, storeError(err, graph.ErrInternal)
		}
		found = slices.Clone(at)
	}
	profiles, errs := linked()
	for i, p := range profiles {
		if len(errs) > 0 && errs[i] != nil {
			return nil, storeError(errs[i], graph.ErrInternal)
		}
		if p != nil && p.Online && !slices.ContainsFunc(found, func(f *model.Player) bool { return f.UUID == p.UUID }) {
			found = append(found, p)
		}
	}
	if len(found) == 0 {
		return nil, nil
	}
	return found, nil
}

// world is a world in a query: `EU37`, or `37` for each world with that number.
type world struct{ letters, number string }

// parseWorld parses letters and a number, or a number only, case ignored.
func parseWorld(s string) (world, bool) {
	letters := strings.TrimRight(s, "0123456789")
	number := s[len(letters):]
	if number == "" {
		return world{}, false
	}
	for i := range len(letters) {
		if c := letters[i] | 0x20; c < 'a' || c > 'z' {
			return world{}, false
		}
	}
	last := len(number) - 1
	return world{strings.ToUpper(letters), strings.TrimLeft(number[:last], "0") + number[last:]}, true
}

func (w world) is(server *string) bool {
	if server == nil {
		return false
	}
	other, ok := parseWorld(*server)
	return ok && other.number == w.number && (w.letters == "" || other.letters == w.letters)
}
