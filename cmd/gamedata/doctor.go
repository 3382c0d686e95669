package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"github.com/spf13/cobra"
)

// finding is what the doctor says of one thing: that it is well, or what is wrong and what
// helps. What fails keeps the service from working; what is doubtful does not.
type finding struct {
	verdict      verdict
	about        string
	says, remedy string
}

type verdict string

const (
	well     verdict = "ok"
	doubtful verdict = "warn"
	fails    verdict = "FAIL"
)

func doctorCommand() *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use: "doctor [FLAGS OF SERVE]", DisableFlagsInUseLine: true,
		Short: "Look for what would keep serve from working well, and say what helps",
		Long: `Look at everything that serve with these flags relies on: settings, secrets, addresses, the
store, its indexes and its clock, Redis, room on the disk and limits of the process. It may run
beside a service that works. The exit status is 1 when something fails; warnings alone are 0.`,
		Example: `  gamedata doctor --config settings.yaml
  gamedata doctor --mongo-uri mongodb://localhost:27017`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := settle(cmd); err != nil {
				return err
			}
			return report(cmd.OutOrStdout(), f.examine(cmd.Context()))
		},
	}
	f.add(cmd.Flags())
	return cmd
}

// examine looks at everything, in the order in which serve would use it.
func (f *serveFlags) examine(ctx context.Context) []finding {
	if err := errors.Join(f.check(), f.readable()); err != nil {
		return []finding{{fails, "settings", err.Error(), "see gamedata config explain for what is set and where"}}
	}
	out := []finding{{well, "settings", "readable", ""}}
	for _, look := range []func(context.Context) []finding{
		f.examineSecrets, f.examineAddresses, f.examineDisk,
		examineLimits, f.examineStore, f.examineRedis, examineTraces,
	} {
		out = append(out, look(ctx)...)
	}
	return out
}

// readable reads what check leaves to the start.
func (f *serveFlags) readable() error {
	_, proxies := f.proxies()
	_, logger := f.logger(io.Discard)
	_, world := f.world.options(io.Discard)
	return errors.Join(proxies, logger, world)
}

// report writes findings and fails when one does.
func report(out io.Writer, all []finding) error {
	failed := 0
	if err := table(out, func(w io.Writer) {
		for _, f := range all {
			if f.verdict == fails {
				failed++
			}
			fmt.Fprintf(w, "%s\t%s\t%s\n", f.verdict, f.about, f.says)
			if f.remedy != "" {
				fmt.Fprintf(w, "\t\t→ %s\n", f.remedy)
			}
		}
	}); err != nil {
		return err
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d findings would keep the service from working", failed, len(all))
	}
	return nil
}

// nobody is a log that nobody reads: the doctor says what there is to say.
var nobody = slog.New(slog.DiscardHandler)
