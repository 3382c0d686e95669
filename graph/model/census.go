package model

import (
	"cmp"
	"time"
)

// Census holds the counts over all players, characters and guilds of a store. Lists are histograms: element i counts
// values from 10 × i to 10 × i + 9, and the last possible element also all higher values.
type Census struct {
	At         time.Time      `bson:"at"`
	Players    int            `bson:"players"`
	Characters int            `bson:"characters"`
	Guilds     int            `bson:"guilds"`
	Classes    map[string]int `bson:"classes"`   // characters by type
	Gamemodes  map[string]int `bson:"gamemodes"` // characters by gamemode; a character can have several
	// Plain counts the characters without a gamemode.
	Plain           int   `bson:"plain"`
	CharacterLevels []int `bson:"characterLevels"`
	GuildLevels     []int `bson:"guildLevels"`
	GuildSizes      []int `bson:"guildSizes"` // members
}

const (
	// bucketWidth is the number of values in one bucket of a histogram.
	bucketWidth = 10
	// maxBuckets is the maximum number of buckets of a histogram, whatever values records have.
	maxBuckets = 50
)

// AddCharacter counts a character.
func (c *Census) AddCharacter(ch *Character) {
	c.Characters++
	addTo(&c.Classes, ch.ClassKey)
	addToBucket(&c.CharacterLevels, ch.Level)
	if len(ch.Gamemodes) == 0 {
		c.Plain++
	}
	for _, mode := range ch.Gamemodes {
		addTo(&c.Gamemodes, mode)
	}
}

// AddGuild counts a guild with a number of members.
func (c *Census) AddGuild(g *Guild, members int) {
	c.Guilds++
	addToBucket(&c.GuildLevels, g.Level)
	addToBucket(&c.GuildSizes, members)
}

func addTo(counts *map[string]int, key string) {
	if *counts == nil {
		*counts = map[string]int{}
	}
	(*counts)[cmp.Or(key, "unknown")]++
}

func addToBucket(buckets *[]int, value int) {
	at := min(max(value, 0)/bucketWidth, maxBuckets-1)
	for len(*buckets) <= at {
		*buckets = append(*buckets, 0)
	}
	(*buckets)[at]++
}

// Histogram returns the buckets of a census's histogram, up to the highest bucket that is not empty.
func Histogram(buckets []int) []*HistogramBucket {
	out := make([]*HistogramBucket, len(buckets))
	for i, n := range buckets {
		out[i] = &HistogramBucket{Min: bucketWidth * i, Count: n}
		if last := bucketWidth*(i+1) - 1; i < maxBuckets-1 {
			out[i].Max = &last
		}
	}
	return out
}
