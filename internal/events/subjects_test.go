package events_test

import (
	"reflect"
	"testing"

	"gamedata/graph/model"
	"gamedata/internal/events"
)

// Every event matches what it names, by every field that names something, and nothing else.
func TestSubjects(t *testing.T) {
	world, guild := "EU1", "g"
	from, to := &model.EventGuild{UUID: "f"}, &model.EventGuild{UUID: "g"}
	for _, k := range model.EventKinds {
		if k.Internal {
			continue
		}
		data := k.New()
		var players, guilds, territories, worlds []string
		v := reflect.ValueOf(data).Elem()
		for i := range v.NumField() {
			f, name := v.Field(i), v.Type().Field(i).Name
			switch {
			case name == "Player":
				f.SetString("p")
				players = append(players, "p")
			case name == "Players":
				f.Set(reflect.ValueOf([]string{"p", "q"}))
				players = append(players, "p", "q")
			case name == "Territory":
				f.SetString("t")
				territories = append(territories, "t")
			case name == "Guild" && f.Kind() == reflect.String:
				f.SetString(guild)
				guilds = append(guilds, guild)
			case name == "Guild" && f.Kind() == reflect.Struct:
				f.Set(reflect.ValueOf(*to))
				guilds = append(guilds, to.UUID)
			case name == "Guild":
				f.Set(reflect.ValueOf(&guild))
				guilds = append(guilds, guild)
			case name == "From" && f.Type() == reflect.TypeOf(from):
				f.Set(reflect.ValueOf(from))
				guilds = append(guilds, from.UUID)
			case name == "To" && f.Type() == reflect.TypeOf(to):
				f.Set(reflect.ValueOf(to))
				guilds = append(guilds, to.UUID)
			case name == "World", (name == "From" || name == "To") && f.Type() == reflect.TypeOf(&world):
				f.Set(reflect.ValueOf(&world))
				worlds = append(worlds, world)
			}
		}
		e := &model.Event{Data: data}
		if !(events.Subjects{}).Match(e) {
			t.Errorf("%s does not match without subjects", k.Type)
		}
		for name, c := range map[string]struct {
			named []string
			of    func([]string) events.Subjects
		}{
			"players":     {players, func(l []string) events.Subjects { return events.Subjects{Players: l} }},
			"guilds":      {guilds, func(l []string) events.Subjects { return events.Subjects{Guilds: l} }},
			"territories": {territories, func(l []string) events.Subjects { return events.Subjects{Territories: l} }},
			"worlds":      {worlds, func(l []string) events.Subjects { return events.Subjects{Worlds: l} }},
		} {
			for _, subject := range c.named {
				if !c.of([]string{"x", subject}).Match(e) {
					t.Errorf("%s: %s %s does not match", k.Type, name, subject)
				}
			}
			if c.of([]string{"x"}).Match(e) {
				t.Errorf("%s matches other %s", k.Type, name)
			}
		}
		if len(players) > 0 && (events.Subjects{Players: []string{"p"}, Territories: []string{"t"}}).Match(e) {
			t.Errorf("%s matches one of two lists", k.Type)
		}
	}
}
