package account

import "strings"

// browsers and systems are what a User-Agent header contains of each, the telling ones first: most browsers name others
// as well.
var (
	browsers = []struct{ mark, name string }{
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
	systems = []struct{ mark, name string }{
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
	browser, system := "", ""
	for _, b := range browsers {
		if strings.Contains(userAgent, b.mark) {
			browser = b.name
			break
		}
	}
	for _, s := range systems {
		if strings.Contains(userAgent, s.mark) {
			system = s.name
			break
		}
	}
	switch {
	case browser != "" && system != "":
		return browser + " on " + system
	case system != "":
		return "A browser on " + system
	}
	return browser
}
