package site

import (
	"cmp"
	"fmt"
	"math"
	"net/url"
	"slices"

	"gamedata/internal/web"
)

// Title returns the title of the leaderboard, derived from its type if the leaderboard no longer exists.
func (m Rank) Title() string {
	if m.Leaderboard == nil {
		return web.Label(m.Type)
	}
	return m.Leaderboard.Title
}

// Shift returns the change since the previous rank.
func (m Rank) Shift() shift {
	if m.Position == nil {
		return shift{"unranked", "unranked"}
	}
	return shiftOf(m.Movement)
}

// shift is the CSS class of a change, and the change in words.
type shift struct{ Direction, Change string }

// shiftOf describes how many positions an entry climbed; nil if it is new.
func shiftOf(movement *int64) shift {
	switch {
	case movement == nil:
		return shift{"new", "new"}
	case *movement > 0:
		return shift{"up", "▲ " + web.Number(*movement)}
	case *movement < 0:
		return shift{"down", "▼ " + web.Number(-*movement)}
	}
	return shift{"same", "="}
}

// Share returns the part of the leaderboard that the rank belongs to, such as "top 3 %"; empty in the lower half.
func (m Rank) Share() string {
	if m.Position == nil || m.Leaderboard == nil || 2**m.Position > m.Leaderboard.EntryCount {
		return ""
	}
	return fmt.Sprintf("top %d %%", (100**m.Position+m.Leaderboard.EntryCount-1)/m.Leaderboard.EntryCount)
}

// best returns the current rank, else the previous one, else math.MaxInt64.
func (m Rank) best() int64 {
	switch {
	case m.Position != nil:
		return *m.Position
	case m.Previous != nil:
		return *m.Previous
	}
	return math.MaxInt64
}

// rankTable lists ranks, the best first.
type rankTable struct {
	Top, Rest []rankRow
}

// rankRow is a rank with the path of the leaderboard around it.
type rankRow struct {
	Rank
	Path string
}

// shownRanks is how many ranks the table shows at first.
const shownRanks = 12

// newRankTable sorts the ranks of a player or guild.
func newRankTable(uuid string, list []Rank) rankTable {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b Rank) int {
		return cmp.Or(cmp.Compare(a.best(), b.best()), cmp.Compare(a.Type, b.Type))
	})
	rows := make([]rankRow, len(list))
	for i, m := range list {
		path := web.Path("leaderboards", m.Type)
		if m.Position != nil {
			path += "?around=" + url.QueryEscape(uuid)
		}
		rows[i] = rankRow{m, path}
	}
	shown := min(shownRanks, len(rows))
	return rankTable{rows[:shown], rows[shown:]}
}
