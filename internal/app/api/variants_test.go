package api

import (
	"testing"

	"gamedata/internal/app/apptest"
)

// Values of several forms have a type for each, with its value.
func TestVariants(t *testing.T) {
	t.Parallel()
	const query = `{
		player(by: {username: "Salted"}) {
			featuredStats { __typename ... on FeaturedNumber { number } ... on FeaturedText { text } }
		}
		guildSeasons { nodes { ratingRewards { ...Reward } leaderboardRewards { ...Reward } } }
		worldEvents(first: 100) { nodes { requirements {
			__typename ... on LevelRequirement { level } ... on QuestRequirement { quest }
		} } }
		items(filter: {types: [INGREDIENT]}, first: 100) { nodes { droppedBy { spot { x } spots { x } fixedPlace } } }
	}
	fragment Reward on SeasonReward {
		__typename ... on SeasonAmountReward { amount } ... on SeasonItemReward { name }
	}`
	type variant struct {
		Type                                     string `json:"__typename"`
		Number, Text, Level, Quest, Amount, Name any
	}
	got := apptest.Query[struct {
		Player       struct{ FeaturedStats []variant }
		GuildSeasons struct {
			Nodes []struct{ RatingRewards, LeaderboardRewards []variant }
		}
		WorldEvents struct {
			Nodes []struct{ Requirements []variant }
		}
		Items struct {
			Nodes []struct {
				DroppedBy []struct {
					Spot       any
					Spots      []any
					FixedPlace *bool
				}
			}
		}
	}](t, apptest.Shared(t).Base, query)
	all := got.Player.FeaturedStats
	for _, s := range got.GuildSeasons.Nodes {
		all = append(append(all, s.RatingRewards...), s.LeaderboardRewards...)
	}
	for _, e := range got.WorldEvents.Nodes {
		all = append(all, e.Requirements...)
	}
	seen := map[string]int{}
	for _, v := range all {
		seen[v.Type]++
		if v.Type != "SeasonItemReward" && v == (variant{Type: v.Type}) {
			t.Errorf("got %+v", v)
		}
	}
	for _, i := range got.Items.Nodes {
		for _, d := range i.DroppedBy {
			switch {
			case d.Spot != nil && len(d.Spots) == 1:
				seen["one spot"]++
			case d.Spot == nil && len(d.Spots) > 1:
				seen["several spots"]++
			case d.Spot == nil && d.Spots == nil && d.FixedPlace != nil && !*d.FixedPlace:
				seen["no fixed place"]++
			case d.Spot != nil || d.Spots != nil || d.FixedPlace != nil:
				t.Errorf("got %+v", d)
			}
		}
	}
	for _, name := range []string{
		"FeaturedNumber", "FeaturedText", "SeasonAmountReward", "SeasonItemReward", "LevelRequirement",
		"QuestRequirement", "one spot", "several spots", "no fixed place",
	} {
		if seen[name] == 0 {
			t.Errorf("got no %s among %v", name, seen)
		}
	}
}
