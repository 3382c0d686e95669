package site

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"gamedata/graph"
)

// front is the front page.
type front struct {
	frontData
	Origin     string
	Held, Free int
	// Most are the guilds that hold the most territories.
	Most     []holder
	Running  *season // the season that runs now
	Next     *season // else the next one
	News     *article
	Examples []example
}

type frontData struct {
	OnlinePlayers *struct{ Total int64 }
	Territories   *struct{ List []territory }
	GuildSeasons  []season
	Articles      *struct{ Results []article }
}

type season struct {
	Number   int64
	InitDate time.Time
	EndDate  *time.Time
}

type article struct {
	Title, Type, Recap string
	PublishedAt        time.Time
}

// example is a command to copy.
type example struct{ Title, Text string }

// mostHolders is how many guilds the front page names.
const mostHolders = 3

func showFront(a *asked) *graph.Error {
	f := front{Origin: a.site.o.Origin}
	if bad := a.read(&f.frontData); bad != nil {
		return bad
	}
	if f.Territories != nil {
		all := holders(f.Territories.List)
		for _, h := range all {
			f.Held += h.Count
		}
		f.Free = len(f.Territories.List) - f.Held
		f.Most = all[:min(mostHolders, len(all))]
	}
	f.Running, f.Next = seasonsAt(f.GuildSeasons, a.site.o.Now())
	if f.Articles != nil && len(f.Articles.Results) > 0 {
		f.News = &f.Articles.Results[0]
		for i := range f.Articles.Results {
			if one := &f.Articles.Results[i]; one.PublishedAt.After(f.News.PublishedAt) {
				f.News = one
			}
		}
	}
	f.Examples = examples(f.Origin, f.Most)
	a.Title = "gamedata"
	a.Description = "Players, guilds, items, the map and the leaderboards of a game, by GraphQL and by REST."
	a.Body = f
	return nil
}

// seasonsAt are the season that runs at a moment, and the next one when none does.
func seasonsAt(all []season, now time.Time) (running, next *season) {
	for i := range all {
		s := &all[i]
		switch {
		case now.Before(s.InitDate):
			if next == nil || s.InitDate.Before(next.InitDate) {
				next = s
			}
		case s.EndDate == nil || now.Before(*s.EndDate):
			running = s
		}
	}
	if running != nil {
		next = nil
	}
	return running, next
}

// examples are commands that work as they stand: about the guild that holds the most, when
// there is one.
func examples(origin string, most []holder) []example {
	rest, query := "/v3/player", `{ onlinePlayers { total players { username server } } }`
	if len(most) > 0 {
		name := most[0].Name
		rest = "/v3" + strings.Replace(path("guilds", name), "/guilds/", "/guild/", 1)
		query = `{ guild(name: ` + strconv.Quote(name) + `) { level online heldTerritories { name } } }`
	}
	body, err := json.Marshal(map[string]string{"query": query})
	if err != nil { // a text always marshals
		body = []byte("{}")
	}
	return []example{
		{"REST", "curl " + quoted(origin+rest)},
		{"As a table", "curl " + quoted(origin+"/v3/leaderboards/totalGlobalLevel") + " -H 'Accept: text/csv'"},
		{"GraphQL", "curl " + quoted(origin+"/graphql") + " -H 'Content-Type: application/json' \\\n  -d " +
			quoted(string(body))},
	}
}

// quoted is one word of a shell.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
