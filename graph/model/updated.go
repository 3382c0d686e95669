package model

import "time"

// UpdatedAt returns the time of the last change, as the following methods.
func (p *Player) UpdatedAt() time.Time { return sinceEpoch(p.Updated) }

// UpdatedAt returns the time of the last change.
func (g *Guild) UpdatedAt() time.Time { return sinceEpoch(g.Updated) }

// UpdatedAt returns the time of the last change.
func (i *Item) UpdatedAt() time.Time { return sinceEpoch(i.Updated) }

// UpdatedAt returns the time of the last change.
func (t *Territory) UpdatedAt() time.Time { return sinceEpoch(t.Updated) }

// sinceEpoch returns the epoch for a record that was not changed since the time is stored.
func sinceEpoch(t time.Time) time.Time {
	if t.IsZero() {
		return time.Unix(0, 0)
	}
	return t
}

// Deletion is the record of a deleted record and the schema's Deletion.
type Deletion struct {
	// Token identifies it in the store: the type and the key.
	Token   string    `json:"-" bson:"_id"`
	Type    string    `json:"type"`
	Key     string    `json:"key"`
	At      time.Time `json:"at"`
	Expires time.Time `json:"-" bson:"expires"`
}
