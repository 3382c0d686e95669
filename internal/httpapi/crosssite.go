package httpapi

import (
	"net/http"
	"net/url"
	"strings"
)

// crossSite tells whether a page of another site made the browser ask. Browsers say so
// in Sec-Fetch-Site, which pages cannot set. "same-site" counts as another site: a
// neighbouring subdomain may belong to somebody else. Older browsers send at least
// Origin with scripted requests; it is compared with the host that was asked.
//
// Programs send neither and are not cross-site.
func crossSite(r *http.Request) bool {
	if site := r.Header["Sec-Fetch-Site"]; len(site) > 0 {
		return len(site) > 1 || site[0] != "same-origin" && site[0] != "none"
	}
	origin := r.Header["Origin"]
	if len(origin) == 0 {
		return false
	}
	u, err := url.Parse(origin[0])
	if len(origin) > 1 || err != nil || u.Host == "" { // "null" has no host
		return true
	}
	return !strings.EqualFold(withoutDefaultPort(u.Host, u.Scheme), withoutDefaultPort(r.Host, u.Scheme))
}

func withoutDefaultPort(host, scheme string) string {
	switch scheme {
	case "http":
		return strings.TrimSuffix(host, ":80")
	case "https":
		return strings.TrimSuffix(host, ":443")
	}
	return host
}
