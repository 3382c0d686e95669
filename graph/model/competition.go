package model

import "time"

// MaxCompetitions is the maximum number of competitions of an account.
const MaxCompetitions = 20

// Competition ranks some players by their gain in a metric between two midnights.
type Competition struct {
	Key     string `bson:"_id"`
	Account string `bson:"account"`
	// Place numbers the account's competitions, which limits their number.
	Place     int           `bson:"place"`
	Name      string        `bson:"name"`
	Metric    HistoryMetric `bson:"metric"`
	StartsAt  time.Time     `bson:"startsAt"`
	EndsAt    time.Time     `bson:"endsAt"`
	CreatedAt time.Time     `bson:"createdAt"`
	// GuildUUID is the guild whose members were entered; nil if the players were chosen individually.
	GuildUUID *string  `bson:"guild,omitempty"`
	Players   []string `bson:"players"` // uuids
}

// PlayerCount returns how many players compete.
func (c *Competition) PlayerCount() int { return len(c.Players) }
