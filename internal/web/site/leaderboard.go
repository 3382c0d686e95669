package site

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"gamedata/graph/model"
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

// combinedModes are the boards of several gamemodes, by the letters of the gamemodes. The list shows them as one entry;
// their pages link to each other.
var combinedModes = []string{"HUIC", "HUICH", "HIC", "HICH"}

// modesText spells out combinedModes.
var modesText = strings.NewReplacer("UI", "ultimate ironman ", "I", "ironman ", "CH", "craftsman hunted",
	"C", "craftsman", "H", "Hardcore ")

// filterParameter selects leaderboards by words.
const filterParameter = "filter"

type leaderboardList struct {
	Groups []leaderboardGroup
	// Raids are the raids that have their own boards.
	Raids []leaderboardGroup
}

type leaderboardGroup struct {
	Title  string
	Boards []boardRow
}

// boardRow is a leaderboard in the list, with its title within its group.
type boardRow struct {
	ListedBoard
	Text string
}

func showLeaderboards(c *renderContext, data *LeaderboardsPage) *errorPage {
	all := data.Leaderboards.Nodes
	var list leaderboardList
	add := func(to *[]leaderboardGroup, title string, row boardRow) {
		at := slices.IndexFunc(*to, func(g leaderboardGroup) bool { return g.Title == title })
		if at < 0 {
			at = len(*to)
			*to = append(*to, leaderboardGroup{Title: title})
		}
		(*to)[at].Boards = append((*to)[at].Boards, row)
	}
	words := strings.Fields(strings.ToLower(c.Value(filterParameter)))
	for _, k := range leaderboardKinds {
		for _, b := range all {
			text := strings.ToLower(b.Title + " " + b.Description)
			missing := func(word string) bool { return !strings.Contains(text, word) }
			if b.Kind != k.kind || slices.ContainsFunc(words, missing) {
				continue
			}
			raid, measure, ofRaid := strings.Cut(b.Title, ": ")
			switch at := slices.Index(combinedModes, b.Mode()); {
			case at == 0:
				add(&list.Groups, k.title, boardRow{b, "Several gamemodes together"})
			case at > 0 && len(words) == 0:
			case ofRaid && (k.kind == "PLAYER" || k.kind == "GUILD_RAIDS"):
				add(&list.Raids, raid, boardRow{b, web.Label(measure)})
			default:
				add(&list.Groups, k.title, boardRow{b, b.Title})
			}
		}
	}
	return c.show("Leaderboards", fmt.Sprintf("%d leaderboards of players, characters and guilds.", len(all)), list)
}

// icons maps types and kinds of items to icons, and prefixes of leaderboard types, the longer ones first.
var icons = sync.OnceValue(func() (out struct {
	Items  map[string]string
	Boards []struct{ Prefix, Icon string }
},
) {
	text, err := files.ReadFile("icons.json")
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		panic(err) // the file is part of the program
	}
	return out
})

// Icon returns the name of the leaderboard's icon.
func (b BoardSummary) Icon() string {
	for _, i := range icons().Boards {
		if strings.HasPrefix(b.Type, i.Prefix) {
			return i.Icon
		}
	}
	if b.Kind == "GAMEMODE" {
		return "shield"
	}
	return "trophy"
}

// CharacterPath returns the path of the character's page, empty if no character is shown.
func (e Entry) CharacterPath() string {
	if e.UUID == nil || e.CharacterUUID == nil {
		return ""
	}
	return CharacterRow{UUID: *e.CharacterUUID}.PathOf(*e.UUID)
}

// Colour is the colour of the guild, empty if none is shown.
func (e Entry) Colour() string { return colourOf(e.Guild, e.UUID) }

// Colour is the colour of the guild, empty if none is shown.
func (l Leader) Colour() string { return colourOf(l.Guild, l.UUID) }

// Shift returns the change since the previous rank.
func (e Entry) Shift() shift { return shiftOf(e.Movement) }

// Group returns the title of the leaderboard's kind.
func (b BoardSummary) Group() string {
	for _, k := range leaderboardKinds {
		if k.kind == b.Kind {
			return k.title
		}
	}
	return ""
}

// OfGuilds reports whether the entries are guilds.
func (b BoardSummary) OfGuilds() bool { return strings.HasPrefix(b.Kind, "GUILD") }

// positionsChart draws the positions of the first entries over time.
func (c *renderContext) positionsChart(data *LeaderboardPage) {
	var all []series
	for _, p := range data.Leaderboard.Positions {
		if p.Entry.Name == nil {
			continue
		}
		s := series{Name: *p.Entry.Name, Path: web.Path("players", *cmp.Or(p.Entry.UUID, p.Entry.Name))}
		if data.Leaderboard.OfGuilds() {
			s.Path = web.Path("guilds", s.Name)
			s.Colour = colourOf(p.Entry.Guild, p.Entry.UUID)
		}
		for _, point := range p.Points {
			s.Points = append(s.Points, model.HistoryPoint{At: point.At, Value: float64(point.Position)})
		}
		if len(s.Points) > 0 {
			s.Points = untilNow(s.Points, c.site.o.Now(), day, float64(p.Entry.Position))
		}
		all = append(all, s)
	}
	c.addChart(&chart{
		ID: "positions-chart", Title: "Positions of the first 10 over time", Unit: "position, 1 is first",
		Rank: true, Interval: day, From: c.from(),
		Empty:   "Positions are recorded once a day, and there are none of this time yet.",
		Choices: []choiceLinks{c.chooseSpan(boardSpans, "positions-chart")},
		Console: c.site.consoleLink("LeaderboardPositions", c.variables),
	}, all)
}

func showLeaderboard(c *renderContext, data *LeaderboardPage) *errorPage {
	b := data.Leaderboard
	b.Entries = orEmpty(b.Entries)
	entries := b.Entries.Nodes
	if b.Kind != "GUILD_RECORD" && len(entries) > 0 && entries[0].Position == 1 {
		c.positionsChart(data)
	}
	description := fmt.Sprintf("%s %d entries", b.Description, b.EntryCount)
	// The description is shared with links to the page, so it names no player: others may not be allowed to see them.
	if len(entries) > 0 && b.OfGuilds() && entries[0].Name != nil {
		description += fmt.Sprintf(", %s at rank %d", *entries[0].Name, entries[0].Position)
	} else if len(entries) > 0 {
		description += ", the highest score is " + web.Number(entries[0].Score)
	}
	c.setCanonical(web.Path("leaderboards", b.Type))
	return c.show(b.Title, description+".", data)
}

// Mode returns the gamemodes of the leaderboard's type in upper case, such as HUIC.
func (b BoardSummary) Mode() string { return strings.ToUpper(strings.TrimSuffix(b.Type, "Content")) }

// Modes links to the boards of several gamemodes, if the page shows one of them.
func (p *LeaderboardPage) Modes() []choiceLinks {
	mode := p.Leaderboard.Mode()
	if !slices.Contains(combinedModes, mode) {
		return nil
	}
	out := choiceLinks{Label: "Gamemodes"}
	for _, m := range combinedModes {
		path := web.Path("leaderboards", strings.ToLower(m)+"Content")
		out.Links = append(out.Links, choiceLink{modesText.Replace(m), path, m == mode})
	}
	return []choiceLinks{out}
}

// Bar returns the score as a percentage of the highest on the page.
func (p *LeaderboardPage) Bar(e Entry) int {
	return percent(float64(e.Score), float64(p.Leaderboard.Entries.Nodes[0].Score))
}

// percent returns a value as a percentage of the highest in a list; at least 1 unless it is zero.
func percent(value, highest float64) int {
	if value <= 0 || highest <= 0 {
		return 0
	}
	return int(max(1, 100*value/highest))
}

// Own reports whether the page is around an entry, by its uuid.
func (c *renderContext) Own(entry *string) bool {
	own, ok := model.ParseUUID(c.Value(aroundParameter))
	return ok && textOf(entry) == own
}
