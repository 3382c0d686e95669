package api

import (
	"strings"
	"testing"

	"gamedata/internal/app/apptest"
)

// A running service runs its jobs, has the times of their successes as metrics, and still ends cleanly.
func TestServiceRunsJobs(t *testing.T) {
	t.Parallel()
	dir := apptest.DemoDir(t)
	p := apptest.Start(t, "--data-dir", dir, "--leaderboard-refresh", "1s", "--log-level", "info",
		"--dumps-dir", t.TempDir(), "--admin-listen", "127.0.0.1:0")
	for _, line := range []string{"job=sweep", "job=dumps"} {
		apptest.Await(t, line, func() bool { return strings.Contains(p.Stderr.String(), line) })
	}
	res := apptest.Get(t, apptest.AdminBase(t, p)+"/metrics")
	if at := sample(t, string(res.Body), `gamedata_job_last_success_timestamp_seconds{job_name="dumps"}`); at == 0 {
		t.Error("got no time of the last dumps")
	}
	if code := p.Stop(); code != 0 {
		t.Errorf("the service ended with %d: %s", code, p.Stderr)
	}
}
