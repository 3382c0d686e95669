package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"gamedata/internal/httpapi"
)

// version is set by the linker for a release.
var version = ""

// buildVersion is the release, else what the toolchain knows of the source.
func buildVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				return "dev-" + s.Value[:min(len(s.Value), 12)]
			}
		}
	}
	return "dev"
}

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of the program and of its contract",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "gamedata %s, contract %s, %s %s/%s\n",
				buildVersion(), httpapi.DefaultVersion, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
