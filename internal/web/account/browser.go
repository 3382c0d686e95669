package account

import "strings"

// mark is what a User-Agent header contains of a browser or a system.
type mark struct{ text, name string }

// browsers and systems are what a User-Agent header contains of each, the telling ones first: most browsers name others
// as well.
var (
	browsers = []mark{
		{"Edg", "Edge"},
		{"OPR/", "Opera"},
		{"Vivaldi/", "Vivaldi"},
		{"SamsungBrowser/", "Samsung Internet"},
		{"Firefox/", "Firefox"},
		{"FxiOS/", "Firefox"},
		{"CriOS/", "Chrome"},
		{"Chrome/", "Chrome"},
		{"Safari/", "Safari"},
		{"curl/", "curl"},
	}
	systems = []mark{
		{"iPhone", "iPhone"},
		{"iPad", "iPad"},
		{"Android", "Android"},
		{"CrOS", "ChromeOS"},
		{"Windows", "Windows"},
		{"Mac OS X", "macOS"},
		{"Linux", "Linux"},
	}
)

// describeBrowser returns the browser and the system of a User-Agent header in words, such as "Firefox on Linux"; empty
// if neither is known. Nothing that was sent is repeated.
func describeBrowser(userAgent string) string {
	browser, system := nameIn(browsers, userAgent), nameIn(systems, userAgent)
	switch {
	case browser != "" && system != "":
		return browser + " on " + system
	case system != "":
		return "A browser on " + system
	}
	return browser
}

func nameIn(list []mark, userAgent string) string {
	for _, m := range list {
		if strings.Contains(userAgent, m.text) {
			return m.name
		}
	}
	return ""
}
