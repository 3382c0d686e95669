package conn

import (
	"slices"
	"testing"
	"time"
)

// What the URI says wins over the settings, and the settings over the defaults.
func TestClientOptions(t *testing.T) {
	const uri = "mongodb://a/"
	settings := Options{Timeout: 3 * time.Second, ServerSelectionTimeout: 2 * time.Second}
	for _, c := range []struct {
		o                           Options
		query, app                  string
		timeout, selection, connect time.Duration
		heartbeat                   time.Duration
		retryReads                  bool
		compressors                 []string
	}{
		{
			Options{},
			"", "gamedata", 800 * time.Millisecond, 300 * time.Millisecond, 2 * time.Second, 2 * time.Second,
			true, nil,
		},
		{settings, "", "gamedata", 3 * time.Second, 2 * time.Second, 3 * time.Second, 2 * time.Second, true, nil},
		{
			settings, "?timeoutMS=1500&serverSelectionTimeoutMS=700&connectTimeoutMS=900&appName=shop&retryReads=false" +
				"&compressors=zstd,zlib&heartbeatFrequencyMS=5000", "shop",
			1500 * time.Millisecond, 700 * time.Millisecond, 900 * time.Millisecond, 5 * time.Second, false,
			[]string{"zstd", "zlib"},
		},
		{
			settings, "?timeoutMS=0", "gamedata", 3 * time.Second, 2 * time.Second, 3 * time.Second, 2 * time.Second,
			true, nil,
		},
	} {
		c.o.URI = uri + c.query
		got, timeout := clientOptions(c.o)
		if err := got.Validate(); err != nil {
			t.Errorf("%s: %v", c.query, err)
			continue
		}
		if *got.AppName != c.app || timeout != c.timeout || *got.ServerSelectionTimeout != c.selection ||
			*got.ConnectTimeout != c.connect || *got.HeartbeatInterval != c.heartbeat || *got.RetryReads != c.retryReads ||
			!slices.Equal(got.Compressors, c.compressors) {
			t.Errorf("%s: got %s, %s, %s, %s, %s, %t, %v, want %+v", c.query, *got.AppName, *got.Timeout,
				*got.ServerSelectionTimeout, *got.ConnectTimeout, *got.HeartbeatInterval, *got.RetryReads,
				got.Compressors, c)
		}
	}
}
