package site

import (
	"fmt"
	"math"
	"net/url"
	"time"

	"gamedata/graph"
	"gamedata/internal/web"
)

// awayDays is the number of days without a visit after which a guild's page lists a member as away.
const awayDays = 14

// awaySince is the variable for the time since which members are away; no address sets it.
const awaySince = "awaySince"

func valuesOfGuild(now time.Time, given url.Values) *graph.Error {
	given.Set(awaySince, now.UTC().Truncate(time.Hour).AddDate(0, 0, -awayDays).Format(time.RFC3339))
	return historySpan(guildMetrics)(now, given)
}

// heatMap is how many members of a guild are online at each hour of the week.
type heatMap struct {
	Days    []heatDay
	Busiest string // the hour with the most members, in words
}

// heatDay is a row of squares.
type heatDay struct {
	Y     int
	Name  string
	Hours []calendarDay
}

// Heat returns the activity of the guild; nil if it is hidden or unknown.
func (p *GuildPage) Heat() *heatMap {
	most := 0.0
	for _, h := range p.Guild.Activity {
		most = max(most, h.Members)
	}
	if most == 0 {
		return nil
	}
	out := &heatMap{}
	for _, h := range p.Guild.Activity {
		name := web.Label(h.Weekday)
		if h.Hour == 0 {
			out.Days = append(out.Days, heatDay{Y: len(out.Days), Name: name[:3]})
		}
		day := &out.Days[len(out.Days)-1]
		text := fmt.Sprintf("%s, %02d:00 UTC: %s online", name, h.Hour, amount(h.Members))
		day.Hours = append(day.Hours, calendarDay{
			X: int(h.Hour), Y: day.Y, Level: int(math.Ceil(4 * (h.Members / most))), Text: text,
		})
		if h.Members == most && out.Busiest == "" {
			out.Busiest = fmt.Sprintf("%s at %02d:00 UTC, with %s online on average", name, h.Hour,
				amount(most))
		}
	}
	return out
}

// MoreAway returns how many away members the list leaves out.
func (p *GuildPage) MoreAway() int64 { return p.Guild.Away.TotalCount - int64(len(p.Guild.Away.Nodes)) }

// AwayDays returns awayDays.
func (*GuildPage) AwayDays() int { return awayDays }
