package simulator

import (
	"context"
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// Source gives a world the records of those who come to play, in the order of the uuids they
// are asked by, nil where there is none; every step that was taken before is in them.
type Source interface {
	PlayersByUUID(ctx context.Context, uuids []string) ([]*model.Player, error)
	CharactersByOwner(ctx context.Context, uuids []string) ([][]*model.Character, error)
}

var _ Source = (*mongo.Store)(nil)

// player is what a world knows of everybody, also of who is away: records are large, and few
// of many play at a time.
type player struct {
	uuid   string
	guild  *guild
	weekly *model.WeeklyProgress // as of the last session
	*session
}

// session is a player online: the records, and what becomes of them. It is nil for who is
// away.
type session struct {
	*model.Player
	characters []*model.Character
	party      *party

	playing *model.Character
	leaves  time.Time // when the session ends
	acts    time.Time // when progress is noted next
	noted   time.Time // up to when playtime is noted
}

func (p *player) online() bool { return p.session != nil }

// playable tells whether a record has everything that playing changes.
func playable(p *model.Player) bool { return p != nil && p.GlobalData != nil && p.Playtime != nil }

func unplayable(c *model.Character) bool {
	return c.Professions == nil || c.Playtime == nil || c.Meta != nil && c.Meta.Died
}

// bring gives sessions to players who are away. Who is gone meanwhile, or lacks what is
// played with, stays away. From what the others completed the world learns which quests
// there are.
func (w *World) bring(ctx context.Context, uuids []string) error {
	for part := range slices.Chunk(uuids, few) {
		players, err := w.source.PlayersByUUID(ctx, part)
		if err != nil {
			return err
		}
		characters, err := w.source.CharactersByOwner(ctx, part)
		if err != nil {
			return err
		}
		for i, p := range players {
			if !playable(p) {
				continue
			}
			known := w.byUUID[part[i]]
			known.session = &session{Player: p, characters: slices.DeleteFunc(characters[i], unplayable)}
			w.enroll(known, p)
			for _, c := range known.characters {
				w.learn(c.Quests)
			}
		}
	}
	return nil
}

func (w *World) learn(quests []string) {
	for _, q := range quests {
		if at, known := slices.BinarySearch(w.quests, q); !known {
			w.quests = slices.Insert(w.quests, at, q)
		}
	}
}

// forget ends a session: of the records nothing stays but what the world needs of who is
// away. They must not be asked for again before the step is written.
func (p *player) forget() { p.weekly, p.session = p.Weekly, nil }

// record is the record of a player; of one who is away, what is known of it.
func (p *player) record() *model.Player {
	if p.online() {
		return p.Player
	}
	return &model.Player{UUID: p.uuid, Weekly: p.weekly}
}

// admit adds a player to the world.
func (w *World) admit(p *player, record *model.Player) {
	w.players = append(w.players, p)
	w.byUUID[p.uuid] = p
	w.enroll(p, record)
}

// enroll makes a player a member of the guild that the record tells of.
func (w *World) enroll(p *player, record *model.Player) {
	var g *guild
	if record.Guild != nil && record.Membership != nil {
		g = w.guildOf[record.Guild.UUID]
	}
	if g == p.guild {
		return
	}
	if p.guild != nil {
		p.guild.lose(p)
	}
	if p.guild = g; g != nil {
		g.members = append(g.members, p)
	}
}
