package httpapi

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"time"
)

type connKey struct{}

// NewServer returns the http.Server of a listener, public or for operators. net/http rejects requests that exceed its
// limits on time and size. Its warnings go to log.
func NewServer(handler http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           closeAfterChunks(handler),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		WriteTimeout:      60 * time.Second, // enough for the largest response to a slow client
		IdleTimeout:       75 * time.Second,
		MaxHeaderBytes:    16 << 10,
		// OPTIONS * is routed like any other path, so that it gets the headers of every response.
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(log.Handler(), slog.LevelWarn),
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, connKey{}, c)
		},
	}
}

// closeAfterChunks closes the connection after a request whose end a proxy may see elsewhere: the next bytes may be a
// smuggled request.
//
// net/http rejects requests that it cannot frame (several lengths, unknown transfer codings), but if a request has both
// a length and chunks, it hides the length and keeps the connection. In HTTP/1.0 it ignores chunks, and a proxy may
// not.
func closeAfterChunks(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if slices.Contains(r.TransferEncoding, "chunked") || !r.ProtoAtLeast(1, 1) {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}
