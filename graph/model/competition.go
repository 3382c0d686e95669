package model

import "time"

// MaxCompetitions is how many competitions an account may have.
const MaxCompetitions = 20

// Competition ranks some players by what they gain of a metric between two midnights.
type Competition struct {
	Key     string `bson:"_id"`
	Account string `bson:"account"`
	// Place numbers the account's competitions, which bounds how many there are.
	Place     int           `bson:"place"`
	Name      string        `bson:"name"`
	Metric    HistoryMetric `bson:"metric"`
	StartsAt  time.Time     `bson:"startsAt"`
	EndsAt    time.Time     `bson:"endsAt"`
	CreatedAt time.Time     `bson:"createdAt"`
	// GuildUUID is the guild whose members the players were; nil for players who were chosen.
	GuildUUID *string  `bson:"guild,omitempty"`
	Players   []string `bson:"players"` // uuids
}

// PlayerCount returns how many players compete.
func (c *Competition) PlayerCount() int { return len(c.Players) }
