package redis_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	driver "github.com/redis/go-redis/v9"

	"gamedata/internal/ratelimit/redis"
	"gamedata/internal/ratelimit/redistest"
)

// Counters are shared through a cluster and through the server that Sentinels name.
func TestSeveralAddresses(t *testing.T) {
	for name, start := range map[string]func(*testing.T) string{"cluster": startCluster, "Sentinel": startSentinel} {
		t.Run(name, func(t *testing.T) {
			url := start(t)
			one, other := open(t, redis.Options{URL: url}), open(t, redis.Options{URL: url})
			one.Take("ITEMS", "a", 7, perMinute(50))
			if got := other.Take("ITEMS", "a", 1, perMinute(50)); got.Remaining != 42 || !one.Shared() || !other.Shared() {
				t.Errorf("got %+v, shared %v and %v", got, one.Shared(), other.Shared())
			}
		})
	}
}

func address(s *redistest.Server) string {
	return strings.TrimSuffix(strings.TrimPrefix(s.URL, "redis://"), "/0")
}

// startCluster starts a cluster of one node.
func startCluster(t *testing.T) string {
	node := address(redistest.Start(t, "--cluster-enabled", "yes", "--cluster-node-timeout", "5000"))
	client := driver.NewClient(&driver.Options{Addr: node})
	defer client.Close()
	if err := client.ClusterAddSlotsRange(t.Context(), 0, 16383).Err(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(3 * time.Minute); ; {
		info, err := client.ClusterInfo(t.Context()).Result()
		if strings.Contains(info, "cluster_state:ok") {
			return "redis://" + node + "," + node
		}
		if time.Now().After(deadline) {
			t.Fatal(info, err)
		}
	}
}

// startSentinel starts a server and a Sentinel that knows it as game.
func startSentinel(t *testing.T) string {
	host, port, _ := strings.Cut(address(redistest.Start(t)), ":")
	file := filepath.Join(t.TempDir(), "sentinel.conf")
	if err := os.WriteFile(file, fmt.Appendf(nil, "sentinel monitor game %s %s 1\n", host, port), 0o600); err != nil {
		t.Fatal(err)
	}
	return "redis://" + address(redistest.Start(t, file, "--sentinel")) + "/0?master=game"
}

// An error does not repeat the address, which may contain a password.
func TestURLs(t *testing.T) {
	for url, ok := range map[string]bool{
		"redis://a:6379/3": true, "rediss://user:secret@a,b:7000,c": true, "redis://a?cluster=true": true,
		"redis://[::1]:6379,[::2]/0?master=game&sentinel_password=x": true, "unix:///run/redis.sock?db=1": true,
		"redis://a,b/3": false, "http://a": false, "a:6379": false, "redis://a?unknown=1": false, "redis://a,b/x": false,
		"": false, "secret": false, "http://:secret@localhost": false, "redis://:secret@localhost:port/0": false,
		"redis://:secret@localhost/x": false, "redis://\x00secret": false,
	} {
		c, err := redis.Open(redis.Options{URL: url})
		if (err == nil) != ok || err != nil && (!errors.Is(err, redis.ErrURL) || strings.Contains(err.Error(), "secret")) {
			t.Errorf("%q: got %v", url, err)
		}
		if err == nil {
			_ = c.Close()
		}
	}
}
