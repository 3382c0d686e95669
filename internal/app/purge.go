package app

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"gamedata/internal/cache"
	"gamedata/internal/config"
	"gamedata/internal/httpapi"
)

// Purge makes the running service whose admin listener is at a URL drop cached responses and records that have one of
// the tags, or everything when there are none. It returns the tags that were purged.
func Purge(ctx context.Context, admin string, tags []string) ([]string, error) {
	base, err := url.Parse(admin)
	if err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Host == "" {
		return nil, config.Usagef("--admin must be a URL such as http://127.0.0.1:9090")
	}
	for _, tag := range tags {
		if !httpapi.IsTag(tag) {
			return nil, config.Usagef("--tag: %q is not a tag such as player:<uuid>", tag)
		}
	}
	if len(tags) == 0 {
		tags = []string{cache.Everything}
	}
	body, err := json.Marshal(map[string][]string{"tags": tags})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, base.JoinPath("cache/purge").String(),
		bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, fmt.Errorf("--admin: no service responds at %s: start it with --admin-listen, or give its address with "+
			"--admin: %w", admin, err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the service responded with %s: %s", resp.Status, strings.TrimSpace(string(text)))
	}
	return tags, nil
}
