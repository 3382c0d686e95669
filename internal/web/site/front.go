package site

import (
	"slices"
	"time"
)

type frontBody struct {
	*FrontPage
	Origin    string
	Map       *territoryMap
	Captures  []MapTerritory // the latest
	Fresh     []area         // their areas
	TopGuilds []meter        // the guilds with the most territories
	Current   *Season        // the season that runs now
	Next      *Season        // else the next one
	News      []ArticleRow
}

// How many guilds, captures and articles the front page lists.
const (
	maxCaptures  = 6
	maxTopGuilds = 7
	maxFrontNews = 4
)

func showFront(c *renderContext, data *FrontPage) *errorPage {
	f := &frontBody{FrontPage: data, Origin: c.site.o.Origin}
	if data.Territories != nil {
		all := data.Territories.Nodes
		f.Captures, f.Map = all[:min(maxCaptures, len(all))], newTerritoryMap(all, mapView{})
		if f.Map != nil {
			f.Fresh = f.Map.Areas[:len(f.Captures)]
		}
		f.TopGuilds = holders(all)
		f.TopGuilds = f.TopGuilds[:min(maxTopGuilds, len(f.TopGuilds))]
	}
	if data.GuildSeasons != nil {
		f.Current, f.Next = seasonsAt(data.GuildSeasons.Nodes, c.site.o.Now())
	}
	if data.Articles != nil {
		slices.SortFunc(data.Articles.Nodes, newer)
		f.News = data.Articles.Nodes[:min(maxFrontNews, len(data.Articles.Nodes))]
	}
	return c.show("gamedata",
		"Players, guilds, items, the map and the leaderboards of a game, over GraphQL and REST.", f)
}

// seasonsAt returns the season that runs at a time, or else the next one.
func seasonsAt(all []Season, now time.Time) (current, next *Season) {
	for i := range all {
		s := &all[i]
		switch {
		case now.Before(s.StartsAt):
			if next == nil || s.StartsAt.Before(next.StartsAt) {
				next = s
			}
		case s.EndsAt == nil || now.Before(*s.EndsAt):
			current = s
		}
	}
	if current != nil {
		next = nil
	}
	return current, next
}
