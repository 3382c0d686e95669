package web

import (
	"html/template"
	"io/fs"
)

// Templates reads the templates of a room, html/*.html, into the frame that all rendered pages
// have: "top" begins a page and "end" ends it. What a room defines of "meta", "class", "nav",
// "heading" and "foot" stands in the frame; what is shown has a Title.
func Templates(words template.FuncMap, room fs.FS) (*template.Template, error) {
	frame, err := template.New("").Funcs(words).ParseFS(pages, "frame.html")
	if err != nil {
		return nil, err
	}
	return frame.ParseFS(room, "html/*.html")
}
