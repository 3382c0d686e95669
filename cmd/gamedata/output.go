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
		return errors.New("must be text or json")
	}
	*f = outputFormat(value)
	return nil
}

// object is a command's result as JSON, with keys in camelCase, times in RFC 3339 and UTC, and durations in seconds.
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

// progressOf returns the progress line of a command on standard error. With --output json it shows nothing. Clear it
// before printing anything else.
func progressOf(cmd *cobra.Command) *terminal.Progress {
	return terminal.NewProgress(cmd.ErrOrStderr(), !wantsJSON(cmd))
}

// seconds formats a duration for an object, with millisecond precision.
func seconds(d time.Duration) float64 { return float64(d.Milliseconds()) / 1000 }

// printResult writes the result of a command in the format of --output: as one JSON object, or with text.
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

// outcome describes what a command did to the store, for machines and in a few words.
type outcome struct {
	object object
	text   string
}

func outcomef(o object, format string, args ...any) (outcome, error) {
	return outcome{o, fmt.Sprintf(format, args...)}, nil
}

// onStore opens the store, runs work on it, closes it, and prints the outcome with the store's name.
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

// utc formats a time for an object; nil becomes null.
func utc(t *time.Time) any {
	if t == nil {
		return nil
	}
	return t.UTC()
}
