package importer_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// An import records what it changed in stored records, and nothing about new records. The same
// recording again changes nothing.
func TestImportRecordsEvents(t *testing.T) {
	acquired := time.Date(2026, 3, 20, 12, 0, 0, 0, time.UTC)
	lanternRow := &model.GuildReference{UUID: mongotest.UUID(500), Name: "Lantern Row"}
	other := &model.GuildReference{UUID: mongotest.UUID(501), Name: "Moss"}
	character := `{"character": {"uuid": "` + mongotest.UUID(101) + `", "classKey": "MAGE", "level": %d,
		"restrictions": [], "meta": {"died": true}}}`
	article := `{"number": %d, "title": "News", "published": true, "visible": %t, "startsAt": "%s",
		"publishedAt": "2026-03-01T00:00:00Z"}`
	for name, c := range map[string]struct {
		stored      func(*testing.T, *mongo.Store) error
		field, data string
		vars        map[string]any
		want        []model.EventData
		wantAt      time.Time // of the first
	}{
		"new player": {
			field: "player", data: `{"uuid":"` + mongotest.UUID(1) + `","username":"Salted","online":true,"restrictions":[]}`,
		},
		"player": {
			stored: func(t *testing.T, s *mongo.Store) error {
				return s.Players.Insert(t.Context(), []*model.Player{{UUID: mongotest.UUID(1), Username: "Salted"}})
			},
			field: "player", data: `{"uuid":"` + mongotest.UUID(1) + `","username":"Salted","online":true,"world":"EU1",
				"restrictions":[{"key":"MAIN_ACCESS","restricted":true},{"key":"ONLINE_STATUS","restricted":false}]}`,
			want: []model.EventData{
				&model.PlayerCameOnline{Player: mongotest.UUID(1), World: new("EU1")},
				&model.AccessRulesChanged{Player: mongotest.UUID(1), Rules: []string{"mainAccess"}},
			},
		},
		"hidden presence": {
			stored: func(t *testing.T, s *mongo.Store) error {
				return s.Players.Insert(t.Context(), []*model.Player{{
					UUID: mongotest.UUID(1), Username: "Salted", Online: true, World: new("EU1"),
					Rules: model.UniformAccessRules(model.Private),
				}})
			},
			field: "player", data: `{"uuid":"` + mongotest.UUID(1) + `","username":"Salted","online":false,
				"restrictions":[{"key":"MAIN_ACCESS","restricted":true},{"key":"ONLINE_STATUS","restricted":true}]}`,
		},
		"guild": {
			stored: func(t *testing.T, s *mongo.Store) error {
				if err := s.Guilds.Insert(t.Context(), []*model.Guild{
					{UUID: mongotest.UUID(500), Name: "Lantern Row", Level: 7},
				}); err != nil {
					return err
				}
				return s.Players.Insert(t.Context(), []*model.Player{
					{UUID: mongotest.UUID(1), Username: "Stays", Guild: lanternRow, Online: true, World: new("EU37")},
					{UUID: mongotest.UUID(2), Username: "Changes", Guild: other, Online: true, World: new("EU1")},
					{UUID: mongotest.UUID(3), Username: "Leaves", Guild: lanternRow},
				})
			},
			field: "guild", data: guildBody(3, member(mongotest.UUID(1), "Stays", 4, 0, false),
				member(mongotest.UUID(2), "Changes", 4, 0, false), member(mongotest.UUID(4), "New", 4, 0, false)),
			want: []model.EventData{
				&model.GuildLevelChanged{Guild: mongotest.UUID(500), From: 7},
				&model.PlayerChangedWorld{
					Player: mongotest.UUID(2), From: new("EU1"), To: new("EU37"), Guild: new(mongotest.UUID(500)),
				},
				&model.GuildMemberLeft{Guild: mongotest.UUID(501), Player: mongotest.UUID(2)},
				&model.GuildMemberJoined{Guild: mongotest.UUID(500), Player: mongotest.UUID(2), Rank: "CHIEF"},
				&model.GuildMemberLeft{Guild: mongotest.UUID(500), Player: mongotest.UUID(3)},
			},
		},
		"character": {
			stored: func(t *testing.T, s *mongo.Store) error {
				return s.Characters.Insert(t.Context(), []*model.Character{
					{UUID: mongotest.UUID(101), Owner: mongotest.UUID(1), ClassKey: "MAGE", Level: 12},
				})
			},
			field: "player", data: fmt.Sprintf(character, 14),
			vars: map[string]any{"username": mongotest.UUID(1), "uuid": mongotest.UUID(101)},
			want: []model.EventData{
				&model.CharacterLevelChanged{Player: mongotest.UUID(1), Character: mongotest.UUID(101), From: 12, To: 14},
				&model.CharacterDied{Player: mongotest.UUID(1), Character: mongotest.UUID(101), Level: 14},
			},
		},
		"territories": {
			stored: func(t *testing.T, s *mongo.Store) error {
				return errors.Join(s.Guilds.Put(t.Context(), []*model.Guild{{UUID: mongotest.UUID(1), Name: "Moss"}}),
					s.Territories.Put(t.Context(), []*model.Territory{
						{Name: "Mill", Guild: &model.TerritoryGuild{}, AcquiredAt: new(acquired.Add(-time.Hour))},
					}))
			},
			field: "territories",
			data: `{"nodes":[` + strings.Replace(mill, `"hq"`, `"acquiredAt":"2026-03-20T12:00:00Z","hq"`, 1) + `,` +
				keep + `]}`,
			want: []model.EventData{&model.TerritoryCaptured{
				Territory: "Mill", To: &model.EventGuild{UUID: mongotest.UUID(1), Name: "Moss", Prefix: "M"},
				HeldSeconds: new(int64(3600)),
			}},
			wantAt: acquired,
		},
		"article": {
			field: "article", data: fmt.Sprintf(article, 3, true, "2026-03-02T00:00:00Z"),
			want:   []model.EventData{&model.ArticlePublished{Article: 3, Title: "News"}},
			wantAt: time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC),
		},
		"article that begins later": {field: "article", data: fmt.Sprintf(article, 3, true, "2126-03-02T00:00:00Z")},
		"invisible article":         {field: "article", data: fmt.Sprintf(article, 3, false, "2026-03-02T00:00:00Z")},
	} {
		t.Run(name, func(t *testing.T) {
			store, _ := mongotest.Open(t)
			if c.stored != nil {
				mongotest.Must(t, c.stored(t, store))
			}
			for range 2 {
				readAndApply(t, store, c.field, c.data, c.vars)
				if diff := cmp.Diff(c.want, mongotest.EventData(t, store)); diff != "" {
					t.Fatal(diff)
				}
			}
			if guilds, err := store.Guilds.ByID(t.Context(), []string{mongotest.UUID(1)}); name == "territories" &&
				(err != nil || guilds[0].Captured != 1 || guilds[0].Lost != 0) {
				t.Errorf("got %+v, %v", guilds[0], err)
			}
			if !c.wantAt.IsZero() && !mongotest.Events(t, store)[0].At.Equal(c.wantAt) {
				t.Errorf("happened at %s, want %s", mongotest.Events(t, store)[0].At, c.wantAt)
			}
		})
	}
}
