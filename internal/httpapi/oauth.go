package httpapi

import (
	"encoding/json"
	"net/http"

	"gamedata/graph"
	"gamedata/graph/viewer"
)

// AsApplication prepares the answer of the token endpoint, where the Authorization header
// belongs to an application: nobody is signed in, requests are counted for the client's
// address (WIRE §1.2), and every error is told in error_description too (WIRE §2.5).
func AsApplication(w http.ResponseWriter) {
	if p := replyOf(w); p != nil {
		p.credential, p.oauth = nil, true
		p.asker = viewer.Viewer{Kind: viewer.Guest, Address: p.asker.Address, CrossSite: p.asker.CrossSite}
	}
}

// OAuthError answers with an error of RFC 6749 in the body of WIRE §2.5. The status is 401 for
// a client that is not known and 400 otherwise; basic says that it came by HTTP Basic.
func (d *Door) OAuthError(w http.ResponseWriter, r *http.Request, name, text string, basic bool) {
	status := http.StatusBadRequest
	if name == "invalid_client" {
		status = http.StatusUnauthorized
		if basic {
			setAll(w, authenticate, `Basic realm="applications", charset="UTF-8"`)
		}
	}
	body, err := json.Marshal(errorBody{Error: name, Description: text, Detail: text, Code: status})
	if err != nil { // strings and a number always marshal
		d.Error(w, r, graph.ErrInternal)
		return
	}
	d.write(w, r, &Answer{Status: status, Body: body})
}
