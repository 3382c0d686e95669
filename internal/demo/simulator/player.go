package simulator

import (
	"context"
	"hash/crc32"
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/demo/seed"
)

// Source reads the records of players who log in and of their characters, in the order of the uuids, nil for unknown
// players. The records include all earlier steps.
type Source struct {
	Players    func(ctx context.Context, uuids []string) ([]*model.Player, error)
	Characters func(ctx context.Context, owners []string) ([][]*model.Character, error)
	// Keep means that nobody else changes the records, so the records of players who left stay in memory.
	Keep bool
}

// player is the state that a world holds for every player. The large records are loaded only while a player is online.
type player struct {
	uuid     string
	guild    *guild
	member   *seed.Member // of the cast; nil for others
	eager    float64      // how often the player plays, 0 to 1
	returns  time.Time    // when a player of World.cast who is offline comes back
	weekly   bool         // progress in the weekly objective that a new week resets
	*session              // nil while the player is offline
	away     *session     // while the player is offline, if the records stay in memory
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

// idle reports whether the player never plays.
func (p *player) idle() bool { return p.member != nil && p.member.Idle }

// free reports whether the player may join and leave guilds and change rank; the cast may not.
func (p *player) free() bool { return p.member == nil }

// placed reports whether a member of the cast is online as in the cast's file.
func (p *player) placed() bool { return p.online() && !p.free() && p.Address == p.member.Address }

// playable reports whether a record has all fields that the simulation changes.
func playable(p *model.Player) bool { return p != nil && p.Totals != nil && p.Playtime != nil }

func unplayable(c *model.Character) bool {
	return c.ProfessionLevels == nil || c.Playtime == nil || c.Meta != nil && c.Meta.Died
}

// loadSessions loads the records of players who are offline. Deleted players, and players who cannot be simulated, stay
// offline. It adds the quests that characters completed to the quests of the world.
func (w *World) loadSessions(ctx context.Context, uuids []string) error {
	var unknown []string
	for _, uuid := range uuids {
		if p := w.byUUID[uuid]; p.away != nil {
			p.session, p.away = p.away, nil
		} else {
			unknown = append(unknown, uuid)
		}
	}
	for part := range slices.Chunk(unknown, batchSize) {
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
			w.Game.AddPlayer(p, characters[i]...)
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

// unload ends a session. If it drops the records, they must not be loaded again before the step is written.
func (w *World) unload(p *player) {
	if w.source.Keep {
		p.away = p.session
	} else {
		w.Game.RemovePlayer(p.uuid)
	}
	p.session = nil
}

func (w *World) addPlayer(uuid string, record *model.Player) *player {
	p := &player{uuid: uuid, weekly: record.Weekly != nil && (record.Weekly.Completed || record.Weekly.Streak > 0)}
	// A few play every day, most from time to time, some hardly ever.
	share := float64(crc32.ChecksumIEEE([]byte(uuid))) / (1 << 32)
	p.eager = share * share * share
	if at := slices.IndexFunc(seed.Cast, func(m seed.Member) bool { return m.UUID == uuid }); at >= 0 {
		p.member, p.eager = &seed.Cast[at], max(p.eager, 0.3)
	}
	w.players = append(w.players, p)
	w.byUUID[p.uuid] = p
	w.setGuild(p, record)
	return p
}

func (w *World) setGuild(p *player, record *model.Player) {
	var g *guild
	if record.Guild != nil && record.Membership != nil {
		g = w.guildOf[record.Guild.UUID]
	}
	w.move(p, g)
}

// move makes a player a member of a guild, or of none.
func (w *World) move(p *player, to *guild) {
	if to == p.guild {
		return
	}
	if from := p.guild; from != nil {
		from.members = slices.DeleteFunc(from.members, func(m *player) bool { return m == p })
	}
	p.guild = to
	if to != nil {
		to.members = append(to.members, p)
	}
}
