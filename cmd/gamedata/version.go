package main

import (
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"gamedata/internal/buildinfo"
	"gamedata/internal/httpapi"
)

func versionCommand() *cobra.Command {
	return withOutput(&cobra.Command{
		Use: "version", Short: "Print the version of the program and of its REST contract",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			text := "gamedata " + buildinfo.Version
			result := object{
				"version": buildinfo.Version, "commit": nil, "commitDate": nil, "contract": httpapi.Version,
				"go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH,
			}
			if revision, date := buildinfo.Commit(); revision != "" {
				text += " (" + strings.TrimSpace("commit "+revision+" "+date) + ")"
				result["commit"], result["commitDate"] = revision, date
			}
			return printLine(cmd, result, "%s, contract %s, %s %s/%s", text, httpapi.Version, runtime.Version(),
				runtime.GOOS, runtime.GOARCH)
		},
	})
}
