package resolvers

import (
	"context"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/loaders"
)

// guildByUUID is the guild with a uuid, nil when there is none. No access rule guards a
// guild itself; those of its members guard what it shows of them.
func guildByUUID(ctx context.Context, uuid string) (*model.Guild, error) {
	g, err := loaders.From(ctx).GuildByUUID.Load(ctx, uuid)()
	if err != nil {
		return nil, fault(err, graph.ErrInternal)
	}
	return g, nil
}

func (guildReference) Guild(ctx context.Context, g *model.GuildReference) (*model.Guild, error) {
	return guildByUUID(ctx, g.UUID)
}

func (guildHistoryEntry) Guild(ctx context.Context, g *model.GuildHistoryEntry) (*model.Guild, error) {
	return guildByUUID(ctx, g.UUID)
}

func (guildListing) Guild(ctx context.Context, g *model.GuildListing) (*model.Guild, error) {
	return guildByUUID(ctx, g.UUID)
}

func (playerHit) Player(ctx context.Context, hit *model.PlayerHit) (*model.Player, error) {
	return playerByUUID(ctx, hit.UUID)
}

func (player) RankMovement(_ context.Context, p *model.Player) ([]*model.RankMovement, error) {
	return rankMovement(p.Ranking, p.PreviousRanking), nil
}

func (guild) RankMovement(_ context.Context, g *model.Guild) ([]*model.RankMovement, error) {
	return rankMovement(g.Ranking, g.PreviousRanking), nil
}

// rankMovement pairs the positions of two days: first those held now, then those lost.
func rankMovement(now, before []*model.RankPosition) []*model.RankMovement {
	previous := make(map[string]int, len(before))
	for _, p := range before {
		previous[p.Type] = p.Position
	}
	out := make([]*model.RankMovement, 0, len(now))
	for _, p := range now {
		m := &model.RankMovement{Type: p.Type, Position: &p.Position}
		if was, ok := previous[p.Type]; ok {
			gained := was - p.Position
			m.Previous, m.Movement = &was, &gained
			delete(previous, p.Type)
		}
		out = append(out, m)
	}
	for _, p := range before {
		if was, lost := previous[p.Type]; lost {
			out = append(out, &model.RankMovement{Type: p.Type, Previous: &was})
		}
	}
	return out
}

// BestCharacter is the one with the highest total level; of equal ones the one with the
// lower uuid, so that the answer does not waver.
func (player) BestCharacter(ctx context.Context, p *model.Player) (*model.Character, error) {
	if !listsCharacters(p) || !showsCharacterData(p) {
		return nil, nil
	}
	all, err := charactersOf(ctx, p)
	if err != nil {
		return nil, err
	}
	var best *model.Character
	for _, c := range all {
		if best == nil || c.TotalLevel > best.TotalLevel || c.TotalLevel == best.TotalLevel && c.UUID < best.UUID {
			best = c
		}
	}
	return best, nil
}
