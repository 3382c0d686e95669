package api

import (
	"bytes"
	"errors"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"gamedata/internal/app/apptest"
	"gamedata/internal/config"
	"gamedata/internal/telemetry"
)

var metricName = regexp.MustCompile(`\b(gamedata|process|go)_[a-z_]+`)

// metricNames returns the names of the metrics of a running service, and of those that count what rarely happens.
func metricNames(t *testing.T) []string {
	t.Helper()
	p := telemetry.NewMetrics("test")
	p.ObserveRequest(telemetry.Request{API: "rest", Operation: "Player", Status: 200, Cache: "hit", Bucket: "PLAYER"})
	p.ObserveCommand("find", "players", 0, nil)
	p.ObserveBatch("PlayerByUUID", 1, errors.New("failed"))
	p.ObserveJob("sweep", 0, nil)
	p.ObserveMalformed("players")
	p.ObserveFeedEvent("PlayerLeft", "applied")
	p.ObserveStreamEnd("SHUTDOWN")
	p.ObserveWebhook(false, 0)
	p.SetJobSuccess("sweep", time.Time{})
	page := httptest.NewRecorder()
	p.Handler().ServeHTTP(page, httptest.NewRequest("GET", "/metrics", nil))
	service, _ := apptest.StartDemo(t, "--admin-listen", "127.0.0.1:0")
	res := apptest.Get(t, apptest.AdminBase(t, service)+"/metrics")
	var names []string
	for _, m := range regexp.MustCompile(`# TYPE (\w+) `).FindAllStringSubmatch(page.Body.String()+string(res.Body), -1) {
		names = append(names, m[1])
	}
	names = append(names, "gamedata_redis_up") // with Redis only
	slices.Sort(names)
	return slices.Compact(names)
}

// Dashboard, alerts and documentation name existing metrics; dashboard and documentation all of them.
func TestMetricNames(t *testing.T) {
	there := metricNames(t)
	for _, file := range []string{"../../../deploy/grafana.json", "../../../deploy/alerts.yaml", "../../../docs/monitoring.md"} {
		text := apptest.ReadFile(t, file)
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
			if !strings.HasPrefix(name, "gamedata_") || strings.HasSuffix(file, "alerts.yaml") {
				continue
			}
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
	flags := pflag.NewFlagSet("serve", pflag.ContinueOnError)
	new(config.Service).Add(flags)
	for _, s := range config.Explain(flags) {
		known[s.Environment] = true
	}
	for _, name := range []string{"gamedata.service", "Dockerfile", "compose.yaml", "compose.replicaset.yaml"} {
		text := apptest.ReadFile(t, "../../../deploy/"+name)
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

// What vegeta and k6 send exists in the demo world.
func TestLoadFiles(t *testing.T) {
	t.Parallel()
	base := apptest.Shared(t).Base
	body := apptest.ReadFile(t, "../../../deploy/load/player.json")
	answer := apptest.RequestOK(t, base, "POST", "/graphql", string(body))
	if bytes.Contains(answer, []byte(`"errors"`)) {
		t.Errorf("got %.300s", answer)
	}
	for file, paths := range map[string]*regexp.Regexp{
		"targets.http": regexp.MustCompile(`(?m)^GET http://127.0.0.1:8080(/\S+)$`),
		"day.js":       regexp.MustCompile(`'(/v3/[^']+)'`),
	} {
		text := apptest.ReadFile(t, "../../../deploy/load/"+file)
		found := paths.FindAllStringSubmatch(string(text), -1)
		if len(found) < 3 {
			t.Errorf("%s: found the paths %v", file, found)
		}
		for _, m := range found {
			apptest.RequestOK(t, base, "GET", m[1], "")
		}
	}
}

type ruleFile struct {
	Groups []struct {
		Name  string
		Rules []struct {
			Alert, Expr, For string
			Labels           map[string]string
			Annotations      map[string]string
		}
	}
}

// Each alert is unique, has a severity and a summary, says what to do, and links to a section of the documentation.
func TestAlerts(t *testing.T) {
	var rules ruleFile
	d := yaml.NewDecoder(bytes.NewReader(apptest.ReadFile(t, "../../../deploy/alerts.yaml")))
	d.KnownFields(true)
	if err := d.Decode(&rules); err != nil {
		t.Fatal(err)
	}
	docs := apptest.ReadFile(t, "../../../docs/monitoring.md")
	sections := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^### (\w+)$`).FindAllStringSubmatch(string(docs), -1) {
		sections["docs/monitoring.md#"+strings.ToLower(m[1])] = false
	}
	seen, jobs := map[string]bool{}, ""
	for _, g := range rules.Groups {
		for _, r := range g.Rules {
			a := r.Annotations
			if seen[r.Alert] || r.Alert == "" || r.Expr == "" || a["summary"] == "" || a["action"] == "" ||
				!slices.Contains([]string{"warning", "critical"}, r.Labels["severity"]) {
				t.Errorf("alert %q is incomplete or not unique", r.Alert)
			}
			if r.For != "" {
				if _, err := time.ParseDuration(r.For); err != nil {
					t.Errorf("%s: %v", r.Alert, err)
				}
			}
			if _, ok := sections[a["runbook"]]; !ok {
				t.Errorf("%s links to %q, which is not a section", r.Alert, a["runbook"])
			}
			if !strings.Contains(string(docs), r.Alert) {
				t.Errorf("the documentation does not name %s", r.Alert)
			}
			seen[r.Alert], sections[a["runbook"]] = true, true
			jobs += r.Expr
		}
	}
	for section, linked := range sections {
		if !linked {
			t.Errorf("no alert links to %s", section)
		}
	}
	for _, job := range []string{"leaderboards", "ranks", "statistics", "sweep", "history", "dumps"} {
		if !regexp.MustCompile(`job_name=~?"[a-z|]*\b` + job + `\b`).MatchString(jobs) {
			t.Errorf("no alert watches the job %s", job)
		}
	}
}

// The containers of the profile monitoring find their files, each other and the service.
func TestMonitoringProfile(t *testing.T) {
	var compose struct {
		Services map[string]struct {
			Profiles, Volumes, Ports []string
			Environment              map[string]string
		}
	}
	if err := yaml.Unmarshal(apptest.ReadFile(t, "../../../deploy/compose.yaml"), &compose); err != nil {
		t.Fatal(err)
	}
	dockerfile := apptest.ReadFile(t, "../../../deploy/Dockerfile")
	if !bytes.Contains(dockerfile, []byte(" TMPDIR=/data\n")) ||
		!slices.Contains(compose.Services["gamedata"].Volumes, "gamedata:/data") {
		t.Error("a container that is read-only has no directory for temporary files")
	}
	for name, service := range compose.Services {
		for _, v := range service.Volumes {
			if file, _, _ := strings.Cut(v, ":"); strings.HasPrefix(file, "./") {
				if _, err := os.Stat("../../../deploy/" + file); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
		for _, p := range service.Ports {
			if !strings.HasPrefix(p, "127.0.0.1:") {
				t.Errorf("%s publishes %s, want loopback only", name, p)
			}
		}
		if monitoring := name == "prometheus" || name == "grafana"; slices.Contains(service.Profiles, "monitoring") !=
			monitoring {
			t.Errorf("%s has the profiles %v", name, service.Profiles)
		}
	}
	admin, dashboards := compose.Services["gamedata"].Environment, "/var/lib/grafana/dashboards"
	if !strings.Contains(admin["GAMEDATA_ALLOWED_HOSTS"], "gamedata") {
		t.Error("the service rejects the name by which Prometheus reaches it")
	}
	for file, want := range map[string]string{
		"prometheus.yaml": "\nrule_files: [alerts.yaml]\nscrape_configs:\n  - job_name: gamedata\n    static_configs:\n" +
			`      - targets: ["gamedata` + admin["GAMEDATA_ADMIN_LISTEN"] + `"]`,
		"grafana-datasources.yaml": "\n    access: proxy\n    url: http://prometheus:9090\n    isDefault: true",
		"grafana-dashboards.yaml":  "\n    options: {path: " + dashboards + "}",
		"compose.yaml":             "\n      - ./grafana.json:" + dashboards + "/gamedata.json:ro",
	} {
		if text := apptest.ReadFile(t, "../../../deploy/"+file); !bytes.Contains(text, []byte(want)) {
			t.Errorf("%s lacks %s", file, want)
		}
	}
}
