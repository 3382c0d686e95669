package main

import (
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"gamedata/internal/config"
	"gamedata/internal/conformance"
	"gamedata/internal/mcp"
)

func mcpCommand() *cobra.Command {
	var target string
	var token config.Secret
	cmd := &cobra.Command{
		Use: "mcp", Short: "Offer a service to a language model on standard input and output",
		Long: `Speak the Model Context Protocol on standard input and output, for programs that start their MCP
servers themselves, and pass every message on to POST /mcp of a running service. So the access rules
and rate limits of the service apply. Programs that connect over HTTP do not need this command.`,
		Example: `  gamedata mcp
  gamedata mcp --target https://data.example --token-file token`,
		Args: noArgs,
		RunE: withSettings(func(cmd *cobra.Command, _ []string) error {
			secret, err := token.Read()
			if err != nil {
				return err
			}
			if _, err := conformance.NewClient(target, 0); err != nil {
				return config.Usagef("--target must be a URL such as https://data.example, not %q", target)
			}
			return mcp.Bridge(cmd.Context(), mcp.Stdio(), target, secret, http.Client{Timeout: time.Minute})
		}),
	}
	cmd.Flags().StringVar(&target, "target", "http://127.0.0.1:8080", "URL of the service")
	token.AddToken(cmd.Flags())
	return cmd
}
