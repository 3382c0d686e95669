package simulator

import (
	"context"
	"math"
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo/feed"
)

const (
	// sitting is how long a session is on average.
	sitting = 45 * time.Minute
	// onlineShare of all players are online on average; it swings by swing between the
	// morning and the evening of busiest.
	onlineShare = 0.07
	swing       = 0.55
	busiest     = 19
)

// crowd is how many players the hour calls for.
func (w *World) crowd() float64 {
	hour := float64(w.now.Hour()) + float64(w.now.Minute())/60
	return onlineShare * float64(len(w.players)) * (1 + swing*math.Cos((hour-busiest)/24*2*math.Pi))
}

// resume goes on with the sessions that the records tell of.
func (w *World) resume(uuids []string) {
	parties := map[string]*party{}
	for _, uuid := range uuids {
		p := w.byUUID[uuid]
		if !p.online() {
			continue
		}
		w.online = append(w.online, p)
		w.begin(p)
		if p.ActiveCharacter != nil && p.Server != nil {
			at := slices.IndexFunc(p.characters, func(c *model.Character) bool { return c.UUID == *p.ActiveCharacter })
			if at >= 0 {
				p.playing = p.characters[at]
			}
		}
		if p.Party == "" {
			continue
		}
		if parties[p.Party] == nil {
			parties[p.Party] = &party{ends: w.now.Add(w.lasting(outing))}
			w.parties = append(w.parties, parties[p.Party])
		}
		p.party = parties[p.Party]
		p.party.members = append(p.party.members, p)
	}
}

// begin plans a session.
func (w *World) begin(p *player) {
	p.leaves, p.noted = w.now.Add(w.lasting(sitting)), w.now
	p.acts = w.now.Add(w.pause())
}

// pause is the time from one note of a player's progress to the next.
func (w *World) pause() time.Duration { return time.Duration(w.between(40, 80)) * time.Second }

// endSessions lets players leave whose session is over. Nobody leaves in the middle of a
// raid.
func (w *World) endSessions() {
	w.online = slices.DeleteFunc(w.online, func(p *player) bool {
		if w.now.Before(p.leaves) || p.party != nil && p.party.raid != "" {
			return false
		}
		w.note(p)
		w.quitParty(p)
		w.feed.PlayerLeft(p.Player)
		p.forget()
		w.tally[Logouts]++
		return true
	})
}

// beginSessions lets players come, as many as the hour calls for.
func (w *World) beginSessions(ctx context.Context) error {
	want := w.crowd()
	perHour := want/sitting.Hours() + 2*(want-float64(len(w.online)))
	var coming []string
	for range w.happen(max(perHour, 0)) {
		if p := w.somebodyAway(); p != nil && !slices.Contains(coming, p.uuid) {
			coming = append(coming, p.uuid)
		}
	}
	if err := w.bring(ctx, coming); err != nil {
		return err
	}
	for _, uuid := range coming {
		if p := w.byUUID[uuid]; p.online() {
			w.join(p)
		}
	}
	for range w.happen(newcomers) {
		if w.born < len(w.players)/10 {
			w.join(w.newcomer())
		}
	}
	return nil
}

// somebodyAway finds a player who is offline: often a friend of somebody who plays. nil when
// a few tries meet nobody.
func (w *World) somebodyAway() *player {
	if len(w.online) > 0 && w.chance(0.4) {
		if host := one(w.dice, w.online); len(host.Friends) > 0 {
			if p := w.byUUID[one(w.dice, host.Friends)]; p != nil && !p.online() {
				return p
			}
		}
	}
	for range 8 {
		if len(w.players) == 0 {
			return nil
		}
		if p := one(w.dice, w.players); !p.online() {
			return p
		}
	}
	return nil
}

// join brings a player online, on a friend's world when there is one.
func (w *World) join(p *player) {
	p.playing = w.choose(p)
	w.feed.PlayerJoined(p.Player, feed.Joining{
		At: w.now, Address: w.address(), Server: w.worldFor(p),
		Character: p.playing, Location: w.spawn(),
	})
	w.online = append(w.online, p)
	w.begin(p)
	w.tally[Logins]++
}

// choose is the character a player takes: mostly the highest, now and then another or a
// new one.
func (w *World) choose(p *player) *model.Character {
	if len(p.characters) == 0 || len(p.characters) < 6 && w.chance(0.002) {
		c := w.newCharacter()
		p.characters = append(p.characters, c)
		w.feed.CharacterAdded(p.Player, c)
		w.tally[Characters]++
		return c
	}
	if w.chance(0.3) {
		return one(w.dice, p.characters)
	}
	return slices.MaxFunc(p.characters, func(a, b *model.Character) int { return a.Level - b.Level })
}

func (w *World) worldFor(p *player) string {
	for _, uuid := range p.Friends {
		if f := w.byUUID[uuid]; f != nil && f.online() && f.Server != nil && w.chance(0.6) {
			return *f.Server
		}
	}
	return one(w.dice, w.servers)
}

// spawn is where players enter a world.
func (w *World) spawn() model.Location {
	return model.Location{X: float64(w.between(-900, 900)), Y: float64(w.between(40, 110)), Z: float64(w.between(-2400,
		-300))}
}
