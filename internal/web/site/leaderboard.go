package site

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"gamedata/graph"
	"gamedata/internal/web"
)

// leaderboardKinds are the kinds of leaderboards in the order shown.
var leaderboardKinds = []struct{ kind, title string }{
	{"PLAYER", "Players"},
	{"CHARACTER", "Characters"},
	{"GAMEMODE", "Characters with gamemodes"},
	{"GUILD_RECORD", "Guilds"},
	{"GUILD_RAIDS", "Guilds by raids"},
	{"GUILD_SEASON", "Guilds by season"},
}

// leaderboardGroup has the leaderboards of one kind.
type leaderboardGroup struct {
	Title  string
	Boards []boardSummary
}

// boardSummary is a leaderboard in a list.
type boardSummary struct{ Type, Kind, Title, Description string }

func showLeaderboards(c *renderContext) *graph.Error {
	var data struct {
		Leaderboards struct{ Nodes []boardSummary }
	}
	if bad := c.read(&data); bad != nil {
		return bad
	}
	var groups []leaderboardGroup
	for _, k := range leaderboardKinds {
		g := leaderboardGroup{Title: k.title}
		for _, t := range data.Leaderboards.Nodes {
			if t.Kind == k.kind {
				g.Boards = append(g.Boards, t)
			}
		}
		if len(g.Boards) > 0 {
			groups = append(groups, g)
		}
	}
	return c.show("Leaderboards",
		fmt.Sprintf("%d leaderboards of players, characters and guilds.", len(data.Leaderboards.Nodes)), groups)
}

// leaderboard is a page of a leaderboard.
type leaderboard struct {
	boardSummary
	RefreshedAt *time.Time
	Count       int64
	Entries     struct {
		PageInfo pageInfo
		Nodes    []entry
	}
	Positions []struct {
		Entry  entry
		Points []struct {
			At       time.Time
			Position float64
		}
	}
	Chart *chart `json:"-"` // of the first page
	Pages pager  `json:"-"`
	CSV   string `json:"-"`
	Group string `json:"-"` // title of its kind
}

// entry has the fields of all kinds of entries; those of other kinds are nil.
type entry struct {
	Position                          int64
	Name, UUID, Prefix, Class         *string
	Restricted                        bool
	Score, PreviousPosition, Movement *int64
	Level, Territories, Wars          *int64
	Bar                               int  `json:"-"` // the score as percentage of the highest on the page
	Own                               bool `json:"-"` // the entry that the page is around
}

// ClassName is the class of the character in lower case, empty if none is shown.
func (e entry) ClassName() string {
	if e.Class == nil {
		return ""
	}
	return strings.ToLower(*e.Class)
}

// Direction is the CSS class of the change since the previous rank.
func (e entry) Direction() string { return direction(e.Movement) }

// Change is the change since the previous rank in words.
func (e entry) Change() string { return changeText(e.Direction(), e.Movement) }

// OfGuilds reports whether the entries are guilds.
func (b *leaderboard) OfGuilds() bool { return strings.HasPrefix(b.Kind, "GUILD") }

// HasHistory reports whether previous ranks are known.
func (b *leaderboard) HasHistory() bool { return b.Kind != "GUILD_RECORD" }

// HiddenBy names the privacy settings that hide who an entry is.
func (b *leaderboard) HiddenBy() []string {
	if b.Kind == "PLAYER" {
		return []string{"main_access"}
	}
	return []string{"main_access", "character_list_access", "character_data_access"}
}

// positionsChart shows the positions of the first entries over time.
func (c *renderContext) positionsChart(b *leaderboard) *chart {
	out := &chart{
		ID: "positions-chart", Title: "Positions over time", Unit: "position, 1 is first", Rank: true,
		Empty:   "Positions are recorded once a day, and there are none of this time yet.",
		Choices: []choiceLinks{c.chooseSpan("positions")},
		CSV:     c.Link(formatParameter, "csv"), Console: c.site.consoleLink("LeaderboardPositions", c.variables),
	}
	var all []series
	for _, p := range b.Positions {
		if p.Entry.Name == nil {
			continue
		}
		s := series{Name: *p.Entry.Name, Path: web.Path("players", *cmp.Or(p.Entry.UUID, p.Entry.Name))}
		if b.OfGuilds() {
			s.Path = web.Path("guilds", s.Name)
			if p.Entry.UUID != nil {
				s.Colour = web.Colour(*p.Entry.UUID)
			}
		}
		for _, point := range p.Points {
			s.Points = append(s.Points, historyPoint{point.At, point.Position})
		}
		all = append(all, s)
	}
	out.draw(all)
	return c.addChart(out)
}

func showLeaderboard(c *renderContext) *graph.Error {
	var data struct{ Leaderboard *leaderboard }
	if bad := c.read(&data); bad != nil {
		return bad
	}
	b := data.Leaderboard
	if b == nil {
		return graph.ErrNotFound
	}
	if entries := b.Entries.Nodes; b.HasHistory() && len(entries) > 0 && entries[0].Position == 1 {
		b.Chart = c.positionsChart(b)
	}
	b.measureScores()
	around := strings.ToLower(strings.ReplaceAll(c.Value("around"), "-", ""))
	for i := range b.Entries.Nodes {
		e := &b.Entries.Nodes[i]
		e.Own = around != "" && e.UUID != nil && strings.ReplaceAll(*e.UUID, "-", "") == around
	}
	if p := b.Entries.PageInfo; p.HasPreviousPage && p.StartCursor != nil {
		b.Pages.Previous = c.Link("around", "", beforeParameter, *p.StartCursor)
	}
	if p := b.Entries.PageInfo; p.HasNextPage && p.EndCursor != nil {
		b.Pages.Next = c.Link("around", "", afterParameter, *p.EndCursor)
	}
	b.CSV = c.csvLink("leaderboard.entries.nodes", map[string]any{
		firstVariable: maxBoardFile, lastVariable: nil, "around": nil,
	})
	for _, k := range leaderboardKinds {
		if k.kind == b.Kind {
			b.Group = k.title
		}
	}
	description := fmt.Sprintf("%s %d entries", b.Description, b.Count)
	// A description is shared with links to the page, so it names no player, whom others may not see.
	if entries := b.Entries.Nodes; len(entries) > 0 && b.OfGuilds() && entries[0].Name != nil {
		description += fmt.Sprintf(", %s at rank %d", *entries[0].Name, entries[0].Position)
	} else if len(entries) > 0 && entries[0].Score != nil {
		description += ", the highest score is " + web.Number(*entries[0].Score)
	}
	c.setCanonical(web.Path("leaderboards", b.Type))
	return c.show(b.Title, description+".", b)
}

// maxBoardFile is how many entries of a leaderboard a file has at most.
const maxBoardFile = 1000

// measureScores sets the length of the bar of each score: the highest score of the page has the longest.
func (b *leaderboard) measureScores() {
	highest := int64(1)
	for _, e := range b.Entries.Nodes {
		if e.Score != nil {
			highest = max(highest, *e.Score)
		}
	}
	for i, e := range b.Entries.Nodes {
		if e.Score != nil {
			b.Entries.Nodes[i].Bar = int(max(1, *e.Score*100/highest))
		}
	}
}
