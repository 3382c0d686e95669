package main

import (
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"gamedata/internal/httpapi"
)

func manCommand() *cobra.Command {
	return withOutput(&cobra.Command{
		Use: "man DIRECTORY", Short: "Write manual pages for all commands",
		Example: "  gamedata man /usr/local/share/man/man1",
		Args:    wantPath("DIRECTORY"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return fmt.Errorf("manual pages: %w", err)
			}
			// A fixed date makes builds reproducible.
			date := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
			header := &doc.GenManHeader{
				Section: "1", Source: "gamedata, contract " + httpapi.Version, Manual: "gamedata",
				Date: &date,
			}
			if err := doc.GenManTree(cmd.Root(), header, args[0]); err != nil {
				return fmt.Errorf("manual pages: %w", err)
			}
			pages, err := fs.Glob(os.DirFS(args[0]), "gamedata*.1")
			if err != nil {
				return err
			}
			return printLine(cmd, object{"directory": args[0], "pages": len(pages)}, "wrote %d pages to %s", len(pages),
				args[0])
		},
	})
}
