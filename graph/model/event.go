package model

import (
	"slices"
	"time"
)

// Event is an entry of the event log: something that happened in the game or to the published data. Events are shared
// by all readers and must not be changed.
type Event struct {
	// ID sorts events by the time at which they were recorded. A reader resumes after the id that it saw last.
	ID string
	// At is when it happened, by the clock of who reported it.
	At time.Time
	// Data is a pointer to one of the structs below; its type is the kind of event.
	Data EventData
	// Players are the NamedPlayers by uuid, with what access rules need: rules, friends and guild. They are
	// read when the event is delivered. Unknown players are missing.
	Players map[string]*Player
	// Read is when this process read the event from the log: what it reads from the store later is not older than the
	// event.
	Read time.Time
}

// NamedPlayers returns the uuids of the players that the event names; none for internal events, which are not
// delivered.
func (e *Event) NamedPlayers() []string {
	switch d := e.Data.(type) {
	case *PlayerCameOnline:
		return []string{d.Player}
	case *PlayerWentOffline:
		return []string{d.Player}
	case *PlayerChangedWorld:
		return []string{d.Player}
	case *CharacterCreated:
		return []string{d.Player}
	case *CharacterLevelChanged:
		return []string{d.Player}
	case *CharacterDied:
		return []string{d.Player}
	case *GuildMemberJoined:
		return []string{d.Player}
	case *GuildMemberLeft:
		return []string{d.Player}
	case *WarFinished:
		return d.Players
	case *RaidFinished:
		return d.Players
	}
	return nil
}

// Type returns the type of the event.
func (e *Event) Type() EventType { return e.Data.eventType() }

// EventTypeOf returns the type of an event with some data.
func EventTypeOf(data EventData) EventType { return data.eventType() }

// EventData is what happened. The structs that implement it are listed in EventKinds.
//
// They name players and characters by uuid only: what may be shown of them depends on access rules at the time of
// reading. Guilds in TerritoryCaptured, GuildCreated and GuildDisbanded have their names of that time.
type EventData interface {
	eventType() EventType
	head() *EventHead
}

// PresenceEvent is a change of a player's presence.
type PresenceEvent interface {
	EventData
	presence()
}

// GuildEvent is something that happened to a guild.
type GuildEvent interface {
	EventData
	guildEvent()
}

// EventHead is what all events have, as the schema's objects show it. It is set when an event is read, and not stored
// with the data.
type EventHead struct {
	ID string    // that of Event
	At time.Time // that of Event
}

func (h *EventHead) head() *EventHead { return h }

// NewEvent returns an event that was read from the log.
func NewEvent(id string, at time.Time, data EventData) *Event {
	*data.head() = EventHead{id, at}
	return &Event{ID: id, At: at, Data: data}
}

// With returns the event with other data of its type, for viewers who may not see all of it.
func (e *Event) With(data EventData) *Event {
	out := NewEvent(e.ID, e.At, data)
	out.Players, out.Read = e.Players, e.Read
	return out
}

// EventType names a kind of event, as stored.
type EventType string

// The kinds of events.
const (
	EventTerritoryCaptured     EventType = "territoryCaptured"
	EventPlayerCameOnline      EventType = "playerCameOnline"
	EventPlayerWentOffline     EventType = "playerWentOffline"
	EventPlayerChangedWorld    EventType = "playerChangedWorld"
	EventCharacterCreated      EventType = "characterCreated"
	EventCharacterLevelChanged EventType = "characterLevelChanged"
	EventCharacterDied         EventType = "characterDied"
	EventGuildCreated          EventType = "guildCreated"
	EventGuildLevelChanged     EventType = "guildLevelChanged"
	EventGuildMemberJoined     EventType = "guildMemberJoined"
	EventGuildMemberLeft       EventType = "guildMemberLeft"
	EventGuildDisbanded        EventType = "guildDisbanded"
	EventWarFinished           EventType = "warFinished"
	EventRaidFinished          EventType = "raidFinished"
	EventSeasonStarted         EventType = "seasonStarted"
	EventSeasonEnded           EventType = "seasonEnded"
	EventLeaderboardsRefreshed EventType = "leaderboardsRefreshed"
	EventArticlePublished      EventType = "articlePublished"
	EventAccessRulesChanged    EventType = "accessRulesChanged"
)

// EventKind is an entry of EventKinds.
type EventKind struct {
	Type EventType
	// New returns a pointer to an empty struct to decode into.
	New func() EventData
	// Retention is how long events are stored unless the settings say otherwise.
	Retention time.Duration
	// Internal events are for the service itself and are never delivered to subscribers.
	Internal bool
}

// EventRetention is the default retention of most events. Presence is most of what happens, so that of it is shorter.
// Captures are the history of the map: they are stored as long as the daily history.
const (
	EventRetention    = 7 * 24 * time.Hour
	presenceRetention = 24 * time.Hour
	captureRetention  = 3 * 365 * 24 * time.Hour
)

// EventKinds is the table of all kinds of events.
var EventKinds = []EventKind{
	eventKind[TerritoryCaptured](captureRetention),
	eventKind[PlayerCameOnline](presenceRetention),
	eventKind[PlayerWentOffline](presenceRetention),
	eventKind[PlayerChangedWorld](presenceRetention),
	eventKind[CharacterCreated](EventRetention),
	eventKind[CharacterLevelChanged](EventRetention),
	eventKind[CharacterDied](EventRetention),
	eventKind[GuildCreated](EventRetention),
	eventKind[GuildLevelChanged](EventRetention),
	eventKind[GuildMemberJoined](EventRetention),
	eventKind[GuildMemberLeft](EventRetention),
	eventKind[GuildDisbanded](EventRetention),
	eventKind[WarFinished](EventRetention),
	eventKind[RaidFinished](EventRetention),
	eventKind[SeasonStarted](EventRetention),
	eventKind[SeasonEnded](EventRetention),
	eventKind[LeaderboardsRefreshed](EventRetention),
	eventKind[ArticlePublished](EventRetention),
	internal(eventKind[AccessRulesChanged](EventRetention)),
}

func eventKind[T any, P interface {
	*T
	EventData
}](retention time.Duration) EventKind {
	return EventKind{Type: P(nil).eventType(), New: func() EventData { return P(new(T)) }, Retention: retention}
}

func internal(k EventKind) EventKind {
	k.Internal = true
	return k
}

// Kind returns the entry of a type of events; false when there is none.
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
