package conn

import (
	"log/slog"

	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// driverLog passes on the driver's log messages. The driver is silent unless its environment variables, such as
// MONGODB_LOG_ALL, are set.
type driverLog struct{ log *slog.Logger }

var _ options.LogSink = driverLog{}

// Info implements options.LogSink; levels above 0 are for debugging.
func (l driverLog) Info(level int, message string, pairs ...any) {
	if level > 0 {
		l.log.Debug("driver: "+message, pairs...)
		return
	}
	l.log.Info("driver: "+message, pairs...)
}

// Error implements options.LogSink.
func (l driverLog) Error(err error, message string, pairs ...any) {
	l.log.Error("driver: "+message, append(pairs, "error", err)...)
}
