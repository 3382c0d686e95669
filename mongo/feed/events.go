package feed

import (
	"reflect"
	"slices"

	"github.com/go-json-experiment/json"
)

// Event is an event in the form in which it is sent: a struct that encodes to JSON and refers to records
// by their ids. Apply reads the records and runs the method of Batch with the event's name.
type Event interface {
	// apply adds the event to a batch. The records of all its references are loaded; an error is an
	// *Error, and nothing has changed then.
	apply(b *Batch, r *records) error
}

// Kind is a kind of event.
type Kind struct {
	// Name is the name of the event: that of its type and of the method of Batch.
	Name string
	// New returns a new, empty event to decode into.
	New func() Event
	// Example is the JSON of an event, for the documentation.
	Example string
}

// Events is the table of all events.
//
// A new event needs a type with an apply method, an entry here, and a method of Batch.
var Events = []Kind{
	kind(&PlayerAdded{}, `{"player": "00000000-0000-4000-8000-000000000009", "username": "Fernwick",
		"at": "2026-03-20T12:00:00Z"}`),
	kind(&PlayerRenamed{}, `{"player": "00000000-0000-4000-8000-000000000001", "username": "Salted2"}`),
	kind(&PlayerJoined{}, `{"player": "00000000-0000-4000-8000-000000000001", "at": "2026-03-20T12:00:00Z",
		"address": "192.0.2.7", "server": "EU37", "character": "00000000-0000-4000-8000-000000000101",
		"location": {"x": 12.5, "y": 64, "z": -311.25}}`),
	kind(&WorldEntered{}, `{"character": "00000000-0000-4000-8000-000000000101", "server": "EU2",
		"location": {"x": 0, "y": 70, "z": -1200}}`),
	kind(&PlayerMoved{}, `{"player": "00000000-0000-4000-8000-000000000001",
		"location": {"x": 13, "y": 64, "z": -300}}`),
	kind(&PlayerLeft{}, `{"player": "00000000-0000-4000-8000-000000000001"}`),
	kind(&PartyJoined{}, `{"player": "00000000-0000-4000-8000-000000000001", "party": "p-4711"}`),
	kind(&PartyLeft{}, `{"player": "00000000-0000-4000-8000-000000000001"}`),
	kind(&Befriended{}, `{"player": "00000000-0000-4000-8000-000000000001",
		"friend": "00000000-0000-4000-8000-000000000003"}`),
	kind(&Unfriended{}, `{"player": "00000000-0000-4000-8000-000000000001",
		"friend": "00000000-0000-4000-8000-000000000003"}`),
	kind(&WeeklyProgressed{}, `{"player": "00000000-0000-4000-8000-000000000001", "completed": true, "streak": 3}`),
	kind(&PlayerRanked{}, `{"player": "00000000-0000-4000-8000-000000000001", "rank": "Player", "shortenedRank": "Player",
		"supportRank": "hero", "rankBadge": "nextgen/badges/rank_hero.svg",
		"legacyRankColour": {"main": "#aa00aa", "sub": "#ff55ff"}}`),
	kind(&NicknameSet{}, `{"player": "00000000-0000-4000-8000-000000000001", "nickname": "Salty"}`),
	kind(&AppearanceSet{}, `{"player": "00000000-0000-4000-8000-000000000001", "wallpaper": "harbour",
		"avatar": "lantern"}`),
	kind(&FeaturedStatsSet{}, `{"player": "00000000-0000-4000-8000-000000000001",
		"stats": [{"stat": "globalData.wars", "number": 3}, {"stat": "firstJoin", "text": "2025-06-08"}]}`),
	kind(&AccessRulesSet{}, `{"player": "00000000-0000-4000-8000-000000000001",
		"rules": {"mainAccess": "friend", "onlineStatus": "private"}}`),
	kind(&LinkCodeCreated{}, `{"player": "00000000-0000-4000-8000-000000000001", "code": "7Q2M-0XVA-41BC",
		"at": "2026-03-20T12:00:00Z"}`),
	kind(&PlayerBanned{}, `{"player": "00000000-0000-4000-8000-000000000001"}`),
	kind(&PlayerUnbanned{}, `{"player": "00000000-0000-4000-8000-000000000001"}`),
	kind(&PlayerDeleted{}, `{"player": "00000000-0000-4000-8000-000000000001"}`),
	kind(&CharacterAdded{}, `{"player": "00000000-0000-4000-8000-000000000001",
		"character": "00000000-0000-4000-8000-000000000105", "type": "ARCHER", "gamemode": ["hardcore"]}`),
	kind(&CharacterGained{}, `{"character": "00000000-0000-4000-8000-000000000101", "hours": 0.25, "xp": 91200,
		"level": 13, "xpPercent": 12, "mobsKilled": 85, "quests": ["The Lost Lantern"], "dungeons": ["Ice Barrows"],
		"practised": [{"profession": "mining", "xp": 900, "level": 4, "xpPercent": 50}]}`),
	kind(&RaidCompleted{}, `{"raid": "The Canyon Colossus", "guild": "00000000-0000-4000-8000-000000000051",
		"raiders": [{"character": "00000000-0000-4000-8000-000000000101", "gambits": {"ten": 1, "thirty": 2},
		"stats": {"damageTaken": 44000, "damageDealt": 45000000, "healthHealed": 61000, "deaths": 1, "buffsTaken": 3}}]}`),
	kind(&CharacterDied{}, `{"character": "00000000-0000-4000-8000-000000000101"}`),
	kind(&AbilitiesSet{}, `{"character": "00000000-0000-4000-8000-000000000101", "abilities": ["bash", "charge"]}`),
	kind(&SkillPointsSet{}, `{"character": "00000000-0000-4000-8000-000000000101",
		"points": {"strength": 20, "dexterity": 60, "intelligence": 40, "defence": 0, "agility": 30}}`),
	kind(&GamemodeSet{}, `{"character": "00000000-0000-4000-8000-000000000101", "gamemode": ["hardcore", "hunted"]}`),
	kind(&CharacterRestyled{}, `{"character": "00000000-0000-4000-8000-000000000101", "nickname": "Dusk",
		"reskin": null}`),
	kind(&CharacterDeleted{}, `{"player": "00000000-0000-4000-8000-000000000001",
		"character": "00000000-0000-4000-8000-000000000101"}`),
	kind(&GuildAdded{}, `{"guild": "00000000-0000-4000-8000-000000000057", "name": "Tidewatch", "prefix": "TIDE",
		"at": "2026-03-20T12:00:00Z"}`),
	kind(&GuildRenamed{}, `{"guild": "00000000-0000-4000-8000-000000000051", "name": "Mossbound Company",
		"prefix": "MOSC"}`),
	kind(&GuildProgressed{}, `{"guild": "00000000-0000-4000-8000-000000000051", "level": 4, "xpPercent": 10}`),
	kind(&GuildJoined{}, `{"player": "00000000-0000-4000-8000-000000000003",
		"guild": "00000000-0000-4000-8000-000000000051", "rank": "RECRUIT", "at": "2026-03-20T12:00:00Z"}`),
	kind(&GuildLeft{}, `{"player": "00000000-0000-4000-8000-000000000001"}`),
	kind(&RankGiven{}, `{"player": "00000000-0000-4000-8000-000000000001", "rank": "CHIEF"}`),
	kind(&Contributed{}, `{"player": "00000000-0000-4000-8000-000000000001", "xp": 9120}`),
	kind(&BannerSet{}, `{"guild": "00000000-0000-4000-8000-000000000051", "banner": {"base": "GREEN", "tier": 3,
		"structure": "banner2", "layers": [{"colour": "WHITE", "pattern": "CIRCLE_MIDDLE"}]}}`),
	kind(&GuildDisbanded{}, `{"guild": "00000000-0000-4000-8000-000000000051", "at": "2026-03-20T12:00:00Z"}`),
	kind(&WarWon{}, `{"guild": "00000000-0000-4000-8000-000000000051",
		"fighters": ["00000000-0000-4000-8000-000000000101"]}`),
	kind(&SeasonRated{}, `{"guild": "00000000-0000-4000-8000-000000000051", "season": 4, "rating": 120,
		"territories": 2, "at": "2026-03-20T12:00:00Z"}`),
	kind(&TerritoryCaptured{}, `{"territory": "Field 0", "guild": "00000000-0000-4000-8000-000000000051",
		"at": "2026-03-20T12:00:00Z"}`),
	kind(&TerritoryFreed{}, `{"territory": "Field 0", "at": "2026-03-20T12:00:00Z"}`),
	kind(&Headquartered{}, `{"territory": "Field 1"}`),
	kind(&TerritoryFortified{}, `{"territory": "Field 1", "treasury": "LOW", "defences": "MEDIUM"}`),
	kind(&TerritoryProduced{}, `{"territory": "Field 1", "made": {"ORE": 60}}`),
}

func kind(empty Event, example string) Kind {
	of := reflect.TypeOf(empty).Elem()
	return Kind{Name: of.Name(), Example: example, New: func() Event { return reflect.New(of).Interface().(Event) }}
}

// NameOf returns the name of an event.
func NameOf(e Event) string { return reflect.TypeOf(e).Elem().Name() }

// Named returns the kind of event with a name; false when there is none.
func Named(name string) (Kind, bool) {
	at := slices.IndexFunc(Events, func(k Kind) bool { return k.Name == name })
	if at < 0 {
		return Kind{}, false
	}
	return Events[at], true
}

// Decode decodes the JSON fields of an event. An unknown event, an unknown, duplicate or missing field and
// a malformed id are an *Error.
func Decode(name string, fields []byte) (Event, error) {
	k, ok := Named(name)
	if !ok {
		return nil, invalid("event", "there is no event %q", name)
	}
	e := k.New()
	if err := json.Unmarshal(fields, e, json.RejectUnknownMembers(true)); err != nil {
		return nil, jsonError(err)
	}
	for _, f := range references(e) {
		if f.id == "" && !f.optional {
			return nil, invalid(f.field, "%s is missing", f.field)
		}
	}
	return e, nil
}
