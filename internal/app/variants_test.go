package app_test

import (
	"encoding/json"
	"testing"
)

// Values of several forms have a type for each, with its value.
func TestVariants(t *testing.T) {
	p := sharedService(t)
	const query = `{
		player(by: {username: "Salted"}) {
			featuredStats { __typename stat ... on FeaturedNumber { value: number } ... on FeaturedText { date: text } }
		}
		guildSeasons {
			nodes {
				ratingRewards { ...Reward }
				leaderboardRewards { ...Reward }
			}
		}
		worldEvents(first: 100) {
			nodes { requirements { __typename type ... on LevelRequirement { level } ... on QuestRequirement { quest } } }
		}
		items(filter: {types: [INGREDIENT]}, first: 100) { nodes { droppedBy { spot { x } spots { x } fixedPlace } } }
	}
	fragment Reward on SeasonReward {
		__typename type condition { value }
		... on SeasonAmountReward { amount }
		... on SeasonItemReward { name }
	}`
	type object map[string]any
	var got struct {
		Errors []any
		Data   struct {
			Player       struct{ FeaturedStats []object }
			GuildSeasons struct {
				Nodes []struct{ RatingRewards, LeaderboardRewards []object }
			}
			WorldEvents struct {
				Nodes []struct{ Requirements []object }
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
		}
	}
	body, _ := json.Marshal(map[string]any{"query": query})
	if err := json.Unmarshal(requestOK(t, p.base, "POST", "/graphql", string(body)), &got); err != nil || got.Errors != nil {
		t.Fatal(err, got.Errors)
	}
	values := map[string]string{
		"FeaturedNumber": "value", "FeaturedText": "date", "SeasonAmountReward": "amount", "SeasonItemReward": "name",
		"LevelRequirement": "level", "QuestRequirement": "quest",
	}
	seen := map[string]int{}
	check := func(objects []object) {
		for _, o := range objects {
			name, _ := o["__typename"].(string)
			value, has := o[values[name]]
			if !has || value == nil && name != "SeasonItemReward" {
				t.Errorf("got %v", o)
			}
			seen[name]++
		}
	}
	check(got.Data.Player.FeaturedStats)
	for _, s := range got.Data.GuildSeasons.Nodes {
		check(s.RatingRewards)
		check(s.LeaderboardRewards)
	}
	for _, e := range got.Data.WorldEvents.Nodes {
		check(e.Requirements)
	}
	for name := range values {
		if seen[name] == 0 {
			t.Errorf("got no %s among %v", name, seen)
		}
	}
	single, several, roaming := 0, 0, 0
	for _, i := range got.Data.Items.Nodes {
		for _, d := range i.DroppedBy {
			switch {
			case d.Spot != nil && len(d.Spots) == 1:
				single++
			case d.Spot == nil && len(d.Spots) > 1:
				several++
			case d.Spot == nil && d.Spots == nil && d.FixedPlace != nil && !*d.FixedPlace:
				roaming++
			case d.Spot != nil || d.Spots != nil || d.FixedPlace != nil:
				t.Errorf("got %+v", d)
			}
		}
	}
	if single == 0 || several == 0 || roaming == 0 {
		t.Errorf("%d creatures at one spot, %d at several, %d without a fixed place", single, several, roaming)
	}
}
