package model

import "time"

// Records whose value takes one of several forms, and the schema's type for each form. Each schema type is the record
// under another name, so converting a list copies no records.

// variants converts records to objects of their types. It skips records without a value.
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

// FeaturedStats returns the stats as objects of their types.
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

// SeasonReward is the record of a season's reward: a number, or an item that may have a name.
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
	// SeasonItemReward is a single item that a guild earns.
	SeasonItemReward SeasonReward
)

func (r *SeasonReward) variant() AnySeasonReward {
	if r.Amount != nil {
		return (*SeasonAmountReward)(r)
	}
	return (*SeasonItemReward)(r)
}

// RatingRewards returns the rewards for reaching a rating.
func (s *GuildSeason) RatingRewards() []AnySeasonReward {
	return variants(s.RatingRewardList, (*SeasonReward).variant)
}

// LeaderboardRewards returns the rewards for a final position.
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
	// LevelRequirement is a level required to take part.
	LevelRequirement ContentRequirement
	// QuestRequirement is a quest required to take part.
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

// Requirements returns the requirements for taking part.
func (e *WorldEvent) Requirements() []AnyContentRequirement {
	return variants(e.RequirementList, (*ContentRequirement).variant)
}

// Requirements returns the requirements for taking part.
func (p *LootPool) Requirements() []AnyContentRequirement {
	return variants(p.RequirementList, (*ContentRequirement).variant)
}

// PollRequirement is the record of a requirement for voting: a number or a text.
type PollRequirement struct {
	Type    string  `json:"type"`
	SubType *string `json:"subType"`
	Number  *int64  `json:"number"`
	Text    *string `json:"text"`
}

// AnyPollRequirement is the schema's PollRequirement.
type AnyPollRequirement interface{ IsPollRequirement() }

type (
	// PollNumberRequirement is a number required to vote.
	PollNumberRequirement PollRequirement
	// PollTextRequirement is a text required to vote.
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

// Settings returns the requirements for voting.
func (p *Poll) Settings() []AnyPollRequirement {
	return variants(p.SettingList, (*PollRequirement).variant)
}

// Requirements returns the requirements for answering the question.
func (q *PollQuestion) Requirements() []AnyPollRequirement {
	return variants(q.RequirementList, (*PollRequirement).variant)
}
