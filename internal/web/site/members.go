package site

import (
	"cmp"
	"encoding/json"
	"math"
	"net/url"
	"slices"
	"strconv"
	"time"

	"gamedata/graph"
	"gamedata/internal/tabular"
	"gamedata/internal/web"
)

// member is a row of a list of members. Gained is what the member contributed this week, nil if hidden or not recorded.
type member struct {
	MemberRow
	Gained *float64
}

func membersOf(rows []MemberRow, gains *MemberGains) []member {
	out := make([]member, len(rows))
	for i, r := range rows {
		out[i].MemberRow = r
		for _, n := range orEmpty(gains).Nodes {
			if n.Member.UUID == r.UUID {
				out[i].Gained = &n.Gain.Gained
			}
		}
	}
	return out
}

// Week returns what the member contributed this week, empty if unknown.
func (m member) Week() string {
	if m.Gained == nil {
		return ""
	}
	return shortGain(Gained{Gained: *m.Gained})
}

// Hides reports whether an access rule hides when the member plays.
func (m MemberRow) Hides() bool { return m.Online == nil || m.Wars == nil }

// Members returns the rows of the guild's first members.
func (p *GuildPage) Members() []member { return membersOf(p.Guild.Members.Nodes, p.Guild.MemberGains) }

// pageOrders are the orders that GraphQL does not have.
var pageOrders = []string{"WEEK", "ONLINE"}

// number returns what an order of the page compares. It is infinite for hidden values, which come last in both
// directions.
func (m member) number(order string, sign float64) float64 {
	switch {
	case order == "WEEK" && m.Gained != nil:
		return sign * *m.Gained
	case order == "ONLINE" && m.Online != nil && *m.Online:
		return sign
	case order == "ONLINE" && m.Online != nil:
		return 0
	}
	return math.Inf(1)
}

// memberColumns are the columns of the list and of its file. The list can be ordered by each of them.
var memberColumns = []struct {
	title, order string
	value        func(member) any
}{
	{"Name", "USERNAME", func(m member) any { return m.Username }},
	{"Rank", "RANK", func(m member) any { return web.Label(m.Rank) }},
	{"Contributed", "CONTRIBUTION", func(m member) any { return m.Contributed }},
	{"This week", "WEEK", func(m member) any { return m.Gained }},
	{"Wars", "WARS", func(m member) any { return m.Wars }},
	{"Joined", "JOINED_AT", func(m member) any { return m.JoinedAt }},
	{"Last visit", "LAST_JOINED_AT", func(m member) any { return m.LastJoinedAt }},
	{"Online", "ONLINE", func(m member) any { return m.Online }},
}

// membersBody is the list of the members of a guild.
type membersBody struct {
	*MembersPage
	Members []member
	Hiding  int // members who hide when they play
	Columns []column
}

// awayParameter is for how many days members have not been seen: one of awayChoices.
const awayParameter = "away"

var awayChoices = []string{"7", "14", "30"}

// Away returns the choices of days.
func (*membersBody) Away() []string { return awayChoices }

// valuesOfMembers orders members by contribution, the most first, unless GraphQL has the order in the address.
func valuesOfMembers(_ time.Time, given url.Values) *graph.Error {
	if given.Has(awayParameter) && !slices.Contains(awayChoices, given.Get(awayParameter)) {
		return noSuch("number of days")
	}
	if !given.Has("sort") || slices.Contains(pageOrders, given.Get("sort")) {
		given.Del("sort")
		given.Set("direction", "DESC")
	}
	return nil
}

func showMembers(c *renderContext, data *MembersPage) *errorPage {
	if !c.query.Has("sort") {
		c.setDefaults("sort", "CONTRIBUTION", "direction", "DESC")
	}
	g := data.Guild
	g.Members = orEmpty(g.Members)
	body := &membersBody{MembersPage: data, Members: membersOf(g.Members.Nodes, g.MemberGains)}
	for _, m := range body.Members {
		if m.Hides() {
			body.Hiding++
		}
	}
	if days, err := strconv.Atoi(c.Value(awayParameter)); err == nil {
		since := c.site.o.Now().AddDate(0, 0, -days)
		body.Members = slices.DeleteFunc(body.Members, func(m member) bool {
			return m.Hides() || *m.Online || m.LastJoinedAt == nil || m.LastJoinedAt.After(since)
		})
	}
	sign := 1.0
	if c.Value("direction") == "DESC" {
		sign = -1
	}
	slices.SortStableFunc(body.Members, func(a, b member) int {
		return cmp.Compare(a.number(c.Value("sort"), sign), b.number(c.Value("sort"), sign))
	})
	for _, of := range memberColumns {
		body.Columns = append(body.Columns, c.Column(of.title, "sort", of.order))
	}
	c.setCanonical(web.Path("guilds", g.Name) + "/members")
	return c.show("Members of "+g.Name, "Who is in the guild "+g.Name+", and when they last played.", body)
}

// csv returns the list as a file. What is hidden is empty.
func (b *membersBody) csv() []byte {
	names, rows := []string{}, make([][]json.RawMessage, len(b.Members))
	for _, column := range memberColumns {
		names = append(names, column.title)
		for i, m := range b.Members {
			cell, _ := json.Marshal(column.value(m)) // a text, a number, a time or nil
			rows[i] = append(rows[i], cell)
		}
	}
	return append([]byte(tabular.ByteOrderMark), tabular.WriteCSV(names, rows)...)
}
