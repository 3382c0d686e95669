package model

import "time"

// Records whose value has one of several forms, and the types of the schema for each form. A type of the schema is the
// record under another name, so that a list of records costs no copies.

// variants returns records as objects of their types. A record without a value has none and is left out.
func variants[R any, V comparable](records []R, variant func(R) V) []V {
	if records == nil {
		return nil
	}
	var none V
	out := make([]V, 0, len(records))
	for _, r := range records {
		if v := variant(r); v != none {
			out = append(out, v)
		}
	}
	return out
}

// FeaturedStat is the record of a stat that a player chose to show: a number or a text.
type FeaturedStat struct {
	Stat   string  `json:"stat"`
	Number *int64  `json:"number"`
	Text   *string `json:"text"`
}

// AnyFeaturedStat is the schema's FeaturedStat.
type AnyFeaturedStat interface{ IsFeaturedStat() }

type (
	// FeaturedNumber is a featured stat that is a number.
	FeaturedNumber FeaturedStat
	// FeaturedText is a featured stat that is a text.
	FeaturedText FeaturedStat
)

// FeaturedStats returns the stats with their types.
func (p *Player) FeaturedStats() []AnyFeaturedStat {
	return variants(p.Featured, func(s *FeaturedStat) AnyFeaturedStat {
		switch {
		case s.Number != nil:
			return (*FeaturedNumber)(s)
		case s.Text != nil:
			return (*FeaturedText)(s)
		}
		return nil
	})
}

// SeasonReward is the record of a reward of a season: a number, or a thing that may have a name.
type SeasonReward struct {
	Condition *SeasonRewardCondition `json:"condition"`
	Type      string                 `json:"type"`
	Amount    *int64                 `json:"amount"`
	Name      *string                `json:"name"`
	ExpiresAt *time.Time             `json:"expiresAt" bson:"expires"`
}

// AnySeasonReward is the schema's SeasonReward.
type AnySeasonReward interface{ IsSeasonReward() }

type (
	// SeasonAmountReward is a countable reward, such as emeralds.
	SeasonAmountReward SeasonReward
	// SeasonItemReward is a single thing that a guild earns.
	SeasonItemReward SeasonReward
)

func (r *SeasonReward) variant() AnySeasonReward {
	if r.Amount != nil {
		return (*SeasonAmountReward)(r)
	}
	return (*SeasonItemReward)(r)
}

// RatingRewards returns what reaching a rating gives, with the types.
func (s *GuildSeason) RatingRewards() []AnySeasonReward {
	return variants(s.RatingRewardList, (*SeasonReward).variant)
}

// LeaderboardRewards returns what a final position gives, with the types.
func (s *GuildSeason) LeaderboardRewards() []AnySeasonReward {
	return variants(s.LeaderboardRewardList, (*SeasonReward).variant)
}

// ContentRequirement is what a player needs to start some content: a level or a quest.
type ContentRequirement struct {
	Type  string  `json:"type"`
	Level *int    `json:"level"`
	Quest *string `json:"quest"`
}

// AnyContentRequirement is the schema's ContentRequirement.
type AnyContentRequirement interface{ IsContentRequirement() }

type (
	// LevelRequirement is a level that taking part needs.
	LevelRequirement ContentRequirement
	// QuestRequirement is a quest that taking part needs.
	QuestRequirement ContentRequirement
)

func (r *ContentRequirement) variant() AnyContentRequirement {
	switch {
	case r.Level != nil:
		return (*LevelRequirement)(r)
	case r.Quest != nil:
		return (*QuestRequirement)(r)
	}
	return nil
}

// Requirements returns what taking part needs, with the types.
func (e *WorldEvent) Requirements() []AnyContentRequirement {
	return variants(e.RequirementList, (*ContentRequirement).variant)
}

// Requirements returns what taking part needs, with the types.
func (p *LootPool) Requirements() []AnyContentRequirement {
	return variants(p.RequirementList, (*ContentRequirement).variant)
}

// PollRequirement is the record of what voting needs: a number or a text.
type PollRequirement struct {
	Type    string  `json:"type"`
	SubType *string `json:"subType"`
	Number  *int64  `json:"number"`
	Text    *string `json:"text"`
}

// AnyPollRequirement is the schema's PollRequirement.
type AnyPollRequirement interface{ IsPollRequirement() }

type (
	// PollNumberRequirement is a number that voting needs.
	PollNumberRequirement PollRequirement
	// PollTextRequirement is a text that voting needs.
	PollTextRequirement PollRequirement
)

func (r *PollRequirement) variant() AnyPollRequirement {
	switch {
	case r.Number != nil:
		return (*PollNumberRequirement)(r)
	case r.Text != nil:
		return (*PollTextRequirement)(r)
	}
	return nil
}

// Settings returns what voting needs, with the types.
func (p *Poll) Settings() []AnyPollRequirement {
	return variants(p.SettingList, (*PollRequirement).variant)
}

// Requirements returns what answering the question needs, with the types.
func (q *PollQuestion) Requirements() []AnyPollRequirement {
	return variants(q.RequirementList, (*PollRequirement).variant)
}
