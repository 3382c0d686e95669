package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"gamedata/internal/app"
	"gamedata/internal/config"
	"gamedata/internal/terminal"
)

// outputFormat is the value of --output.
type outputFormat string

const (
	outputText outputFormat = "text"
	outputJSON outputFormat = "json"
)

func (f *outputFormat) String() string { return string(*f) }

// Type names the values in the help.
func (f *outputFormat) Type() string { return "text|json" }

// Set accepts the two formats.
func (f *outputFormat) Set(value string) error {
	if value != string(outputText) && value != string(outputJSON) {
		return errors.New("want text or json")
	}
	*f = outputFormat(value)
	return nil
}

// object is the result of a command as JSON. Its keys are in camelCase, times in RFC 3339 and UTC, durations in
// seconds.
type object map[string]any

// withOutput gives a command that prints data the flag --output.
func withOutput(cmd *cobra.Command) *cobra.Command {
	cmd.Flags().Var(new(outputText), "output", "format of the result on standard output")
	return cmd
}

// wantsJSON reports whether a command was run with --output json.
func wantsJSON(cmd *cobra.Command) bool {
	flag := cmd.Flags().Lookup("output")
	return flag != nil && flag.Value.String() == string(outputJSON)
}

// progressOf returns the line that shows on standard error how far a command is. With --output json it shows nothing.
// Clear it before anything else is printed.
func progressOf(cmd *cobra.Command) *terminal.Progress {
	return terminal.NewProgress(cmd.ErrOrStderr(), !wantsJSON(cmd))
}

// seconds is a duration in an object, exact to the millisecond.
func seconds(d time.Duration) float64 { return float64(d.Milliseconds()) / 1000 }

// printResult writes the result of a command as --output wants it: as one JSON object or by text.
func printResult(cmd *cobra.Command, result object, text func(out io.Writer) error) error {
	if !wantsJSON(cmd) {
		return text(cmd.OutOrStdout())
	}
	encoder := json.NewEncoder(cmd.OutOrStdout())
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(result)
}

// printLine is printResult for a text of one line.
func printLine(cmd *cobra.Command, result object, format string, args ...any) error {
	return printResult(cmd, result, func(out io.Writer) error {
		_, err := fmt.Fprintf(out, format+"\n", args...)
		return err
	})
}

// outcome is what a command on the store did: for machines, and in a few words.
type outcome struct {
	object object
	text   string
}

func outcomef(o object, format string, args ...any) (outcome, error) {
	return outcome{o, fmt.Sprintf(format, args...)}, nil
}

// onStore opens the store, works on it, closes it, and prints what was done with the name of the store.
func onStore(cmd *cobra.Command, settings *config.Store, open func(context.Context, *config.Store) (*app.Store, error),
	work func(context.Context, *app.Store, *terminal.Progress) (outcome, error),
) error {
	db, err := open(cmd.Context(), settings)
	if err != nil {
		return err
	}
	progress := progressOf(cmd)
	done, err := work(cmd.Context(), db, progress)
	progress.Clear()
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	done.object["store"] = db.Name
	return printLine(cmd, done.object, "%s (%s)", done.text, db.Name)
}

// table aligns the columns of rows, which are separated by tabs.
func table(out io.Writer, rows func(w io.Writer)) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	rows(w)
	return w.Flush()
}

// plural adds an s to a noun unless n is 1.
func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

// utc is a time in an object; null when there is none.
func utc(t *time.Time) any {
	if t == nil {
		return nil
	}
	return t.UTC()
}
