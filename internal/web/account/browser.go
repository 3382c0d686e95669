package account

import "strings"

// mark is the text that identifies a browser or a system in a User-Agent header.
type mark struct{ text, name string }

// browsers and systems list their marks in User-Agent headers, the specific ones first: most browsers also name others.
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

// describeBrowser describes the browser and the system of a User-Agent header, such as "Firefox on Linux"; empty if it
// knows neither. It never repeats text from the header.
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
