package site

import (
	"gamedata/internal/web"
	"gamedata/internal/web/card"
)

// facts are named values in display order: rows of a two-column table, or figures on a picture.
type facts []card.Figure

func (f *facts) text(name, value string) { *f = append(*f, card.Figure{Name: name, Value: value}) }

func (f *facts) number(name string, n int64) { f.text(name, web.Number(n)) }

// grown adds a number and what it grew this week; nil if that is unknown.
func (f *facts) grown(name string, n int64, w *week) {
	f.number(name, n)
	f.grow(w)
}

// grow notes what the last fact grew this week.
func (f *facts) grow(w *week) {
	if w != nil {
		(*f)[len(*f)-1].Note = w.Text + " this week"
	}
}

func (f *facts) numberIf(name string, n *int64) {
	if n != nil {
		f.number(name, *n)
	}
}

// labelIf adds a key of the data in words unless it is nil.
func (f *facts) labelIf(name string, key *string) {
	if key != nil {
		f.text(name, web.Label(*key))
	}
}
