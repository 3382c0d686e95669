package model

import (
	"errors"
	"io"
	"slices"
	"time"
)

// Event is an entry of the event log: something that happened in the game or to the published data. Events are shared
// by all readers and must not be changed.
type Event struct {
	// ID sorts events by the time at which they were recorded. A reader resumes after the last id it saw.
	ID string
	// At is when it happened, by the clock of the sender.
	At time.Time
	// Data is a pointer to one of the structs below; its type is the kind of event.
	Data EventData
	// Players maps a uuid to the named player, with the fields that access rules need: rules, friends and guild.
	// Players are read when the event is delivered. Unknown players are missing.
	Players map[string]*Player
	// Read is when this process read the event from the log: later reads of the store are not older than the event.
	Read time.Time
	// PlayersRead is when Players were last read.
	PlayersRead time.Time
}

// NamedPlayers returns the uuids of the players named by the event, or none for internal events, which are not
// delivered.
func (e *Event) NamedPlayers() []string { return e.Data.players() }

// EventSubjects lists the subjects that an event names.
type EventSubjects struct {
	Players, Characters, Guilds []string // uuids
	Territories                 []string // names
	Worlds                      []string // such as EU37, of presence
	Leaderboards                []string // names
}

// Subjects returns the subjects that the event names.
func (e *Event) Subjects() EventSubjects {
	s := EventSubjects{Players: e.NamedPlayers()}
	e.Data.addSubjects(&s)
	return s
}

// ListedFor returns the uuids of the guilds, players and characters that list an event: captures and the past of
// players.
func ListedFor(data EventData) []string {
	if k, _ := data.eventType().Kind(); k.Retention != pastRetention {
		return nil
	}
	s := (&Event{Data: data}).Subjects()
	return slices.Compact(slices.Concat(s.Guilds, s.Players, s.Characters))
}

// addNames adds the names in a field of an event.
func addNames(to *[]string, value any) {
	switch v := value.(type) {
	case string:
		*to = append(*to, v)
	case []string:
		*to = append(*to, v...)
	case EventGuild:
		*to = append(*to, v.UUID)
	case *string:
		if v != nil {
			*to = append(*to, *v)
		}
	case *EventGuild:
		if v != nil {
			*to = append(*to, v.UUID)
		}
	}
}

// Type returns the type of the event.
func (e *Event) Type() EventType { return e.Data.eventType() }

// EventTypeOf returns the type of an event with the given data.
func EventTypeOf(data EventData) EventType { return data.eventType() }

// EventData describes what happened: a struct that embeds EventHead. EventKinds lists these structs.
//
// They name players and characters only by uuid: access rules at the time of reading decide which data may be shown.
// Guilds in TerritoryCaptured, GuildCreated and GuildDisbanded carry their names at the time of the event.
type EventData interface {
	eventType() EventType
	head() *EventHead
	players() []string
	addSubjects(*EventSubjects)
}

// PresenceEvent is a change of a player's presence.
type PresenceEvent interface {
	EventData
	IsPresenceEvent()
}

// GuildEvent is an event that happened to a guild.
type GuildEvent interface {
	EventData
	IsGuildEvent()
}

// EventHead holds the fields common to all events, in the form of the schema's objects. It is set when an event is
// read, and not stored with the data. A struct whose first field embeds it declares an event:
//
//	EventHead `json:"-" bson:"-" retention:"presence"`
//
// The retention is one of the constants below; the default is EventRetention. An event with the tag internal:"true" is
// never delivered; the others are the types of the schema's interface Event. The fields Player and Players contain the
// uuids of the players that an event names. On another field, the tag about names the field of EventSubjects to which
// it adds, and the tag graphql its name in the schema if the names differ. The rest is generated.
type EventHead struct {
	ID string
	At time.Time
}

func (h *EventHead) head() *EventHead { return h }

// players returns the uuids in the fields Player and Players. Structs with these fields override it.
func (*EventHead) players() []string { return nil }

// addSubjects adds the fields with the tag about. Structs with such fields override it.
func (*EventHead) addSubjects(*EventSubjects) {}

// NewEvent returns an event read from the log.
func NewEvent(id string, at time.Time, data EventData) *Event {
	*data.head() = EventHead{id, at}
	return &Event{ID: id, At: at, Data: data}
}

// With returns the event with other data of the same type, for viewers who may not see all data.
func (e *Event) With(data EventData) *Event {
	out := NewEvent(e.ID, e.At, data)
	out.Players, out.Read, out.PlayersRead = e.Players, e.Read, e.PlayersRead
	return out
}

// EventType names a kind of event, as stored.
type EventType string

// EventKind is an entry of EventKinds.
type EventKind struct {
	Type EventType
	// Value is the type's value in the schema's enum EventType.
	Value string
	// New returns a pointer to an empty struct to decode into.
	New func() EventData
	// Retention is how long events are stored unless the settings say otherwise.
	Retention time.Duration
	// Internal events are for the service itself and are never delivered to subscribers.
	Internal bool
}

// EventRetention is the default retention of most events. Most events are presence changes, so they expire sooner.
// Captures, names, memberships and characters record the past of the map, guilds and players, so they are stored as
// long as the daily history.
const (
	EventRetention    = 7 * 24 * time.Hour
	presenceRetention = 24 * time.Hour
	pastRetention     = 3 * 365 * 24 * time.Hour
)

// Kind returns the entry of an event type, or false if there is none.
func (t EventType) Kind() (EventKind, bool) {
	i := slices.IndexFunc(EventKinds, func(k EventKind) bool { return k.Type == t })
	if i < 0 {
		return EventKind{}, false
	}
	return EventKinds[i], true
}

// Internal reports whether events of the type are never delivered to subscribers.
func (t EventType) Internal() bool {
	k, _ := t.Kind()
	return k.Internal
}

// Value returns the type's value in the schema's enum EventType.
func (t EventType) Value() string {
	k, _ := t.Kind()
	return k.Value
}

// MarshalGQL writes the type as a value of the schema's enum EventType: playerCameOnline is PLAYER_CAME_ONLINE.
func (t EventType) MarshalGQL(w io.Writer) {
	_, _ = io.WriteString(w, `"`+t.Value()+`"`)
}

// UnmarshalGQL reads a value of the enum. Internal event types are not values of the enum.
func (t *EventType) UnmarshalGQL(v any) error {
	i := slices.IndexFunc(EventKinds, func(k EventKind) bool { return !k.Internal && k.Value == v })
	if i < 0 {
		return errors.New("the value must be one of the enum EventType")
	}
	*t = EventKinds[i].Type
	return nil
}
