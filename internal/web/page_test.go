package web

import (
	"encoding/xml"
	"testing"
	"testing/fstest"
)

// A name with characters that XML forbids, or that have a meaning in it, leaves a document well-formed.
func TestRenderedXML(t *testing.T) {
	templates := ParseTemplates(fstest.MapFS{"html/picture.html": {Data: []byte(
		`{{define "picture"}}<svg xmlns="http://www.w3.org/2000/svg" aria-label="{{.}}"><text>{{.}}</text></svg>{{end}}`,
	)}})
	body, err := templates.Render("picture", "<X\uFFFEY\uFFFF\x00\x1b\xff\xed\xa0\x80&\">")
	if err != nil {
		t.Fatal(err)
	}
	var picture struct {
		Label string `xml:"aria-label,attr"`
		Text  string `xml:"text"`
	}
	const want = "<X\uFFFDY\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD&\">"
	if err := xml.Unmarshal(body, &picture); err != nil || picture.Text != want || picture.Label != want {
		t.Errorf("got %v, %q, want %q", err, picture, want)
	}
}

// A name is isolated from the text beside it.
func TestMarkedName(t *testing.T) {
	if got, want := string(mark("a<b", "A")), "<bdi><mark>a</mark>&lt;b</bdi>"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
