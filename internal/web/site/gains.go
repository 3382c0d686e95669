package site

import (
	"math"
	"net/url"
	"slices"
	"strconv"

	"gamedata/internal/web"
)

// gainRow is how much a metric grew today, this week and this month.
type gainRow struct {
	Metric string
	Path   string // of the board, around the player or guild
	Cells  [3]string
}

// gainRows are the metrics that changed in one of the times.
func gainRows(kind, uuid string, today, week, month []Gained) (rows []gainRow) {
	for _, m := range month {
		address := url.Values{kindParameter: {kind}, metricParameter: {m.Metric}, aroundParameter: {uuid}}
		row := gainRow{Metric: m.Metric, Path: "/leaderboards/gains?" + address.Encode()}
		changed := false
		for i, list := range [...][]Gained{today, week, month} {
			row.Cells[i] = "?"
			if at := slices.IndexFunc(list, func(g Gained) bool { return g.Metric == m.Metric }); at >= 0 {
				row.Cells[i], changed = gainText(list[at].Gained), changed || list[at].Gained != 0
			}
		}
		if changed {
			rows = append(rows, row)
		}
	}
	return rows
}

// gainText writes a gain with its sign; small parts of hours with a decimal.
func gainText(v float64) string {
	switch whole := math.Trunc(v); {
	case v == 0:
		return "0"
	case math.Abs(v) < 10 && v != whole:
		return signOf(v) + strconv.FormatFloat(math.Abs(v), 'f', 1, 64)
	default:
		return signOf(v) + web.Number(int64(math.Abs(whole)))
	}
}

func signOf(v float64) string {
	if v < 0 {
		return "−"
	}
	return "+"
}

// Gains are what the player gained lately.
func (p *PlayerPage) Gains() []gainRow {
	return gainRows("PLAYER", p.Player.UUID, p.Player.Today, p.Player.ThisWeek, p.Player.ThisMonth)
}

// Gains are what the guild gained lately.
func (p *GuildPage) Gains() []gainRow {
	return gainRows("GUILD", p.Guild.UUID, p.Guild.Today, p.Guild.ThisWeek, p.Guild.ThisMonth)
}

// Weekly is what a member contributed this week; empty when it is hidden or not recorded.
func (p *GuildPage) Weekly(uuid string) string {
	for _, n := range orEmpty(p.Guild.MemberGains).Nodes {
		if n.Member.UUID == uuid {
			return gainText(n.Gain.Gained)
		}
	}
	return ""
}
