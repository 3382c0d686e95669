package webhook

import (
	"strings"
	"testing"

	"gamedata/graph/model"
)

// Each kind of event has a sentence, with and without what may be missing.
func TestSentences(t *testing.T) {
	n := names{"": "Salted"}
	for _, k := range model.EventKinds {
		if k.Internal {
			continue
		}
		for _, known := range []names{n, {}} {
			text := sentence(k.New(), known)
			if text == "" || strings.Contains(text, "  ") {
				t.Errorf("%s: got %q", k.Type, text)
			}
		}
	}
	moss := &model.EventGuild{Name: "Mossbound", Prefix: "MOS"}
	row := &model.EventGuild{Name: "Lantern Row", Prefix: "LNRW"}
	guild, many := "g", strings.Split(strings.Repeat("p", 12), "")
	n = names{"p": "Salted", "g": "Mossbound"}
	for want, data := range map[string]model.EventData{
		`**Mossbound** \[MOS\] captured **Detlas** from **Lantern Row** \[LNRW\].`: &model.TerritoryCaptured{
			Territory: "Detlas", From: row, To: moss,
		},
		`**Lantern Row** \[LNRW\] lost **Detlas**, which is free.`: &model.TerritoryCaptured{Territory: "Detlas", From: row},
		`**Mossbound** completed **Nest** with **Salted**.`: &model.RaidFinished{
			Raid: "Nest", Guild: &guild, Players: []string{"p"},
		},
		"**Mossbound** won a war with " + strings.Repeat("**Salted**, ", 9) + "**Salted** and 2 more.": &model.WarFinished{
			Guild: "g", Players: many,
		},
		"**\u2068אבג\u2069** is now called **\u2068éx\u2069**.": &model.PlayerRenamed{From: "אבג", To: "é\u202ex\u2069"},
		"**Salted** created a character: dark wizard.":          &model.CharacterCreated{Player: "p", Class: "DARK WIZARD"},
	} {
		if got := sentence(data, n); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
