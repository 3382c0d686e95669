package model

import "time"

// Article is the record of an article and the schema's Article and ArticleHead.
type Article struct {
	Number          int              `json:"number"              bson:"_id"`
	Type            Label            `json:"type"`
	Title           string           `json:"title"`
	Recap           string           `json:"recap"`
	Banner          string           `json:"banner"`
	BannerZoom      bool             `json:"bannerZoom"`
	CreatedBy       string           `json:"createdBy"`
	Content         []*ArticleBlock  `json:"content"`
	Published       bool             `json:"published"`
	Pinned          bool             `json:"pinned"`
	Visible         bool             `json:"visible"`
	StartsAt        time.Time        `json:"startsAt" bson:"startDate"`
	EndsAt          *time.Time       `json:"endsAt" bson:"endDate"`
	PublishedAt     time.Time        `json:"publishedAt"`
	Likes           int64            `json:"likes"`
	Destination     string           `json:"destination"`
	PostsToDiscord  bool             `json:"postsToDiscord" bson:"allowDiscord"`
	DiscordRecap    bool             `json:"discordRecap"`
	DiscordMessages []*PostedMessage `json:"discordMessages"`
	RequiresDiscord bool             `json:"requiresDiscord" bson:"requireDiscord"`
	RequiresGuild   bool             `json:"requiresGuild" bson:"requireClan"`
	Poll            *Poll            `json:"poll"`
}

// Poll is the vote of a poll article and the schema's Poll.
type Poll struct {
	SettingList []*PollRequirement `json:"settings"`
	Public      bool               `json:"public"`
	Votes       *PollVotes         `json:"votes"`
}

// PollQuestion is a structured question of a poll and the schema's PollQuestion.
type PollQuestion struct {
	Question        string             `json:"question"`
	Answers         []*PollAnswer      `json:"answers"`
	Override        bool               `json:"override"`
	RequirementList []*PollRequirement `json:"requirements"`
}
