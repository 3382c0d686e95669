package main

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

	"github.com/spf13/cobra"

	"gamedata/internal/cache"
	"gamedata/internal/config"
	"gamedata/internal/httpapi"
)

func cacheCommand() *cobra.Command {
	return group("cache", "What a running service keeps in memory",
		`What a running service keeps in memory: finished answers, and the records they are made of.`,
		purgeCommand())
}

func purgeCommand() *cobra.Command {
	var tags []string
	var admin string
	cmd := &cobra.Command{
		Use:   "purge",
		Short: "Have a running service forget answers and records",
		Long: `Have a running service forget answers and records: everything, or what has one of the tags.
A tag is player:<uuid>, guild:<uuid>, content:<family> (such as content:items) or
field:<root field> (such as field:leaderboard); * in place of the name means all of the kind.
The service is asked on its --admin-listen; it tells all others on its store, which follow
within a few seconds. What is purged is not served any more even when the store fails.`,
		Example: `  gamedata cache purge
  gamedata cache purge --tag player:4f2ab6f1-4bf5-4c9d-9f41-6c77c0de0001 --tag content:news`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := config.Load(cmd); err != nil {
				return err
			}
			if cmd.Flags().Changed("tag") && len(tags) == 0 {
				return config.Usagef("--tag: want a tag such as player:<uuid>")
			}
			return purge(cmd.Context(), admin, tags, cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringSliceVar(&tags, "tag", nil, "what to forget; everything when none is given")
	cmd.Flags().StringVar(&admin, "admin", "http://127.0.0.1:9090", "address of the service's --admin-listen")
	return cmd
}

func purge(ctx context.Context, admin string, tags []string, out io.Writer) error {
	base, err := url.Parse(admin)
	if err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Host == "" {
		return config.Usagef("--admin must be an address such as http://127.0.0.1:9090")
	}
	for _, tag := range tags {
		if !httpapi.IsTag(tag) {
			return config.Usagef("--tag: %q is no tag such as player:<uuid>", tag)
		}
	}
	if len(tags) == 0 {
		tags = []string{cache.Everything}
	}
	body, err := json.Marshal(map[string][]string{"tags": tags})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, base.JoinPath("cache/purge").String(),
		bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return fmt.Errorf("--admin: %w", err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("the service answers %s: %s", resp.Status, strings.TrimSpace(string(text)))
	}
	fmt.Fprintf(out, "purged %s\n", strings.Join(tags, " "))
	return nil
}
