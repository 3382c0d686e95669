package simulator

import (
	"context"
	"math"
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/demo/dice"
	"gamedata/internal/demo/seed"
	"gamedata/internal/feed"
)

const (
	// meanSession is how long a session lasts on average.
	meanSession = 80 * time.Minute
	// onlineShare is the average share of players online. It varies by daySwing over the day, with the maximum at the
	// hour busiest, and by weekSwing over the week, with the maximum on Saturday.
	onlineShare = 0.04
	daySwing    = 0.6
	weekSwing   = 0.12
	busiest     = 19
	// castTime is how long before the end of a past the first of the cast comes to be online then, castInterval the time
	// until the next one. From then on a member of the cast who leaves comes back after about castBreak.
	castTime, castInterval, castBreak = 6 * time.Hour, 20 * time.Minute, 5 * time.Minute
	// maxPause is how long nobody logs in at most unless the world was not played.
	maxPause = 10 * time.Minute
)

// bustle returns the number of players online at a time, as a share of the maximum.
func bustle(at time.Time) float64 {
	hours := at.Sub(at.Truncate(24 * time.Hour)).Hours()
	wave := func(hours, period, swing float64) float64 {
		return (1 + swing*math.Cos(hours/period*2*math.Pi)) / (1 + swing)
	}
	days := float64((at.Weekday()+1)%7)*24 + hours // since Saturday began
	return wave(hours-busiest, 24, daySwing) * wave(days-busiest, 7*24, weekSwing)
}

// resumeSessions continues the sessions of players who are online in their records.
func (w *World) resumeSessions(uuids []string) {
	for _, uuid := range uuids {
		p := w.byUUID[uuid]
		if !p.online() {
			continue
		}
		w.online = append(w.online, p)
		w.planSession(p)
		if p.ActiveCharacter != nil && p.World != nil {
			at := slices.IndexFunc(p.characters, func(c *model.Character) bool { return c.UUID == *p.ActiveCharacter })
			if at >= 0 {
				p.playing = p.characters[at]
			}
		}
	}
}

// planSession sets when a session ends and progress is recorded.
func (w *World) planSession(p *player) {
	p.leaves, p.recordedUntil = w.now.Add(w.Duration(meanSession)), w.now
	p.nextProgress = w.now.Add(w.pause())
}

// pause returns the time between two records of a player's progress.
func (w *World) pause() time.Duration {
	return time.Duration((0.7 + 0.6*w.Float64()) * float64(w.Pace)).Truncate(time.Second)
}

// endSessions logs out players whose session is over.
func (w *World) endSessions() {
	w.online = slices.DeleteFunc(w.online, func(p *player) bool {
		if w.now.Before(p.leaves) {
			return false
		}
		if w.End.IsZero() && p.placed() {
			p.returns = w.now.Add(w.Duration(castBreak))
		}
		w.recordProgress(p)
		w.play(&feed.PlayerLeft{Player: p.id()})
		w.unload(p)
		return true
	})
}

// startSessions logs in as many players as the hour requires, and the cast. After an outage the first step logs in
// again who is online in the records.
func (w *World) startSessions(ctx context.Context) error {
	if again := w.online; w.outage {
		w.online, w.outage = nil, false
		for _, p := range again {
			w.logIn(p)
		}
	}
	// The number of players who should be online, besides the cast.
	want := onlineShare * (1 + daySwing) * (1 + weekSwing) * float64(len(w.players)) * bustle(w.now)
	arrivals := w.castArrivals()
	online := 0
	for _, p := range w.online {
		if !p.placed() {
			online++
		}
	}
	perHour := want/meanSession.Hours() + 2*(want-float64(online))
	for range w.happen(max(perHour, 0)) {
		if w.NewcomerEvery > 0 && !w.nextNewcomer.After(w.now) {
			w.nextNewcomer = w.nextNewcomer.Add(w.NewcomerEvery)
			w.logIn(w.newcomer())
			continue
		}
		if p := w.arrival(); p != nil && !slices.Contains(arrivals, p.uuid) {
			arrivals = append(arrivals, p.uuid)
		}
	}
	if err := w.loadSessions(ctx, arrivals); err != nil {
		return err
	}
	for _, uuid := range arrivals {
		if p := w.byUUID[uuid]; p.online() && !slices.Contains(w.online, p) {
			w.logIn(p)
		}
	}
	return nil
}

// arrival returns a player who comes online; frequent players are more likely.
func (w *World) arrival() *player {
	for range 40 {
		if p := dice.Pick(w.Dice, w.players); !p.online() && !p.idle() && w.Chance(p.eager) {
			return p
		}
	}
	return nil
}

// castArrivals returns the members of the cast who now come online as in the cast's file. A member who is online
// otherwise leaves first and comes in the next step.
func (w *World) castArrivals() (arrivals []string) {
	for _, p := range w.cast {
		switch {
		case w.now.Before(p.returns), p.placed():
		case p.online():
			p.leaves = w.now
		default:
			arrivals = append(arrivals, p.uuid)
		}
	}
	return arrivals
}

// newcomer returns a player who joins for the first time.
func (w *World) newcomer() *player {
	e := &feed.PlayerAdded{Player: feed.PlayerID(w.UUID()), At: w.now}
	e.Username = seed.Username(w.number, w.Joined, w.Dice)
	w.Joined++
	w.play(e)
	record := w.Game.Player(e.Player)
	p := w.addPlayer(string(e.Player), record)
	p.session = &session{Player: record}
	return p
}

func (w *World) logIn(p *player) {
	w.online = append(w.online, p)
	w.planSession(p)
	if slices.Contains(w.cast, p) && !w.now.Before(w.End.Add(-castTime)) {
		w.takePlace(p)
	} else {
		p.playing = w.choose(p)
		w.play(&feed.PlayerJoined{
			Player: p.id(), At: w.now, Address: w.Address(), Server: w.server(), Location: seed.Spawn(w.Dice),
			Character: characterID(p.playing),
		})
	}
}

// takePlace logs in a member of the cast at the place given in the cast's file.
func (w *World) takePlace(p *player) {
	e := &feed.PlayerJoined{Player: p.id(), At: w.now, Address: p.member.Address, Server: p.member.Server}
	p.playing = nil
	if !p.leaves.After(w.End) {
		p.leaves = w.End.Add(1)
	}
	if e.Server != "" && len(p.characters) > 0 {
		p.playing = p.characters[0]
		e.Character, e.Location = characterID(p.playing), seed.Spawn(w.Dice)
	}
	w.play(e)
	if p.member.Party != "" {
		w.play(&feed.PartyJoined{Player: p.id(), Party: p.member.Party})
	}
}

// server returns a world of the game; some have more players than others.
func (w *World) server() string {
	return w.servers[int(float64(len(w.servers))*w.Float64()*math.Sqrt(w.Float64()))]
}

// choose returns the character that a player plays: usually the highest, sometimes another or a new one.
func (w *World) choose(p *player) *model.Character {
	if len(p.characters) == 0 || p.free() && len(p.characters) < 6 && w.Chance(0.002) {
		e := &feed.CharacterAdded{
			Player: p.id(), Character: feed.CharacterID(w.UUID()), Type: dice.Pick(w.Dice, seed.Classes),
		}
		w.play(e)
		c := w.Game.Character(e.Character)
		p.characters = append(p.characters, c)
		return c
	}
	if w.Chance(0.3) {
		return dice.Pick(w.Dice, p.characters)
	}
	return slices.MaxFunc(p.characters, func(a, b *model.Character) int { return a.Level - b.Level })
}
