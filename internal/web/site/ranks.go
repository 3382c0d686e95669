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

// Direction returns the CSS class of the change: up, down, same, new or unranked.
func (m Rank) Direction() string {
	switch {
	case m.Position == nil:
		return "unranked"
	case m.Previous == nil:
		return "new"
	}
	return direction(m.Movement)
}

// Change describes the change in words.
func (m Rank) Change() string { return changeText(m.Direction(), m.Movement) }

func direction(movement *int64) string {
	switch {
	case movement == nil:
		return "new"
	case *movement > 0:
		return "up"
	case *movement < 0:
		return "down"
	}
	return "same"
}

func changeText(direction string, movement *int64) string {
	switch direction {
	case "up":
		return "▲ " + web.Number(*movement)
	case "down":
		return "▼ " + web.Number(-*movement)
	case "same":
		return "="
	}
	return direction
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
