package httpapi

import (
	"net/http"
	"net/url"
	"strings"
)

// crossOrigin checks the headers that browsers add to requests from pages.
var crossOrigin = http.NewCrossOriginProtection()

// SameOrigin reports whether a form or a mutation comes from a page of this host, or from a program.
// It accepts every GET.
func SameOrigin(r *http.Request) bool { return crossOrigin.Check(r) == nil }

// crossSite reports whether a page of another site made the browser send a request, of any method.
// http.CrossOriginProtection lets every GET pass; /player/whoami and /map/locations/player depend on
// the client's address and must reject cross-site GETs too.
//
// Browsers send Sec-Fetch-Site, which pages cannot set. "same-site" counts as cross-site: a neighbouring subdomain may
// belong to someone else. Older browsers send at least Origin with scripted requests, which is compared with the
// requested host. Programs send neither and are not cross-site.
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
