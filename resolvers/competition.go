package resolvers

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/internal/auth"
	"gamedata/internal/history"
	"gamedata/loaders"
	"gamedata/mongo"
)

func (q queryResolver) Competition(ctx context.Context, by model.CompetitionBy) (*model.Competition, error) {
	return q.competition(ctx, *by.Key)
}

// competition returns a competition, nil if none has the key.
func (*root) competition(ctx context.Context, key string) (*model.Competition, error) {
	return publicError(loaders.From(ctx).CompetitionByKey.Load(ctx, key)())
}

func (r viewerResolver) Competitions(ctx context.Context, _ *model.Viewer) ([]*model.Competition, error) {
	return ofAccount(ctx, r.root, r.Accounts.Competitions.Of)
}

func (competitionResolver) Unit(_ context.Context, c *model.Competition) (model.HistoryUnit, error) {
	return units[string(c.Metric)], nil
}

func (r competitionResolver) Guild(ctx context.Context, c *model.Competition) (*model.Guild, error) {
	if c.GuildUUID == nil {
		return nil, nil
	}
	return r.guild(ctx, *c.GuildUUID)
}

// Standings ranks the players whose history the viewer may see. Gains are not stored: they are computed from the
// history, even after the competition has ended.
func (r competitionResolver) Standings(ctx context.Context, c *model.Competition, page model.PageArgs) (
	*model.CompetitionStandingConnection, error,
) {
	var list []*model.CompetitionStanding
	if now := r.Now(); c.StartsAt.Before(now) {
		var err error
		if list, err = r.standings(ctx, c, spanUntil(c.StartsAt, c.EndsAt, now)); err != nil {
			return nil, err
		}
	}
	return connect(list, page, r.PageSize, func(s *model.CompetitionStanding) string { return s.Player.UUID })
}

func (r competitionResolver) standings(ctx context.Context, c *model.Competition, s gainSpan) (
	[]*model.CompetitionStanding, error,
) {
	players, err := r.players(ctx, c.Players)
	if err != nil {
		return nil, err
	}
	players = only(players, func(p *model.Player) bool { return !hidesDays(p) })
	found, err := valuesOver(ctx, mongo.RecordedPlayer, each(players, history.PlayerGainer), s)
	if err != nil {
		return nil, err
	}
	var out []*model.CompetitionStanding
	for i, p := range players {
		if gain := found[i].gain(string(c.Metric), s); gain != nil {
			out = append(out, &model.CompetitionStanding{Player: p, Gain: gain})
		}
	}
	slices.SortFunc(out, func(a, b *model.CompetitionStanding) int {
		return cmp.Or(cmp.Compare(b.Gain.Gained, a.Gain.Gained), cmp.Compare(a.Player.UUID, b.Player.UUID))
	})
	for i, standing := range out {
		standing.Position = i + 1
		if i > 0 && standing.Gain.Gained == out[i-1].Gain.Gained {
			standing.Position = out[i-1].Position
		}
	}
	return out, nil
}

func (s session) CreateCompetition(ctx context.Context, in model.CreateCompetitionInput) (
	*model.CreateCompetitionPayload, error,
) {
	c, err := s.newCompetition(ctx, in)
	if err != nil {
		return nil, err
	}
	created, err := s.Accounts.Competitions.Create(ctx, s.Account, c)
	return &model.CreateCompetitionPayload{Competition: created}, err
}

func (r *root) newCompetition(ctx context.Context, in model.CreateCompetitionInput) (model.Competition, error) {
	c := model.Competition{Name: in.Name, Metric: in.Metric, StartsAt: in.StartsAt, EndsAt: in.EndsAt}
	switch {
	case !slices.Contains(history.PlayerMetrics, string(in.Metric)):
		return c, auth.ErrNoCompetitionMetric
	case in.Guild != nil && len(in.Players) > 0, len(in.Players) > maxPlayers:
		return c, auth.ErrInvalidCompetition
	case in.Guild != nil:
		g, err := queryResolver{r}.Guild(ctx, *in.Guild)
		if known := (*graph.Error)(nil); err == nil && g == nil || errors.As(err, &known) &&
			(known.Code == graph.MultipleObjectsReturned || known.Code == graph.MalformedPrefix) {
			return c, auth.ErrUnknownGuild
		}
		if err != nil {
			return c, err
		}
		members, _, err := playersOf(ctx, g)
		c.GuildUUID, c.Players = &g.UUID, each(members, func(p *model.Player) string { return p.UUID })
		return c, err
	}
	var err error
	c.Players, err = referencedPlayers(ctx, in.Players)
	return c, err
}

// referencedPlayers returns the uuids of players from uuids and usernames. Errors name the references that match no
// player.
func referencedPlayers(ctx context.Context, references []string) (uuids []string, err error) {
	var names, unknown, ambiguous []string
	for _, reference := range references {
		if uuid, ok := model.ParseUUID(reference); ok {
			uuids = append(uuids, uuid)
		} else if reference == "" || len(reference) > maxName {
			unknown = append(unknown, reference)
		} else {
			names = append(names, reference)
		}
	}
	set := loaders.From(ctx)
	found, err := loaders.Many(ctx, set.PlayerByUUID, uuids)
	if err != nil {
		return nil, err
	}
	named, err := loaders.Many(ctx, set.PlayersByName, names)
	if err != nil {
		return nil, err
	}
	for i, p := range found {
		if p == nil {
			unknown = append(unknown, uuids[i])
		}
	}
	for i, list := range named {
		switch len(list) {
		case 0:
			unknown = append(unknown, names[i])
		case 1:
			uuids = append(uuids, list[0].UUID)
		default:
			ambiguous = append(ambiguous, names[i])
		}
	}
	return uuids, errors.Join(auth.About(auth.ErrUnknownPlayer, unknown...),
		auth.About(auth.ErrAmbiguousPlayer, ambiguous...))
}

func (s session) DeleteCompetition(ctx context.Context, in model.DeleteCompetitionInput) (
	*model.DeleteCompetitionPayload, error,
) {
	err := s.Accounts.Competitions.Delete(ctx, s.Account, keyOf("Competition", in.ID))
	return &model.DeleteCompetitionPayload{DeletedID: &in.ID}, err
}
