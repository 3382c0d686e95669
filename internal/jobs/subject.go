package jobs

import (
	"context"
	"errors"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// subject is a player or guild to refresh.
type subject struct {
	uuid    string
	deleted bool                // no record, and no places
	added   time.Time           // of the record
	former  *model.FormerGuild  // the last disbanded guild with the uuid
	places  []leaderboard.Place // to have
}

// subjects reads players or guilds and computes their new places. It adds the players' guilds to guilds unless that is
// nil.
func (r *run) subjects(ctx context.Context, of mongo.Ranked, uuids []string, guilds map[string]bool) (
	[]*subject, error,
) {
	if of == mongo.RankedGuilds {
		return r.guildSubjects(ctx, uuids)
	}
	players, characters, err := r.store.Scores.Players(ctx, uuids)
	if err != nil {
		return nil, err
	}
	out := make([]*subject, len(uuids))
	for i, p := range players {
		if p == nil {
			out[i] = &subject{uuid: uuids[i], deleted: true}
			continue
		}
		if p.Guild != nil && guilds != nil {
			guilds[p.Guild.UUID] = true
		}
		out[i] = newSubject(uuids[i], r.catalogue.OfPlayer(p, characters[i]))
	}
	r.report.Players += len(uuids)
	return out, nil
}

// newSubject returns a player or guild that has a record. An invalid uuid is on no board.
func newSubject(uuid string, entries []leaderboard.Entry) *subject {
	places, ok := leaderboard.Places(uuid, entries)
	return &subject{uuid: uuid, places: places, deleted: !ok}
}

func (r *run) guildSubjects(ctx context.Context, uuids []string) ([]*subject, error) {
	guilds, err := r.store.Scores.Guilds(ctx, uuids)
	if err != nil {
		return nil, err
	}
	former, err := r.store.FormerGuilds.ByID(ctx, uuids)
	if err != nil && !errors.As(err, new(*mongo.MalformedError)) {
		return nil, err
	}
	out := make([]*subject, len(uuids))
	for i, g := range guilds {
		if g == nil {
			out[i] = &subject{uuid: uuids[i], deleted: true, former: former[i]}
		} else {
			out[i] = newSubject(uuids[i], r.catalogue.OfGuild(g))
			out[i].added, out[i].former = g.AddedAt, former[i]
		}
	}
	r.report.Guilds += len(uuids)
	return out, nil
}
