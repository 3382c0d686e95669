package mongo

import (
	"bytes"
	"errors"
	"fmt"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
)

// markField is the field of a record with the journal's step that changed it last.
const markField = "feedMark"

// stepsPerEntry bounds the steps of an entry; the mark of a step is entry*stepsPerEntry + step.
const stepsPerEntry = 1 << 20

// JournalEntry is a list of writes, to be carried out in the order of the steps.
type JournalEntry struct {
	Steps  []JournalStep `bson:"steps"`
	Keys   []*FeedKey    `bson:"keys"`
	Events []eventRecord `bson:"events,omitempty"`
	// Players and Guilds are the uuids of those to purge from all caches.
	Players []string `bson:"players,omitempty"`
	Guilds  []string `bson:"guilds,omitempty"`
}

// JournalStep is the writes of one command.
type JournalStep struct {
	Collection string         `bson:"collection"`
	Writes     []JournalWrite `bson:"writes"`
}

// JournalWrite is one write. Insert alone adds a record; Filter selects those that Update changes or, without it, that
// are deleted.
type JournalWrite struct {
	Insert bson.Raw `bson:"insert,omitempty"`
	Filter bson.Raw `bson:"filter,omitempty"`
	Update bson.Raw `bson:"update,omitempty"`
	Many   bool     `bson:"many,omitempty"` // else one record
}

// ErrEntryTooLarge means that a journal entry does not fit into one record.
var ErrEntryTooLarge = errors.New("the journal entry is too large")

// maxEntry is the number of bytes of an entry, well below the largest record of MongoDB (16 MiB).
const maxEntry = 12 << 20

// JournalBuilder encodes the steps of an entry.
type JournalBuilder struct {
	number int64
	entry  JournalEntry
}

// NewJournalEntry returns a builder of the entry with a number.
func NewJournalEntry(number int64) *JournalBuilder { return &JournalBuilder{number: number} }

// Insert adds a step that adds new records to a collection. A record that exists then is left alone.
func (b *JournalBuilder) Insert(collection string, records ...any) error {
	step := JournalStep{Collection: collection}
	for _, r := range records {
		raw, err := encode(r)
		if err == nil {
			raw, err = withMark(raw, b.mark())
		}
		if err != nil {
			return err
		}
		step.Writes = append(step.Writes, JournalWrite{Insert: raw})
	}
	b.add(step)
	return nil
}

// Update adds a step with updates and deletions of records.
func (b *JournalBuilder) Update(collection string, models []driver.WriteModel) error {
	step := JournalStep{Collection: collection}
	for _, m := range models {
		w, err := b.write(m)
		if err != nil {
			return err
		}
		step.Writes = append(step.Writes, w)
	}
	b.add(step)
	return nil
}

func (b *JournalBuilder) write(model driver.WriteModel) (w JournalWrite, err error) {
	var filter, update any
	switch m := model.(type) {
	case *driver.UpdateOneModel:
		filter, update = m.Filter, m.Update
	case *driver.UpdateManyModel:
		filter, update, w.Many = m.Filter, m.Update, true
	case *driver.DeleteOneModel:
		filter = m.Filter
	case *driver.DeleteManyModel:
		filter, w.Many = m.Filter, true
	}
	conditions, ok := filter.(bson.D)
	if !ok {
		return w, fmt.Errorf("the journal cannot store a %T with the filter %v", model, filter)
	}
	if w.Filter, err = encode(append(conditions[:len(conditions):len(conditions)], unmarked(b.mark()))); err != nil {
		return w, err
	}
	if update == nil {
		return w, nil
	}
	actions, ok := update.(bson.D)
	if !ok {
		return w, fmt.Errorf("the journal cannot store a %T with the update %v", model, update)
	}
	mark := bson.E{Key: "$max", Value: bson.D{{Key: markField, Value: b.mark()}}}
	w.Update, err = encode(append(actions[:len(actions):len(actions)], mark))
	return w, err
}

// Record adds events that are recorded when everything else is written. They need no keys.
func (b *JournalBuilder) Record(events []NewEvent) error {
	for i, e := range events {
		e.Key = fmt.Sprintf("feed/%d/%d", b.number, i)
		r, err := e.record()
		if err != nil {
			return err
		}
		b.entry.Events = append(b.entry.Events, r)
	}
	return nil
}

// Purge adds players and guilds that caches must not serve any longer.
func (b *JournalBuilder) Purge(players, guilds []string) {
	b.entry.Players, b.entry.Guilds = players, guilds
}

func (b *JournalBuilder) add(step JournalStep) {
	if len(step.Writes) > 0 {
		b.entry.Steps = append(b.entry.Steps, step)
	}
}

// mark returns the mark of the step that is added next.
func (b *JournalBuilder) mark() int64 { return b.number*stepsPerEntry + int64(len(b.entry.Steps)) }

// Encode returns the entry with the keys of its events. ErrEntryTooLarge when it does not fit into one record.
func (b *JournalBuilder) Encode(keys []*FeedKey) ([]byte, error) {
	b.entry.Keys = keys
	raw, err := encode(b.entry)
	if len(raw) > maxEntry || len(b.entry.Steps) >= stepsPerEntry {
		err = ErrEntryTooLarge
	}
	return raw, err
}

// encode encodes a record as the store's driver does.
func encode(record any) (bson.Raw, error) {
	var out bytes.Buffer
	encoder := bson.NewEncoder(bson.NewDocumentWriter(&out))
	encoder.UseJSONStructTags()
	err := encoder.Encode(record)
	return out.Bytes(), err
}

func withMark(record bson.Raw, mark int64) (bson.Raw, error) {
	var d bson.D
	if err := bson.Unmarshal(record, &d); err != nil {
		return nil, err
	}
	return bson.Marshal(append(d, bson.E{Key: markField, Value: mark}))
}

// unmarked matches records that no step from mark on has changed.
func unmarked(mark int64) bson.E {
	return bson.E{Key: markField, Value: bson.D{{Key: "$not", Value: bson.D{{Key: "$gte", Value: mark}}}}}
}
