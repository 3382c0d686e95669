// Package feedhttp serves POST /feed: game servers in any language send events, one JSON object a line. Package feed
// defines the events.
package feedhttp

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"gamedata/graph"
	"gamedata/internal/feed"
	"gamedata/internal/httpapi"
	"gamedata/internal/ratelimit"
	"gamedata/mongo"
)

// Path of the endpoint.
const Path = "/feed"

// Bucket is the rate-limit bucket of senders.
const Bucket = "FEED"

// Limits of a request besides the limits in Options.
const (
	MaxLine  = 64 << 10 // bytes
	MaxLines = 10_000

	// A batch is applied in one transaction; a request may have many batches.
	maxBatch      = 500       // events
	maxBatchBytes = 512 << 10 // of their lines

	readTimeout = 15 * time.Second // for the lines of a batch
	maxDuration = 45 * time.Second // of a request, below the server's limit for a response
)

// Senders authenticates game servers by the value of an Authorization header; see auth.FeedTokens.
type Senders interface {
	Sender(ctx context.Context, authorization string) (name string, err *graph.Error)
}

// Options of a Handler. Senders, Feed and Counters are required.
type Options struct {
	Senders  Senders
	Feed     *feed.Feed
	Counters ratelimit.Counters
	Rate     ratelimit.Rate // requests of a sender
	MaxBody  int64          // bytes of a body, uncompressed
	// Count is called with the name of each event, "unknown" when it could not be read, and its result: applied,
	// duplicate or rejected. It may be nil.
	Count func(event, result string)
	// Log receives what senders do not see; slog.Default() when nil.
	Log *slog.Logger
}

// Handler applies the events of a request in their order, a batch at a time while it reads, and reports the result of
// each. Events before an error stay applied, and the response lists them.
type Handler struct {
	api    *httpapi.API
	o      Options
	places *places
}

var _ http.Handler = (*Handler)(nil)

// New returns the handler, to be called behind the middleware of an API.
func New(api *httpapi.API, o Options) *Handler {
	o.Log = cmp.Or(o.Log, slog.Default())
	if o.Count == nil {
		o.Count = func(string, string) {}
	}
	return &Handler{api: api, o: o, places: &places{senders: map[string]int{}}}
}

var (
	errHeaders = graph.Errorf(graph.MalformedPayload, "Send one Authorization header.")
	errKey     = graph.Errorf(graph.MalformedPayload, "Send one Idempotency-Key of 1 to 128 characters.")
	errStore   = graph.Errorf(graph.ServiceUnavailable,
		"The store of this service has no transactions, so events could be counted twice: its MongoDB must be a replica set.")
	errBusy     = graph.Errorf(graph.ServiceUnavailable, "Too many requests are being applied.")
	errConflict = graph.Errorf(graph.ServiceUnavailable, "Another instance is changing the same records.")
	errLines    = graph.Errorf(graph.PayloadTooLarge, "A request has at most 10,000 lines.")
)

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	httpapi.SetRoute(r.Context(), httpapi.APIOther, Path, "feed")
	httpapi.NoCORS(w.Header())
	httpapi.ActAsGuest(r.Context())
	if r.Method != http.MethodPost {
		h.api.MethodNotAllowed(w, r, http.MethodPost)
		return
	}
	sender, ok := h.authenticate(w, r)
	if !ok {
		return
	}
	if !h.o.Feed.ExactlyOnce() {
		h.reject(w, r, errStore)
		return
	}
	keys := r.Header.Values("Idempotency-Key")
	if len(keys) > 1 || len(keys) == 1 && (keys[0] == "" || !validID(keys[0])) {
		h.reject(w, r, errKey)
		return
	}
	body, done, bad := openBody(w, r, h.o.MaxBody)
	if bad != nil {
		h.reject(w, r, bad)
		return
	}
	defer done()
	ctx, cancel := context.WithTimeout(r.Context(), maxDuration)
	defer cancel()
	run := &run{h: h, sender: sender, lines: newLineReader(body), report: report{Lines: []lineReport{}}}
	if len(keys) == 1 {
		run.key = keys[0]
	}
	defer run.leave()
	control := http.NewResponseController(w)
	for more := true; more && bad == nil; {
		_ = control.SetReadDeadline(time.Now().Add(readTimeout)) // for each batch
		more, bad = run.read()
		bad = cmp.Or(run.apply(ctx), bad)
	}
	run.log()
	run.report.write(w, r, bad)
}

// authenticate returns the sender if the token is valid and the sender has quota left. Otherwise it writes the error.
func (h *Handler) authenticate(w http.ResponseWriter, r *http.Request) (sender string, ok bool) {
	headers := r.Header.Values("Authorization")
	if len(headers) > 1 {
		h.reject(w, r, errHeaders)
		return "", false
	}
	bad := graph.ErrInvalidToken
	if len(headers) == 1 {
		sender, bad = h.o.Senders.Sender(r.Context(), headers[0])
	}
	switch {
	case bad != nil && bad.Code == graph.InvalidToken:
		w.Header().Set("Connection", "close") // the body is not read
		h.api.Reject(w, r, bad)               // charged to the address
		return "", false
	case bad != nil:
		h.reject(w, r, bad)
		return "", false
	}
	d := h.o.Counters.Take(Bucket, "feed "+sender, 1, h.o.Rate)
	if !d.Allowed {
		w.Header().Set("Connection", "close")
		h.api.Limits.TooManyRequests(w, r, d)
		return "", false
	}
	httpapi.SetRateHeaders(w, r, d)
	return sender, true
}

// reject writes the error of a request before any line is read.
func (h *Handler) reject(w http.ResponseWriter, r *http.Request, bad *graph.Error) {
	w.Header().Set("Connection", "close")
	h.api.Errors.Write(w, r, bad)
}

// run is a request in progress.
type run struct {
	h      *Handler
	sender string
	key    string // Idempotency-Key
	lines  *lineReader
	report report
	placed bool // the request has a place in places, taken at its first line

	// The batch: its events, and the index of each in the report.
	sent []feed.Sent
	at   []int
}

// read reads the lines of a batch. It returns false at the end of the body.
func (r *run) read() (more bool, bad *graph.Error) {
	r.sent, r.at = r.sent[:0], r.at[:0]
	for size := 0; len(r.sent) < maxBatch && size < maxBatchBytes; {
		text, err := r.lines.next()
		switch {
		case errors.Is(err, io.EOF):
			return false, nil
		case err != nil:
			return false, bodyError(err)
		case r.lines.number > MaxLines:
			return false, errLines
		case !r.placed && !r.h.places.take(r.sender):
			return false, errBusy
		}
		r.placed = true
		size += len(text)
		r.add(text)
	}
	return true, nil
}

func (r *run) leave() {
	if r.placed {
		r.h.places.release(r.sender)
	}
}

// add adds a line to the report, and its event to the batch.
func (r *run) add(text []byte) {
	l := lineReport{Line: r.lines.number, event: "unknown"}
	var event feed.Event
	var wrong *feed.Error
	if text == nil {
		wrong = &feed.Error{Code: feed.Invalid, Message: "the line is longer than 64 KiB"}
	} else {
		l.ID, event, wrong = decodeLine(text)
	}
	if event != nil {
		l.event = feed.NameOf(event)
	}
	key := r.eventKey(l.ID)
	if wrong == nil && key == "" {
		wrong = &feed.Error{
			Code: feed.Invalid, Field: "id", Message: "id is missing, and the request has no Idempotency-Key",
		}
	}
	if wrong != nil {
		l.reject(wrong)
	} else {
		r.sent, r.at = append(r.sent, feed.Sent{Key: key, Event: event}), append(r.at, len(r.report.Lines))
	}
	r.report.Lines = append(r.report.Lines, l)
}

// eventKey identifies an event across all senders; empty without an id from the sender. Names and ids have no control
// characters.
func (r *run) eventKey(id string) string {
	switch {
	case id != "":
		return r.sender + "\n" + id
	case r.key != "":
		return r.sender + "\n\n" + r.key + "\n" + strconv.Itoa(r.lines.number)
	}
	return ""
}

// apply applies the batch and counts the results of its lines.
func (r *run) apply(ctx context.Context) *graph.Error {
	defer r.report.count(r.h.o.Count)
	if len(r.sent) > 0 {
		outcomes, err := r.h.o.Feed.Apply(ctx, r.sent)
		if err != nil {
			r.report.undo(r.at[0])
			return r.failed(ctx, err)
		}
		for i, o := range outcomes {
			l := &r.report.Lines[r.at[i]]
			switch {
			case o.Err != nil:
				l.reject(o.Err)
			case o.Duplicate:
				l.Result = duplicate
			default:
				l.Result = applied
			}
		}
	}
	return nil
}

func (r *run) failed(ctx context.Context, err error) *graph.Error {
	if errors.Is(err, mongo.ErrUnavailable) || ctx.Err() != nil {
		r.h.o.Log.Warn("applying feed events failed", "sender", r.sender, "error", err)
		if errors.Is(err, mongo.ErrConflict) {
			return errConflict
		}
		return graph.ErrUnavailable
	}
	r.h.o.Log.Error("applying feed events failed", "sender", r.sender, "error", err)
	return graph.ErrInternal
}

// log logs rejected events, since a sender may ignore the report.
func (r *run) log() {
	if r.report.Rejected == 0 {
		return
	}
	for _, l := range r.report.Lines {
		if l.Result == rejected {
			r.h.o.Log.Warn("feed events rejected", "sender", r.sender, "rejected", r.report.Rejected,
				"of", len(r.report.Lines), "first_line", l.Line, "first_id", l.ID, "first_event", l.event,
				"first_message", l.Message)
			return
		}
	}
}
