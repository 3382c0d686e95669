package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

func feedTokenCommand() *cobra.Command {
	return group("feed-token", "Tokens with which game servers send events",
		`Tokens with which game servers send events to POST /feed. The value of a token is shown only when
it is created: the store contains a digest. Its name identifies the sender: ids of events belong
to the name, so give a server that gets a new token its old name. The commands work beside a
running service; a deleted token is rejected at once.`,
		accountSubcommand("create NAME", "Create a token and show its value, only now", 1,
			withPepper(func(c *accountCall) error {
				value, err := c.accounts.FeedTokens.Create(c.ctx, c.args[0])
				if err != nil {
					return err
				}
				return c.printLine(object{"name": c.args[0], "value": value}, "%s", value)
			})),
		accountSubcommand("list", "List the tokens", 0, listFeedTokens),
		accountSubcommand("delete NAME", "Delete a token", 1, func(c *accountCall) error {
			if err := c.accounts.FeedTokens.Delete(c.ctx, c.args[0]); err != nil {
				return err
			}
			return c.printLine(object{"name": c.args[0]}, "deleted %s", c.args[0])
		}))
}

func listFeedTokens(c *accountCall) error {
	tokens, err := c.accounts.FeedTokens.All(c.ctx)
	if err != nil {
		return err
	}
	list := make([]object, len(tokens))
	for i, t := range tokens {
		list[i] = object{"name": t.Name, "prefix": t.Prefix, "created": t.Created.UTC(), "lastUsed": utc(t.Used)}
	}
	return printResult(c.cmd, object{"feedTokens": list}, func(out io.Writer) error {
		return table(out, func(w io.Writer) {
			fmt.Fprintln(w, "NAME\tVALUE\tCREATED\tUSED")
			for _, t := range tokens {
				used := "never"
				if t.Used != nil {
					used = t.Used.UTC().Format("2006-01-02 15:04")
				}
				fmt.Fprintf(w, "%s\t%s…\t%s\t%s\n", t.Name, t.Prefix, t.Created.Format("2006-01-02"), used)
			}
		})
	})
}
