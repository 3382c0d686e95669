package demo_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/demo/seed"
	"gamedata/internal/demo/simulator"
	"gamedata/internal/history"
	"gamedata/internal/jobs"
	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

const day = 24 * time.Hour

// finished is a finished world, with all that the properties are about.
type finished struct {
	*testing.T
	store      *mongo.Store
	begin, now time.Time
	players    []*model.Player
	characters [][]*model.Character
	guilds     []*model.Guild
	land       []*model.Territory
	seasons    []*model.GuildSeason
	captures   []*model.Capture
	moves      map[string][]*model.Event // about members, by guild, newest first
	held       map[string]int            // now, by guild
	members    map[string]int
	owners     map[string]int
}

func finish(t *testing.T, o seed.Options) *finished {
	t.Helper()
	store, ctx := create(t, o), t.Context()
	started := o.Now.Add(time.Duration(o.Seed%2) * day) // some services start a day later
	for _, job := range []func() (jobs.Report, error){
		func() (jobs.Report, error) { return jobs.Refresh(ctx, store, started, jobs.Options{}) },
		func() (jobs.Report, error) { return jobs.History(ctx, store, started, jobs.Options{}) },
	} {
		if _, err := job(); err != nil {
			t.Fatal(err)
		}
	}
	w := &finished{
		T: t, store: store, begin: o.Now.Add(-time.Duration(o.Days) * day), now: o.Now, moves: map[string][]*model.Event{},
		members: map[string]int{}, owners: map[string]int{},
	}
	read := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	var err error
	uuids := func(of mongo.Ranked) []string {
		list, err := store.Scores.UUIDsAfter(ctx, of, "", 10_000)
		read(err)
		return list
	}
	w.players, err = store.Players.ByID(ctx, uuids(mongo.RankedPlayers))
	read(err)
	w.characters, err = store.Characters.ByOwner(ctx, uuids(mongo.RankedPlayers))
	read(err)
	w.guilds, err = store.Guilds.ByID(ctx, uuids(mongo.RankedGuilds))
	read(err)
	w.land, err = store.Territories.All(ctx)
	read(err)
	w.seasons, err = mongo.Seasons.Read(ctx, store)
	read(err)
	w.held = model.TerritoryCounts(w.land)
	var names []string
	for _, place := range w.land {
		names = append(names, place.Name)
	}
	pages, err := store.Captures.Pages(ctx, mongo.CaptureList{}, names, mongo.PageQuery{Limit: 10_000})
	read(err)
	for _, page := range pages {
		w.captures = append(w.captures, page.Captures...)
	}
	slices.SortFunc(w.captures, func(a, b *model.Capture) int { return b.At.Compare(a.At) })
	for _, p := range w.players {
		if p.Guild != nil {
			w.members[p.Guild.UUID]++
			if *p.Guild.Rank == "OWNER" {
				w.owners[p.Guild.UUID]++
			}
		}
	}
	for _, g := range w.guilds {
		lists, err := store.Events.About(ctx, []model.EventType{model.EventGuildMemberJoined, model.EventGuildMemberLeft},
			mongo.EventSpan{}, []string{g.UUID})
		read(err)
		w.moves[g.UUID] = lists[0]
	}
	return w
}

func (w *finished) history(what mongo.Recorded, key string) []mongo.HistoryPoint {
	w.Helper()
	found, err := w.store.History.Of(w.Context(), what, mongo.HistorySpan{Key: key, From: w.begin.Add(-day), To: w.now})
	if err != nil {
		w.Fatal(err)
	}
	return found[0]
}

// The past leads to the present, and what is derived of it is what it says: five worlds.
func TestThePastCannotContradictItself(t *testing.T) {
	if testing.Short() {
		t.Skip("make race leaves out the longest tests")
	}
	for number := range uint64(5) {
		t.Run(fmt.Sprint(number), func(t *testing.T) {
			t.Parallel()
			o := seed.Options{Players: 150, Days: 24, Seed: number, Now: now.Add(time.Duration(number) * 310 * time.Minute)}
			w := finish(t, o)
			w.checkPlayers()
			w.checkGuilds()
			w.checkRatings()
			w.checkBoards()
			if len(w.captures) < 200 || len(w.players) != o.Players {
				t.Errorf("%d captures, %d players", len(w.captures), len(w.players))
			}
		})
	}
}

// grows checks that a history ends with values, and that no value of some metrics falls.
func (w *finished) grows(name string, points []mongo.HistoryPoint, last map[string]float64, metrics []string) {
	w.Helper()
	if len(points) == 0 || !maps.Equal(points[len(points)-1].Values, last) {
		w.Errorf("%s: the history of %d points does not end with %v", name, len(points), last)
		return
	}
	for i := range points[1:] {
		for _, metric := range metrics {
			before, found := points[i].Values[metric]
			if after := points[i+1].Values[metric]; found && after < before {
				w.Errorf("%s: %s falls from %v to %v on %s", name, metric, before, after, points[i+1].At)
			}
		}
	}
}

func (w *finished) checkPlayers() {
	played, levelled := 0, 0
	for i, p := range w.players {
		metrics := slices.Clone(history.PlayerMetrics)
		if p.Membership == nil || p.Membership.JoinedAt.After(w.begin) {
			metrics = slices.DeleteFunc(metrics, func(m string) bool { return m == history.Contributed })
		}
		points := w.history(mongo.RecordedPlayer, p.UUID)
		want := history.OfPlayer(p)
		if last := len(points) - 1; last >= 0 && want[history.Contributed] == 0 && p.Guild == nil {
			delete(points[last].Values, history.Contributed) // what they gave to their last guild
		}
		w.grows(p.Username, points, want, metrics)
		if len(points) > 1 {
			played++
		}
		w.checkVisits(p, points)
		for _, counter := range model.PlayerCounters {
			var sum int64
			for _, c := range w.characters[i] {
				if counter.Number != nil {
					sum += counter.NumberOf(c)
				}
			}
			if counter.Number != nil && sum != *counter.Number(p.Totals) {
				w.Errorf("%s: %s is %d, %d of the characters", p.Username, counter.Name, *counter.Number(p.Totals), sum)
			}
		}
		for _, c := range w.characters[i] {
			levelled += w.checkLevels(c)
		}
	}
	if played < len(w.players)/3 || levelled == 0 {
		w.Errorf("%d of %d players played, %d levels", played, len(w.players), levelled)
	}
}

// checkVisits checks that what a player did, as of a history, fits to when they were online.
func (w *finished) checkVisits(p *model.Player, points []mongo.HistoryPoint) {
	w.Helper()
	last, week, name := *p.LastJoinedAt, w.now.Truncate(seed.Week), p.Username
	// before returns the values at the end of the day before a time.
	before := func(at time.Time) map[string]float64 {
		for _, point := range slices.Backward(points) {
			if point.At.Before(at.Truncate(day)) {
				return point.Values
			}
		}
		return map[string]float64{}
	}
	const longest = 12 * time.Hour // of visits
	session, played := w.now.Sub(last).Hours(), *p.Playtime-before(last)[history.Playtime]
	switch {
	case last.Before(*p.FirstJoinedAt):
		w.Errorf("%s joined first at %s, last at %s", name, p.FirstJoinedAt, last)
	case p.World != nil && played < session-0.02:
		w.Errorf("%s is online for %.2f h, played %.2f h since the day before", name, session, played)
	case *p.Playtime > w.now.Sub(*p.FirstJoinedAt).Hours():
		w.Errorf("%s played %.2f h since %s", name, *p.Playtime, p.FirstJoinedAt)
	case p.Weekly.Completed && last.Before(week), p.Weekly.Streak > 0 && last.Before(week.Add(-seed.Week)):
		w.Errorf("%s was there last at %s: %+v", name, last, p.Weekly)
	case p.Membership != nil && (p.Membership.JoinedAt.Before(*p.FirstJoinedAt) ||
		!p.Online && p.Membership.JoinedAt.After(last.Add(longest))):
		w.Errorf("%s joined %s at %s, was there last at %s", name, p.Guild.Name, p.Membership.JoinedAt, last)
	case p.Totals.GuildRaids != nil && p.Totals.GuildRaids.Total > p.Totals.Raids.Total:
		w.Errorf("%s has %d raids, %d with guilds", name, p.Totals.Raids.Total, p.Totals.GuildRaids.Total)
	case !p.Online && last.Before(week.Add(-longest)) && before(week)[history.Playtime] != *p.Playtime:
		w.Errorf("%s gained this week, was there last at %s", name, last)
	}
}

// checkLevels checks that the levels of a character in the log lead to the present one.
func (w *finished) checkLevels(c *model.Character) int {
	lists, err := w.store.Events.About(w.Context(), []model.EventType{model.EventCharacterLevelChanged},
		mongo.EventSpan{}, []string{c.UUID})
	if err != nil {
		w.Fatal(err)
	}
	next := c.Level
	for _, e := range lists[0] {
		d := e.Data.(*model.CharacterLevelChanged)
		if d.To != next || d.From >= d.To {
			w.Errorf("character %s went from %d to %d, then it had %d", c.UUID, d.From, d.To, next)
		}
		next = d.From
	}
	return len(lists[0])
}

// checkGuilds checks the histories of guilds against captures and the log of their members, back in time.
func (w *finished) checkGuilds() {
	rates := map[string][2]float64{} // of a metric a day, of all guilds: before the past and in it
	for _, g := range w.guilds {
		if owners := w.owners[g.UUID]; owners != 1 {
			w.Errorf("%s has %d owners", g.Name, owners)
		}
		points := w.history(mongo.RecordedGuild, g.UUID)
		age := w.begin.Sub(g.CreatedAt).Hours() / 24
		for _, metric := range []string{history.GuildRaids, history.Wars} {
			first, last := points[0].Values[metric], points[len(points)-1].Values[metric]
			r := rates[metric]
			rates[metric] = [2]float64{r[0] + first/age, r[1] + (last-first)/w.now.Sub(w.begin).Hours()*24}
		}
		w.grows(g.Name, points, history.OfGuild(g, w.members[g.UUID], w.held[g.UUID]),
			[]string{history.Level, history.Wars, history.GuildRaids})
		values := map[time.Time]map[string]float64{}
		for _, p := range points {
			values[p.At] = p.Values
		}
		members, held, moves, captures := w.members[g.UUID], w.held[g.UUID], w.moves[g.UUID], w.captures
		won := points[len(points)-1].Values[history.Wars]
		for at := w.now.Truncate(day); at.After(w.begin); at = at.Add(-day) {
			for ; len(moves) > 0 && !moves[0].At.Before(at.Add(day)); moves = moves[1:] {
				if moves[0].Type() == model.EventGuildMemberLeft {
					members++
				} else {
					members--
				}
			}
			for ; len(captures) > 0 && !captures[0].At.Before(at.Add(day)); captures = captures[1:] {
				held += change(captures[0], g.UUID)
				if captures[0].To.UUID == g.UUID && g.Wars != nil {
					won--
				}
			}
			if v := values[at]; v != nil && (v[history.Members] != float64(members) ||
				v[history.Territories] != float64(held) || v[history.Wars] != won) {
				w.Errorf("%s on %s: %v, but the log says %d members, %d territories and %.0f wars", g.Name,
					at.Format(time.DateOnly), v, members, held, won)
			}
		}
	}
	for _, t := range w.land {
		if want := seed.Treasury(w.now.Sub(*t.AcquiredAt)); t.Guild.UUID != nil && t.Treasury != want {
			w.Errorf("%s has treasury %s, want %s", t.Name, t.Treasury, want)
		}
	}
	for metric, r := range rates {
		if r[0] < 0.4*r[1] || r[0] > 2.5*r[1] {
			w.Errorf("%s: %.1f a day before the past, %.1f in it", metric, r[0], r[1])
		}
	}
}

// change returns how many territories more a guild had before a capture.
func change(c *model.Capture, guild string) (n int) {
	if c.From != nil && c.From.UUID == guild {
		n++
	}
	if c.To != nil && c.To.UUID == guild {
		n--
	}
	return n
}

// checkRatings checks that ratings of a season that began in the past follow from its rule: each war won is a capture,
// and holding territories counts at each hour.
func (w *finished) checkRatings() {
	s := model.RunningSeason(w.seasons, w.now)
	if s == nil || s.StartsAt.Before(w.begin) {
		w.Fatal("no season began in the past")
	}
	held, ratings, captures := maps.Clone(w.held), map[string]int64{}, w.captures
	for at := w.now.Truncate(time.Hour); !at.Before(s.StartsAt); at = at.Add(-time.Hour) {
		for ; captures[0].At.After(at); captures = captures[1:] {
			if from := captures[0].From; from != nil {
				held[from.UUID]++
			}
			held[captures[0].To.UUID]--
			ratings[captures[0].To.UUID] += int64(s.SrPerWar)
		}
		for guild, n := range held {
			ratings[guild] += int64(n * s.TerritoryHoldingSrPerHour)
		}
	}
	for ; !captures[0].At.Before(s.StartsAt); captures = captures[1:] { // when the season began
		ratings[captures[0].To.UUID] += int64(s.SrPerWar)
	}
	for _, g := range w.guilds {
		for _, r := range g.SeasonResults {
			at := slices.IndexFunc(w.seasons, func(s *model.GuildSeason) bool { return s.Number == r.SeasonNumber })
			if at < 0 || w.seasons[at].EndsAt.After(w.begin) {
				continue
			}
			from := slices.MaxFunc([]time.Time{w.seasons[at].StartsAt, g.CreatedAt}, time.Time.Compare)
			perHour := int64(r.FinalTerritories * w.seasons[at].TerritoryHoldingSrPerHour)
			if least := int64(w.seasons[at].EndsAt.Sub(from).Hours()) * perHour; r.Rating < least {
				w.Errorf("%s: %d in season %d, want at least %d", g.Name, r.Rating, r.SeasonNumber, least)
			}
		}
		got, _ := history.Rating(g, s.Number)
		if want := ratings[g.UUID]; int64(got) != want {
			w.Errorf("%s has a rating of %v, the rule gives %d", g.Name, got, want)
		}
		hours := w.history(mongo.RecordedSeason, history.SeasonKey(s.Number, g.UUID))
		w.grows(g.Name, hours, map[string]float64{history.SeasonRating: got}, []string{history.SeasonRating})
		days := map[time.Time]float64{} // the last hour of each
		for _, p := range hours {
			days[p.At.Truncate(day)] = p.Values[history.SeasonRating]
		}
		for _, p := range w.history(mongo.RecordedGuild, g.UUID) {
			if of, ok := days[p.At]; ok && of != p.Values[history.SeasonRating] {
				w.Errorf("%s on %s: a rating of %v by the day, %v by the hour", g.Name, p.At, p.Values[history.SeasonRating], of)
			}
		}
	}
}

// checkBoards checks that leaderboards were recorded on several days, and that no score falls.
func (w *finished) checkBoards() {
	for _, b := range leaderboard.NewCatalogue(leaderboard.Fixed(model.KnownRaids), w.seasons, w.now).All {
		if b.Computed() || !b.Changes(w.now) {
			continue
		}
		tops, err := w.store.Boards.Tops(w.Context(), mongo.BoardDays(b.Name, w.begin, w.now))
		if err != nil {
			w.Fatal(err)
		}
		scores, days := map[string]int64{}, 0
		for _, top := range tops {
			if top == nil {
				continue
			}
			entries, err := leaderboard.UnpackTop(top.Entries)
			if err != nil {
				w.Fatal(err)
			}
			days++
			for _, k := range entries {
				of := k.UUID() + k.Character()
				if k.MetaScore() < scores[of] {
					w.Errorf("%s: %s falls from %d to %d on %s", b.Name, of, scores[of], k.MetaScore(), top.Day)
				}
				scores[of] = k.MetaScore()
			}
		}
		if len(scores) > 0 && days < 2 {
			w.Errorf("%s was recorded on %d days", b.Name, days)
		}
	}
}

// A world is alive, and goes on as it was: a Friday evening, and the first hour after the past.
func TestTheWorldGoesOn(t *testing.T) {
	if testing.Short() {
		t.Skip("make race leaves out the longest tests")
	}
	t.Parallel()
	end := time.Date(2026, 11, 20, 20, 0, 0, 0, time.UTC)
	w := finish(t, seed.Options{Players: 2000, Days: 1, Seed: 2, Now: end})
	last, evening, taken := end, 0, map[string]bool{}
	for _, c := range w.captures {
		at := c.TerritoryName + c.At.String()
		if taken[at] {
			t.Errorf("%s is captured twice at %s", c.TerritoryName, c.At)
		}
		taken[at] = true
		if pause := last.Sub(c.At); pause > 10*time.Minute {
			t.Errorf("no capture in %s until %s", pause, last)
		}
		if last = c.At; end.Sub(c.At) < 2*time.Hour {
			evening++
		}
	}
	if evening < 100 || evening > 300 {
		t.Errorf("%d captures in two hours of the evening", evening)
	}
	before, points := 0.0, w.history(mongo.RecordedWorlds, history.AllWorlds)
	for _, p := range points[len(points)-6:] {
		for _, n := range p.Values {
			before += n / 6
		}
	}
	play, err := simulator.Load(t.Context(), w.store, simulator.Options{Seed: 1, Start: end, Players: 2000})
	if err != nil {
		t.Fatal(err)
	}
	after := 0.0
	for range 60 {
		after += float64(len(play.Online())) / 60
		if _, err := play.Step(t.Context(), time.Minute); err != nil {
			t.Fatal(err)
		}
	}
	if math.Abs(after-before) > 0.15*before || before < 60 {
		t.Errorf("%.1f players online in the last hour, %.1f in the next", before, after)
	}
	w.checkCast()
}

// checkCast checks that the members of the cast show what they are for.
func (w *finished) checkCast() {
	players := map[string]*model.Player{}
	characters := map[string][]*model.Character{}
	for i, p := range w.players {
		players[p.UUID], characters[p.UUID] = p, w.characters[i]
	}
	gained := 0
	plain := seed.Options{Players: 60, Seed: 2, Now: w.begin}
	for first, cs := range seed.New(plain).Players() {
		at := slices.IndexFunc(seed.Cast, func(m seed.Member) bool { return m.UUID == first.UUID })
		if at < 0 {
			break
		}
		m, p := seed.Cast[at], players[first.UUID]
		if p.Banned != m.Banned || p.Rules != first.Rules ||
			m.Address != "" && (!p.Online || p.Address != m.Address) ||
			p.Party != first.Party && first.Party != "" || len(characters[p.UUID]) != len(cs) {
			w.Errorf("%s: %+v", m.Username, p)
		}
		if (p.Guild == nil) != (first.Guild == nil) || p.Guild != nil && *p.Guild.Rank != *first.Guild.Rank {
			w.Errorf("%s is in %v", m.Username, p.Guild)
		}
		if m.Server != "" && (p.World == nil || *p.World != m.Server) {
			w.Errorf("%s is on %v", m.Username, p.World)
		}
		if *p.Playtime > *first.Playtime {
			gained++
		}
		if m.Idle && *p.Playtime != *first.Playtime {
			w.Errorf("%s played", m.Username)
		}
	}
	if gained < 5 {
		w.Errorf("%d of the cast played", gained)
	}
}
