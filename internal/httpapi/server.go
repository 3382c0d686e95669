package httpapi

import (
	"log/slog"
	"net/http"
	"time"
)

// Server returns an http.Server whose limits hold against slow and oversized requests.
// What exceeds them net/http answers by itself: see Listener.
func Server(addr string, handler http.Handler) *http.Server {
	return &http.Server{
		Addr:              addr,
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		WriteTimeout:      60 * time.Second, // the largest answers, to a slow client
		IdleTimeout:       75 * time.Second,
		MaxHeaderBytes:    16 << 10,
		ConnContext:       withPeer,
		// OPTIONS * is a path like any other, so that it gets the headers of every answer.
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(slog.Default().Handler(), slog.LevelWarn),
	}
}
