package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"gamedata/internal/config"
	"gamedata/internal/doctor"
)

func doctorCommand() *cobra.Command {
	var c config.Service
	cmd := &cobra.Command{
		Use: "doctor [FLAGS OF SERVE]", DisableFlagsInUseLine: true,
		Short: "Check configuration and environment, and suggest fixes",
		Long: `Check everything that serve with these flags relies on: settings, secrets, addresses, the
store with its indexes, records and clock, Redis, disk space and process limits. It may run
beside a working service. The exit status is 1 when a check fails; warnings alone give 0.`,
		Example: `  gamedata doctor --config settings.yaml
  gamedata doctor --mongo-uri mongodb://localhost:27017`,
		Args: noArgs,
		RunE: withSettings(func(cmd *cobra.Command, _ []string) error {
			findings := doctor.Examine(cmd.Context(), &c)
			err := printResult(cmd, object{"findings": findings}, func(out io.Writer) error {
				return table(out, func(w io.Writer) { printFindings(w, findings) })
			})
			return errors.Join(err, doctor.Failure(findings))
		}),
	}
	c.Add(cmd.Flags())
	return withOutput(cmd)
}

func printFindings(w io.Writer, findings []doctor.Finding) {
	for _, f := range findings {
		verdict := string(f.Verdict)
		if f.Verdict == doctor.Fail {
			verdict = "FAIL"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", verdict, f.Subject, f.Message)
		if f.Remedy != "" {
			fmt.Fprintf(w, "\t\t→ %s\n", f.Remedy)
		}
	}
}
