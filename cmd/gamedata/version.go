package main

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"gamedata/internal/buildinfo"
	"gamedata/internal/httpapi"
)

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version of the program and of its REST contract",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			text := "gamedata " + buildinfo.Version
			if revision, date := buildinfo.Commit(); revision != "" {
				text += " (" + strings.TrimSpace("commit "+revision+" "+date) + ")"
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s, contract %s, %s %s/%s\n",
				text, httpapi.DefaultVersion, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
