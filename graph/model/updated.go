package model

import "time"

// Updatable is a record with the time of its last change.
type Updatable interface {
	// ChangedAt returns a copy with a time.
	ChangedAt(now time.Time) any
}

var (
	_ Updatable = (*Player)(nil)
	_ Updatable = (*Guild)(nil)
	_ Updatable = (*Item)(nil)
	_ Updatable = (*Territory)(nil)
)

// ChangedAt returns a copy that was changed at a time, as the following methods.
func (p *Player) ChangedAt(now time.Time) any { c := *p; c.Updated = now; return &c }

// ChangedAt returns a copy that was changed at a time.
func (g *Guild) ChangedAt(now time.Time) any { c := *g; c.Updated = now; return &c }

// ChangedAt returns a copy that was changed at a time.
func (i *Item) ChangedAt(now time.Time) any { c := *i; c.Updated = now; return &c }

// ChangedAt returns a copy that was changed at a time.
func (t *Territory) ChangedAt(now time.Time) any { c := *t; c.Updated = now; return &c }

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
