package door

import (
	"net/http"

	"gamedata/graph"
	"gamedata/graph/viewer"
)

// identify tells who asks. A credential that cannot be accepted comes back as an error
// beside a guest of the right address: the refusal is counted for that address, in the
// bucket of the endpoint (WIRE §1.2), which only the endpoint knows. Admit does both.
func (d *Door) identify(r *http.Request) (viewer.Viewer, *graph.Error) {
	guest := viewer.Viewer{Kind: viewer.Guest, Address: d.clientAddress(r), CrossSite: crossSite(r)}
	switch len(r.Header.Values("Authorization")) {
	case 0:
		return guest, nil
	case 1:
	default:
		return guest, graph.Errorf(graph.MalformedPayload, "Send one Authorization header.")
	}
	v, err := d.o.Authenticate(r)
	if err != nil {
		return guest, err
	}
	v.Address, v.CrossSite = guest.Address, guest.CrossSite
	return v, nil
}

// unknownCredential stands for Options.Authenticate where no credentials are issued:
// none can be valid, and a bad credential never becomes a guest.
func unknownCredential(*http.Request) (viewer.Viewer, *graph.Error) {
	return viewer.Viewer{}, graph.ErrInvalidToken
}
