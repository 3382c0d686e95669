package site

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/internal/web"
	"gamedata/internal/web/card"
)

// weekParameter is the ISO week that a page shows, such as 2026-W48; the running week by default.
const weekParameter = "week"

// weekStart returns the Monday of an ISO week, or false for text that is no week.
func weekStart(text string) (time.Time, bool) {
	var year, number int
	_, err := fmt.Sscanf(text, "%d-W%d", &year, &number)
	// 4 January is in the first week, and the zero time is a Monday.
	monday := time.Date(year, 1, 4, 0, 0, 0, 0, time.UTC).Truncate(7*day).AddDate(0, 0, 7*(number-1))
	return monday, err == nil && year > 0 && model.WeekName(monday) == text
}

// weekValues sets the variables for a week and the week before. The variables until and beforeUntil are the last
// seconds, to is the end.
func weekValues(now time.Time, given url.Values) *graph.Error {
	running := now.UTC().Truncate(7 * day)
	monday, ok := running, true
	if text := given.Get(weekParameter); text != "" {
		monday, ok = weekStart(text)
	}
	if !ok || monday.After(running) {
		return graph.Errorf(graph.InvalidQueryParams, "Enter a week that has begun, such as %s.", model.WeekName(running))
	}
	next := monday.Add(7 * day)
	for name, at := range map[string]time.Time{
		"from": monday, "until": next.Add(-time.Second), "to": next,
		"beforeFrom": monday.Add(-7 * day), "beforeUntil": monday.Add(-time.Second),
	} {
		given.Set(name, at.Format(time.RFC3339))
	}
	return nil
}

// weekBody is what the pages of weeks share.
type weekBody struct {
	Subject, Title link // the page of the player or guild, and the page of the week
	Days           string
	Running        bool
	Previous, Next *link  // nil if nothing is recorded, or the week has not begun
	Tiles          facts  // with the week before
	Picture        string // path of the picture

	from, to time.Time
}

// newWeek returns the week of a player or guild with the given page. It returns an error page if nothing was recorded.
func (c *renderContext) newWeek(name, path string, metrics []string, gains, before []Gained) (*weekBody, *errorPage) {
	from, _ := time.Parse(time.RFC3339, c.variable("from")) // of weekValues
	b := &weekBody{Subject: link{Text: name, Path: path}, from: from, to: from.Add(7 * day)}
	b.Title, b.Days, b.Running = b.week(from), daysText(from, &b.to), b.to.After(c.site.o.Now())
	if gains != nil && len(gains) == 0 { // null when hidden, or the store failed
		return nil, errorWith(graph.ErrNotFound, "Nothing recorded", "Nothing is recorded of "+b.Days+". Try a later week:",
			link{Path: path + "/week", Text: "The running week of " + name})
	}
	if len(before) > 0 {
		b.Previous = new(b.week(from.Add(-7 * day)))
	}
	if !b.Running {
		b.Next = new(b.week(b.to))
	}
	for _, m := range metrics {
		now, ago := gainIn(m, gains), orEmpty(gainIn(m, before))
		if now == nil || now.Gained == 0 && ago.Gained == 0 {
			continue
		}
		tile := card.Figure{Name: gainLabel(m), Value: weekText(*now)}
		if ago.Metric != "" {
			tile.Note = weekText(*ago) + " the week before"
		}
		b.Tiles = append(b.Tiles, tile)
	}
	b.Picture = strings.Replace(b.Title.Path, "?", cardSuffix+"?", 1)
	c.setCanonical(b.Title.Path)
	c.Image = c.site.o.Origin + b.Picture
	return b, nil
}

// week links to another week of the same player or guild.
func (b *weekBody) week(monday time.Time) link {
	_, number := monday.ISOWeek()
	name := model.WeekName(monday)
	return link{b.Subject.Path + "/week?" + weekParameter + "=" + name, fmt.Sprintf("Week %d", number), name, ""}
}

// weekText formats a gain; captures and losses have no sign.
func weekText(g Gained) string {
	if g.Metric == string(model.HistoryMetricCaptured) || g.Metric == string(model.HistoryMetricLost) {
		return web.Number(int64(g.Gained))
	}
	return shortGain(g)
}

// drawWeek shows the week on a picture, with the rows of a list.
func (b *weekBody) drawWeek(out *card.Card, kind string, rows []meter) {
	out.Kind, out.Title, out.Subtitle, out.Figures = kind, b.Subject.Text, b.Title.Text+", "+b.Days, b.Tiles
	for _, m := range rows {
		out.Rows = append(out.Rows, card.Figure{Name: m.Name, Value: m.Note, Bar: m.Bar})
	}
}

// guildWeekMetrics are the tiles of the week of a guild.
var guildWeekMetrics = []string{
	"CAPTURED", "LOST", "WARS", "GUILD_RAIDS", "TERRITORIES", "MEMBERS", "LEVEL", "SEASON_RATING",
}

// guildWeek is the week of a guild.
type guildWeek struct {
	*GuildWeekPage
	*weekBody
}

func showGuildWeek(c *renderContext, data *GuildWeekPage) *errorPage {
	g := data.Guild
	name := g.Name + " [" + g.Prefix + "]"
	b, bad := c.newWeek(name, web.Path("guilds", g.Name), guildWeekMetrics, g.Gains, g.Before)
	if bad != nil {
		return bad
	}
	var parts []string
	for _, t := range b.Tiles[:min(4, len(b.Tiles))] {
		parts = append(parts, strings.ToLower(t.Name)+" "+t.Value)
	}
	return c.show(b.Title.Text+" of "+name, b.Days+": "+strings.Join(parts, ", ")+".", &guildWeek{data, b})
}

// Givers returns the members who contributed most.
func (w *guildWeek) Givers() (out []meter) {
	for _, m := range orEmpty(w.Guild.Contributed).Nodes {
		if m.Gain.Gained > 0 {
			out = append(out, meter{
				Name: m.Member.Username, Path: web.Path("players", m.Member.UUID), Note: shortGain(m.Gain),
				Bar: percent(m.Gain.Gained, w.Guild.Contributed.Nodes[0].Gain.Gained),
			})
		}
	}
	return out
}

// Away returns the members who did not play in the week. The playtime of a running session may not be recorded yet.
func (w *guildWeek) Away() (out []MemberWeek) {
	for _, m := range orEmpty(w.Guild.Played).Nodes {
		at := m.Member.LastJoinedAt
		seen := at != nil && !at.Before(w.from) && at.Before(w.to) || w.Running && m.Member.Online != nil && *m.Member.Online
		if m.Gain.Gained == 0 && !seen {
			out = append(out, m)
		}
	}
	return out
}

// LeftOut returns how many members hide what they gained or when they play, or have no record of the week.
func (w *guildWeek) LeftOut() int64 {
	if w.Guild.Members == nil || w.Guild.Played == nil {
		return 0
	}
	return w.Guild.Members.TotalCount - w.Guild.Played.TotalCount
}

func (w *guildWeek) draw(out *card.Card) {
	givers := w.Givers()
	w.drawWeek(out, "Contributed most", givers[:min(5, len(givers))])
	out.Drawing, out.Colour = guildDrawing(w.Guild.UUID, w.Guild.Banner), w.Guild.Colour
}

// playerWeek is the week of a player.
type playerWeek struct {
	*PlayerWeekPage
	*weekBody
}

func showPlayerWeek(c *renderContext, data *PlayerWeekPage) *errorPage {
	p := data.Player
	b, bad := c.newWeek(p.Username, web.Path("players", p.UUID), playerMetrics, p.Gains, p.Before)
	if bad != nil {
		return bad
	}
	// The description must not depend on the viewer: shared links to the page show it.
	return c.show(b.Title.Text+" of "+p.Username, "What "+p.Username+" did: "+b.Days+".", &playerWeek{data, b})
}

// Hours returns how long the player played on each day; nil if they did not play, or it is hidden.
func (w *playerWeek) Hours() (out []meter) {
	most, hours := 0.0, map[time.Time]float64{}
	for _, d := range orEmpty(w.Player.Played).Days {
		if !d.StartedAt.Before(w.from) && d.StartedAt.Before(w.to) {
			hours[d.StartedAt.UTC()], most = d.Hours, max(most, d.Hours)
		}
	}
	for at := w.from; len(hours) > 0 && at.Before(w.to); at = at.Add(day) {
		m := meter{Name: at.Format("Monday"), Bar: percent(hours[at], most)}
		if hours[at] > 0 {
			m.Note = fmt.Sprintf("%.1f h", hours[at])
		}
		out = append(out, m)
	}
	return out
}

func (w *playerWeek) draw(out *card.Card) {
	w.drawWeek(out, "Hours played", w.Hours())
	out.Drawing, out.Colour = web.Identicon(w.Player.UUID), model.UUIDColour(w.Player.UUID)
	if w.Player.HidesStats || w.Player.HidesPresence {
		out.Note = "This player keeps their weeks private."
	}
}
