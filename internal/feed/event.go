// Package feed applies the events that game servers report to the game's records. An event is a struct; applying it
// changes the records that it refers to, and the store works out what to write.
package feed

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/vektah/gqlparser/v2/validator/core"
)

// Event is something that happened in the game: a struct that encodes to JSON and refers to records by their ids.
type Event interface {
	// apply changes the records of a game, which has all referenced records. Its error is always an *Error, and then
	// nothing has changed.
	apply(g *Game) error
}

// Kind is a kind of event.
type Kind struct {
	// Name is the name of the event's type.
	Name string
	// New returns a new, empty event to decode into.
	New func() Event
}

// Events lists all kinds of events. A new one needs a type with the method apply, an entry here, and an example in
// testdata/examples.txtar.
var Events = []Kind{
	kind[PlayerAdded](), kind[PlayerRenamed](), kind[PlayerJoined](), kind[WorldEntered](), kind[PlayerMoved](),
	kind[PlayerLeft](), kind[PartyJoined](), kind[PartyLeft](), kind[Befriended](), kind[Unfriended](),
	kind[WeeklyProgressed](), kind[PlayerRanked](), kind[NicknameSet](), kind[AppearanceSet](),
	kind[FeaturedStatsSet](), kind[AccessRulesSet](), kind[LinkCodeCreated](), kind[PlayerBanned](),
	kind[PlayerUnbanned](), kind[PlayerDeleted](), kind[CharacterAdded](), kind[CharacterGained](),
	kind[RaidCompleted](), kind[CharacterDied](), kind[AbilitiesSet](), kind[SkillPointsSet](),
	kind[GamemodeSet](), kind[CharacterRestyled](), kind[CharacterDeleted](), kind[GuildAdded](),
	kind[GuildRenamed](), kind[GuildProgressed](), kind[GuildJoined](), kind[GuildLeft](), kind[RankGiven](),
	kind[Contributed](), kind[BannerSet](), kind[GuildDisbanded](), kind[WarWon](), kind[SeasonRated](),
	kind[TerritoryCaptured](), kind[TerritoryFreed](), kind[Headquartered](), kind[TerritoryFortified](),
	kind[TerritoryProduced](),
}

func kind[T any, E interface {
	*T
	Event
}]() Kind {
	return Kind{Name: reflect.TypeFor[T]().Name(), New: func() Event { return E(new(T)) }}
}

// NameOf returns the name of an event.
func NameOf(e Event) string { return reflect.TypeOf(e).Elem().Name() }

// Named looks up a kind of event by name.
func Named(name string) (Kind, bool) {
	at := slices.IndexFunc(Events, func(k Kind) bool { return k.Name == name })
	if at < 0 {
		return Kind{}, false
	}
	return Events[at], true
}

// maxSuggestedName is the length of the longest name that gets suggestions: comparing takes time.
const maxSuggestedName = 40

// similarEvents suggests events with similar names. What others call created is added here.
func similarEvents(name string) string {
	if len(name) > maxSuggestedName {
		return ""
	}
	names := make([]string, len(Events))
	for i, k := range Events {
		names[i] = k.Name
	}
	similar := core.SuggestionList(strings.Replace(name, "Created", "Added", 1), names)
	if len(similar) == 0 {
		return ""
	}
	return ". Did you mean " + core.QuotedOrList(similar[:min(3, len(similar))]...) + "?"
}

// times decodes times. A missing time is the zero time.
var times = json.UnmarshalFunc(func(text []byte, to *time.Time) error {
	err := to.UnmarshalJSON(text)
	if err == nil && to.IsZero() && string(text) != "null" {
		return invalid("", "the time is before the year 2000")
	}
	return err
})

// Decode decodes the JSON fields of an event. It returns an *Error for an unknown event, an unknown, duplicate or
// missing field, or a malformed id.
func Decode(name string, fields []byte) (Event, error) {
	k, ok := Named(name)
	if !ok {
		return nil, invalid("event", "there is no event %q%s", name, similarEvents(name))
	}
	e := k.New()
	if err := json.Unmarshal(fields, e, json.RejectUnknownMembers(true), json.WithUnmarshalers(times)); err != nil {
		return nil, jsonError(err)
	}
	return e, checkTexts(e)
}
