package web

import "time"

// Layout is the data that the layout needs from every page. The data of each page embeds it.
type Layout struct {
	// Title of the page, without the name of the service.
	Title string
	// Description of the page for search engines and shared links; empty for pages that are not shared.
	Description string
	// Address is the canonical address of the page in full, for links that are shared.
	Address string
	// Kind is the page's type of the Open Graph protocol; website when empty.
	Kind string
	// Image is the full address of the picture for shared links, 1200 × 630 pixels; empty if there is none.
	Image string
	// PublishedAt is when an article was published.
	PublishedAt *time.Time
	// Clock describes the clock of a demo that is not real time: a real time, the time of the game then, both in
	// milliseconds since 1970, and the speed, with spaces between.
	Clock string
	// NoIndex excludes the page from search engines.
	NoIndex bool
	// Active is the path of the navigation entry that the page belongs to, such as /players.
	Active string
	// UserName is the name of the signed-in account on pages rendered for one user. Elsewhere a script shows it.
	UserName string
	// Search is the text in the search fields.
	Search string
	// Scripts and Styles are built files that this page loads besides the common ones, such as chart.js. They are
	// omitted if the program has no built files.
	Scripts, Styles []string
	// Narrow is for pages of text and forms, App for pages that fill the window and style themselves.
	Narrow, App bool
}

// BodyClass is the CSS class of the body.
func (l Layout) BodyClass() string {
	switch {
	case l.App:
		return "app"
	case l.Narrow:
		return "narrow"
	}
	return ""
}

// pair passes two values to a template.
type pair struct{ A, B any }
