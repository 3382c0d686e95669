package simulator

import (
	"context"
	"slices"
	"time"

	"gamedata/graph/model"
)

// Source reads the records of players who log in and their characters, in the order of the players' uuids, nil for
// unknown ones. They include all earlier steps.
type Source struct {
	Players    func(ctx context.Context, uuids []string) ([]*model.Player, error)
	Characters func(ctx context.Context, owners []string) ([][]*model.Character, error)
}

// player is what a world knows of every player. The records, which are large, are loaded only for those
// who are online.
type player struct {
	uuid     string
	guild    *guild
	*session // nil while the player is offline
}

// session holds the records of a player who is online.
type session struct {
	*model.Player
	characters []*model.Character // to play

	playing       *model.Character
	leaves        time.Time // when the session ends
	nextProgress  time.Time // when progress is recorded next
	recordedUntil time.Time // until when playtime is recorded
}

func (p *player) online() bool { return p.session != nil }

// playable reports whether a record has everything that the simulation changes.
func playable(p *model.Player) bool { return p != nil && p.Totals != nil && p.Playtime != nil }

func unplayable(c *model.Character) bool {
	return c.ProfessionLevels == nil || c.Playtime == nil || c.Meta != nil && c.Meta.Died
}

// loadSessions loads the records of players who are offline. Deleted players, and players who
// cannot be simulated, stay offline. The quests that characters completed are added to the quests of the
// world.
func (w *World) loadSessions(ctx context.Context, uuids []string) error {
	for part := range slices.Chunk(uuids, batchSize) {
		players, err := w.source.Players(ctx, part)
		if err != nil {
			return err
		}
		characters, err := w.source.Characters(ctx, part)
		if err != nil {
			return err
		}
		for i, p := range players {
			if !playable(p) {
				continue
			}
			loaded := w.byUUID[part[i]]
			loaded.session = &session{Player: p}
			for _, c := range characters[i] {
				if !unplayable(c) {
					loaded.characters = append(loaded.characters, c)
					w.addQuests(c.Quests)
				}
			}
			w.game.AddPlayer(p, characters[i]...)
			w.setGuild(loaded, p)
		}
	}
	return nil
}

func (w *World) addQuests(quests []string) {
	for _, q := range quests {
		if at, found := slices.BinarySearch(w.quests, q); !found {
			w.quests = slices.Insert(w.quests, at, q)
		}
	}
}

// unload ends a session and drops its records. They must not be loaded again before the step is written.
func (w *World) unload(p *player) {
	w.game.RemovePlayer(p.uuid)
	p.session = nil
}

func (w *World) addPlayer(p *player, record *model.Player) {
	w.players = append(w.players, p)
	w.byUUID[p.uuid] = p
	w.setGuild(p, record)
}

func (w *World) setGuild(p *player, record *model.Player) {
	var g *guild
	if record.Guild != nil && record.Membership != nil {
		g = w.guildOf[record.Guild.UUID]
	}
	if g == p.guild {
		return
	}
	if p.guild != nil {
		p.guild.removeMember(p)
	}
	p.guild = g
	if g != nil {
		g.members = append(g.members, p)
	}
}
