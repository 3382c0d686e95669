package seed

import (
	"context"
	"math"
	"math/rand/v2"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/history"
	"gamedata/mongo"
)

const (
	// pastDays is how many days of history a world begins with.
	pastDays = 90
	// averageDay is how many hours a player plays at most on an average day.
	averageDay = 5
	// PastPlayers is how many players have a past. Larger worlds are for tests of load.
	PastPlayers = 5000
	// detailedDays is how many of the days have a point every ten minutes for the worlds; the others have one an hour.
	detailedDays = 7
)

// points are histories by key.
type points map[string][]mongo.HistoryPoint

// store replaces the histories in a store.
func (p points) store(ctx context.Context, store *mongo.Store, of mongo.Recorded) error {
	err := store.History.Put(ctx, of, p, history.DefaultRetention.Of(of))
	clear(p)
	return err
}

// playedDay is a day on which a player played, with the share of the present numbers that they had at its end.
type playedDay struct {
	at    time.Time
	share float64
}

// playedDays returns the last days on which a player played; none of players without a past.
func playedDays(o Options, index int, player *model.Player) (out []playedDay) {
	if index >= PastPlayers || player.FirstJoinedAt == nil || player.LastJoinedAt == nil {
		return nil
	}
	r := source(o.Seed, forHistory, uint64(index))
	often := 0.1 + 0.6*r.Float64()
	today := o.Now.Truncate(day)
	begin := today.Add(-pastDays * day)
	if player.FirstJoinedAt.After(begin) {
		begin = player.FirstJoinedAt.Truncate(day)
	}
	last := player.LastJoinedAt.Truncate(day)
	sum := 0.0
	for d := begin; !d.After(last); d = d.Add(day) {
		if d.Equal(last) || chance(r, often) {
			sum += 0.2 + 1.6*r.Float64()
			out = append(out, playedDay{d, sum})
		}
	}
	// The share earned before this window equals its share of the player's lifetime.
	first := *player.FirstJoinedAt
	before := math.Sqrt(max(0, begin.Sub(first).Hours()) / max(1, o.Now.Sub(first).Hours()))
	if p := player.Playtime; p != nil && *p > 0 {
		before = max(before, 1 - averageDay*float64(len(out)) / *p)
	}
	for i := range out {
		out[i].share = before + (1-before)*out[i].share/sum
	}
	return out
}

// addPlayer adds the past of a player that led to the present record: it grew on the days on which the player played.
func (p points) addPlayer(o Options, index int, player *model.Player) {
	now := history.OfPlayer(player)
	if len(now) == 0 {
		return
	}
	for _, d := range playedDays(o, index, player) {
		values := atShare(now, d.share)
		if player.Membership != nil && d.at.Before(player.Membership.JoinedAt.Truncate(day)) &&
			!d.at.Equal(player.LastJoinedAt.Truncate(day)) {
			delete(values, history.Contributed)
		}
		p[player.UUID] = append(p[player.UUID], mongo.HistoryPoint{At: d.at, Values: values})
	}
}

// atShare returns values that were a share of the present ones.
func atShare(now map[string]float64, share float64) map[string]float64 {
	out := make(map[string]float64, len(now))
	for metric, v := range now {
		v *= share
		if metric == history.Playtime {
			out[metric] = math.Round(100*v) / 100
		} else {
			out[metric] = math.Round(v)
		}
	}
	return out
}

// addGuild adds the past of a guild to p, and that of its rating in the running season to ratings. held is how many
// territories guilds had on the last days, today first.
func (p points) addGuild(o Options, ratings points, index, members int, held []map[string]int, g *model.Guild) {
	r := source(o.Seed, forHistory, uint64(MaxPlayers+index))
	now := history.OfGuild(g, members, held[0][g.UUID])
	today := o.Now.Truncate(day)
	begin := today.Add(-pastDays * day)
	if g.CreatedAt.After(begin) {
		begin = g.CreatedAt.Truncate(day)
	}
	days := int(today.Sub(begin)/day) + 1
	before := math.Sqrt(max(0, begin.Sub(g.CreatedAt).Hours()) / max(1, o.Now.Sub(g.CreatedAt).Hours()))
	start, _ := seasonDates(o.Now, runningSeason)
	list := make([]mongo.HistoryPoint, days)
	size := float64(members)
	for i := days - 1; i >= 0; i-- { // sizes are a random walk that ends at the present ones
		at := begin.Add(time.Duration(i) * day)
		values := atShare(now, before+(1-before)*float64(i+1)/float64(days))
		values[history.Level] = max(1, values[history.Level])
		values[history.Members], values[history.Territories] = size, float64(held[days-1-i][g.UUID])
		if _, ok := values[history.SeasonRating]; ok {
			values[history.SeasonRating] = math.Round(now[history.SeasonRating] * passed(start, o.Now, at.Add(day)))
		}
		list[i] = mongo.HistoryPoint{At: at, Values: values}
		size = max(1, size+float64(r.IntN(3)-1))
	}
	p[g.UUID] = list
	if rating, ok := history.Rating(g, runningSeason); ok {
		ratings[history.SeasonKey(runningSeason, g.UUID)] = ratingPast(r, start, o.Now, rating)
	}
}

const (
	// activityDays is how many days of the activity of guilds a world begins with.
	activityDays = 28
	// activeGuilds is how many guilds have a past activity.
	activeGuilds = 300
	// mostOnline is the share of the members who are online at the busiest time.
	mostOnline = 0.15
)

// addActivity adds how many members of a guild were online at each hour.
func (p points) addActivity(o Options, index, members int, guild string) {
	r := source(o.Seed, forHistory, uint64(3*MaxPlayers+index))
	now := o.Now.Truncate(time.Hour)
	for at := now.Add(-activityDays * day); at.Before(now) && index <= activeGuilds; at = at.Add(time.Hour) {
		online := 0.0
		for range members {
			if chance(r, mostOnline*busy(at)) {
				online++
			}
		}
		if online > 0 {
			p[guild] = append(p[guild], mongo.HistoryPoint{At: at, Values: map[string]float64{history.Online: online}})
		}
	}
}

// passed returns the share of a span that has passed at a time.
func passed(start, end, at time.Time) float64 {
	return min(1, max(0, float64(at.Sub(start))/float64(end.Sub(start))))
}

// ratingPast returns how a rating grew since the season began: more in the evenings.
func ratingPast(r *rand.Rand, start, now time.Time, rating float64) (out []mongo.HistoryPoint) {
	var gains []float64
	sum := 0.0
	for at := start.Truncate(time.Hour); !at.After(now); at = at.Add(time.Hour) {
		gain := 0.0
		if chance(r, 0.4*busy(at)) {
			gain = r.ExpFloat64()
		}
		gains, sum = append(gains, gain), sum+gain
	}
	done := 0.0
	for i, gain := range gains {
		done += gain
		out = append(out, mongo.HistoryPoint{
			At:     start.Truncate(time.Hour).Add(time.Duration(i) * time.Hour),
			Values: map[string]float64{history.SeasonRating: math.Round(rating * done / max(sum, 1e-9))},
		})
	}
	return out
}

// busy returns how much is played at a time of the day and week, against the busiest one.
func busy(at time.Time) float64 {
	hour := float64(at.Hour()) + float64(at.Minute())/60
	share := 0.575 + 0.425*math.Cos((hour-19)/24*2*math.Pi)
	if d := at.Weekday(); d != time.Saturday && d != time.Sunday {
		share *= 0.8
	}
	return share
}

// worldPast returns how many players were online on each world, of as many as there are online now.
func worldPast(o Options, online int) []mongo.HistoryPoint {
	r := source(o.Seed, forHistory, uint64(2*MaxPlayers))
	sizes := make([]float64, len(worlds))
	for i := range sizes {
		sizes[i] = 0.5 + r.Float64()
	}
	most := float64(online) / float64(len(worlds)) / max(0.2, busy(o.Now))
	var out []mongo.HistoryPoint
	detailed := o.Now.Add(-detailedDays * day).Truncate(day)
	for at := o.Now.Add(-pastDays * day).Truncate(day); !at.After(o.Now); {
		values := make(map[string]float64, len(worlds))
		for i, world := range worlds {
			// Numbers next to each other in time have much of their noise in common.
			sizes[i] = min(2, max(0.2, sizes[i]+0.1*(r.Float64()-0.5)))
			values[world] = math.Round(most * sizes[i] * busy(at))
		}
		out = append(out, mongo.HistoryPoint{At: at, Values: values})
		if at.Before(detailed) {
			at = at.Add(time.Hour)
		} else {
			at = at.Add(mongo.RecordedWorlds.Interval())
		}
	}
	return out
}
