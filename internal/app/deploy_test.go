package app_test

import (
	"errors"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"gamedata/internal/config"
	"gamedata/internal/telemetry"
)

// metricName matches names of metrics in a text.
var metricName = regexp.MustCompile(`gamedata_[a-z_]+`)

// Dashboard and documentation name exactly the existing metrics.
func TestMetricNames(t *testing.T) {
	p := telemetry.NewMetrics("test")
	p.ObserveRequest(telemetry.Request{API: "rest", Operation: "Player", Status: 200, Cache: "hit", Bucket: "PLAYER"})
	p.ObserveCommand("find", "players", 0, nil)
	p.ObserveBatch("PlayerByUUID", 1, errors.New("failed"))
	p.ObserveJob("sweep", 0, nil)
	p.ObserveMalformed("players")
	p.ObserveFeedEvent("PlayerLeft", "applied")
	p.SetJobSuccess("sweep", time.Time{})
	page := httptest.NewRecorder()
	p.Handler().ServeHTTP(page, httptest.NewRequest("GET", "/metrics", nil))
	var there []string
	for _, m := range regexp.MustCompile(`# TYPE (gamedata_[a-z_]+) `).FindAllStringSubmatch(page.Body.String(), -1) {
		there = append(there, m[1])
	}
	// Metrics of packages that the service wires up.
	there = append(there, "gamedata_store_circuit_open", "gamedata_redis_up",
		"gamedata_operations_running", "gamedata_operations_waiting", "gamedata_operations_limit",
		"gamedata_operations_rejected_total",
		"gamedata_response_cache_bytes", "gamedata_response_cache_evictions_total", "gamedata_record_cache_bytes",
		"gamedata_record_cache_evictions_total")
	for _, file := range []string{"../../deploy/grafana.json", "../../docs/monitoring.md"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		named := metricName.FindAllString(string(text), -1)
		for _, name := range named {
			for _, tail := range []string{"_bucket", "_sum", "_count"} {
				name = strings.TrimSuffix(name, tail)
			}
			if !slices.Contains(there, name) {
				t.Errorf("%s names %s, which is not a metric", file, name)
			}
		}
		for _, name := range there {
			short := name[strings.LastIndex(name, "_"):]
			if !strings.Contains(string(text), name) && !strings.Contains(string(text), "`"+short+"`") &&
				name != "gamedata_build_info" {
				t.Errorf("%s does not name %s", file, name)
			}
		}
	}
}

// The deployment files name existing settings.
func TestDeployFiles(t *testing.T) {
	known := map[string]bool{}
	for _, m := range regexp.MustCompile("`(GAMEDATA_[A-Z_]+)`").FindAllStringSubmatch(config.Markdown(), -1) {
		known[m[1]] = true
	}
	for _, name := range []string{"gamedata.service", "Dockerfile", "compose.yaml"} {
		text, err := os.ReadFile("../../deploy/" + name)
		if err != nil {
			t.Fatal(err)
		}
		variables := regexp.MustCompile(`GAMEDATA_[A-Z_]+`).FindAllString(string(text), -1)
		if len(variables) == 0 {
			t.Errorf("%s sets nothing", name)
		}
		for _, v := range variables {
			if !known[v] {
				t.Errorf("%s sets %s, which is not a setting", name, v)
			}
		}
		if strings.HasSuffix(name, ".yaml") {
			if err := yaml.Unmarshal(text, new(yaml.Node)); err != nil {
				t.Error(err)
			}
		}
	}
}
