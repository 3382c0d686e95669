package account

import "testing"

func TestDescribeBrowser(t *testing.T) {
	const webkit = " AppleWebKit/537.36 (KHTML, like Gecko) "
	for agent, want := range map[string]string{
		"Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0":                  "Firefox on Linux",
		"Mozilla/5.0 (Windows NT 10.0)" + webkit + "Chrome/129.0 Safari/537.36":                   "Chrome on Windows",
		"Mozilla/5.0 (Windows NT 10.0)" + webkit + "Chrome/129.0 Safari/537.36 Edg/129.0":         "Edge on Windows",
		"Mozilla/5.0 (Linux; Android 14)" + webkit + "Chrome/129.0 Mobile Safari/537.36 EdgA/129": "Edge on Android",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) CriOS/129 Safari/604.1":           "Chrome on iPhone",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)" + webkit + "Version/17 Safari/605.1.15": "Safari on macOS",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Gecko":                                   "A browser on macOS",
		"curl/8.9.1":   "curl",
		"<b>other</b>": "",
		"":             "",
	} {
		if got := describeBrowser(agent); got != want {
			t.Errorf("%q: got %q, want %q", agent, got, want)
		}
	}
}
