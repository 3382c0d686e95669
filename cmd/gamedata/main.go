// Command gamedata is the service and its tools, with one file per subcommand. Commands read flags and call packages;
// they contain no logic.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	_ "golang.org/x/crypto/x509roots/fallback" // certificate authorities, where the system has none

	"gamedata/internal/config"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	code := Run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// Run runs the program until it is done or ctx ends. It returns the exit status: 0 for success, 1 for a failure and 2
// for a usage error.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := command()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	rejectUnknownArgs(root)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return 0
	}
	misused := errors.As(err, new(config.UsageError))
	reportError(cmd, stderr, err, misused)
	if misused {
		return 2
	}
	return 1
}

// reportError writes an error for people, or as the last line of a log for machines.
func reportError(cmd *cobra.Command, stderr io.Writer, err error, misused bool) {
	if c, failed := config.LogOf(cmd.Flags()); failed == nil && c.Format == "json" {
		if log, failed := c.Logger(stderr); failed == nil {
			log.Error("command failed", "command", cmd.CommandPath(), "error", err.Error())
			return
		}
	}
	fmt.Fprintf(stderr, "gamedata: %v\n", err)
	if misused {
		fmt.Fprintf(stderr, "See %s --help.\n", cmd.CommandPath())
	}
}

func command() *cobra.Command {
	root := &cobra.Command{
		Use: "gamedata", Short: "Game data over GraphQL and REST",
		Long: `gamedata serves players, characters, items, recipes and ability trees of a multiplayer
game through two APIs: GraphQL at /graphql and REST under /v3.

Every flag can also be given as an environment variable (GAMEDATA_ and the name in upper
case with underscores: GAMEDATA_DATA_DIR) or in a YAML file named by --config. A flag overrides
the environment, the environment overrides the file.`,
		Example: `  gamedata serve --demo                  a demo world in an embedded store in ./data
  gamedata serve --mongo-uri mongodb://localhost:27017
  gamedata import recorded/              recorded /v3 response bodies, named after their paths`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		// The flags of an unknown command are unknown too: report the command.
		if wrong := noArgs(cmd, cmd.Flags().Args()); cmd.HasSubCommands() && wrong != nil {
			return wrong
		}
		var invalid *pflag.InvalidValueError
		if errors.As(err, &invalid) {
			flag := invalid.GetFlag()
			err = fmt.Errorf("--%s %w, not %q", flag.Name, config.ValueError(flag.Value, errors.Unwrap(invalid)),
				invalid.GetValue())
		}
		return config.UsageError{Err: err}
	})
	root.PersistentFlags().String("config", "", "YAML file with settings, by flag name")
	new(config.Log).Add(root.PersistentFlags())
	addGroup(root, "Run a service", serveCommand(), mcpCommand(), seedCommand())
	addGroup(root, "Move data", importCommand(), exportCommand(), backupCommand(), restoreCommand(), migrateCommand())
	addGroup(root, "Give access", accountCommand(), tokenCommand(), feedTokenCommand())
	addGroup(root, "Operate a service", jobsCommand(), configCommand(), doctorCommand(), verifyCommand())
	root.AddCommand(versionCommand())
	config.Prepare(root)
	return root
}

// addGroup adds commands that --help lists under a heading.
func addGroup(root *cobra.Command, heading string, commands ...*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: heading, Title: heading + ":"})
	for _, cmd := range commands {
		cmd.GroupID = heading
		root.AddCommand(cmd)
	}
}

// rejectUnknownArgs adds cobra's own commands and makes them reject unknown arguments. Their output is fixed when they
// are added.
func rejectUnknownArgs(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			cmd.Args = func(_ *cobra.Command, args []string) error {
				about, rest, err := root.Find(args)
				if err != nil {
					return config.UsageError{Err: err}
				}
				return noArgs(about, rest)
			}
		case "completion":
			cmd.Args, cmd.RunE = noArgs, func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
			for _, shell := range cmd.Commands() {
				shell.Args = noArgs
			}
		}
	}
}

// grace is how long a command other than serve may take to end after a signal. Then we abandon it: reading a terminal
// or a large file cannot be cancelled.
const grace = 5 * time.Second

// withSettings applies the settings of the environment and the settings file to a command's flags before run.
func withSettings(run func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		if err := config.Load(cmd); err != nil {
			return err
		}
		if err := setLogger(cmd); err != nil {
			return err
		}
		ctx := cmd.Context()
		ended := make(chan error, 1)
		go func() { ended <- run(cmd, args) }()
		limit := make(chan struct{})
		defer context.AfterFunc(ctx, func() {
			if cmd.Name() != "serve" { // it drains
				time.AfterFunc(grace, func() { close(limit) })
			}
		})()
		select {
		case err := <-ended:
			if err == nil || ctx.Err() == nil || cmd.Name() == "serve" {
				return err
			}
			return fmt.Errorf("%w: %w", context.Cause(ctx), err) // first the signal, then what failed because of it
		case <-limit:
			return context.Cause(ctx)
		}
	}
}

// setLogger applies the flags to the default logger, including package log. In tests, which run several programs at
// once, it leaves the default logger alone.
func setLogger(cmd *cobra.Command) error {
	c, err := config.LogOf(cmd.Flags())
	if err != nil {
		return err
	}
	logger, err := c.Logger(cmd.ErrOrStderr())
	if err == nil && cmd.ErrOrStderr() == os.Stderr {
		slog.SetDefault(logger)
	}
	return err
}

// wantPath requires exactly one argument that is not empty.
func wantPath(name string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 || args[0] == "" {
			return config.Usagef("%s requires %s", cmd.Name(), name)
		}
		return nil
	}
}

func noArgs(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case cmd.Flags().Lookup("target") != nil && strings.Contains(args[0], "://"):
		return config.Usagef("%s takes no argument: give the URL with --target", cmd.Name())
	}
	cmd.SuggestionsMinimumDistance = 2
	suggestion := ""
	if names := cmd.SuggestionsFor(args[0]); len(names) > 0 {
		suggestion = ": did you mean " + strings.Join(names, " or ") + "?"
	}
	return config.Usagef("unknown command or argument %q for %q%s", args[0], cmd.CommandPath(), suggestion)
}
