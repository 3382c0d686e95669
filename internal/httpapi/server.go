package httpapi

import (
	"log/slog"
	"net/http"
	"time"
)

// NewServer returns an http.Server with limits against slow and oversized requests. net/http itself
// rejects what exceeds them: see API.Listener.
func NewServer(addr string, handler http.Handler) *http.Server {
	return &http.Server{
		Addr:              addr,
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		WriteTimeout:      60 * time.Second, // the largest responses, to a slow client
		IdleTimeout:       75 * time.Second,
		MaxHeaderBytes:    16 << 10,
		// OPTIONS * is routed like any other path, so that it gets the headers of every response.
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(slog.Default().Handler(), slog.LevelWarn),
	}
}
