package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"gamedata/graph/model"
)

func appCommand() *cobra.Command {
	return group("app", "OAuth2 applications of accounts",
		`OAuth2 applications, which act for users who allow it. The secret of a private one is shown
only when it is created. The commands work beside a running service.`,
		createApp(),
		accountSubcommand("list ACCOUNT", "List the applications that an account registered", 1, withAccount(listApps)),
		accountSubcommand("delete CLIENT_ID", "Delete an application and revoke its grants", 1,
			func(c *accountCall) error {
				err := c.accounts.DeleteApplication(c.ctx, c.args[0])
				if err == nil {
					fmt.Fprintf(c.out, "deleted %s\n", c.args[0])
				}
				return err
			}))
}

func createApp() *cobra.Command {
	var private bool
	var redirects, scopes []string
	cmd := accountSubcommand("create ACCOUNT NAME",
		"Register an application and show its client id and, only now, its secret", 2,
		withAccount(func(c *accountCall, of *model.Account) error {
			app, secret, err := c.accounts.CreateApplication(c.ctx, of.ID, c.args[1], redirects, scopes, private)
			if err != nil {
				return err
			}
			fmt.Fprintf(c.out, "client_id %s\n", app.ClientID)
			if private {
				fmt.Fprintf(c.out, "client_secret %s\n", secret)
			}
			return nil
		}))
	cmd.Example = `  gamedata app create Salted "Moss board" --redirect-uri https://board.example/back --private`
	cmd.Flags().BoolVar(&private, "private", false, "the application can store a secret, as a server can")
	cmd.Flags().StringArrayVar(&redirects, "redirect-uri", nil, "URL that users are sent back to; may be repeated")
	cmd.Flags().StringSliceVar(&scopes, "scope", nil, "scopes it may request besides identify")
	return cmd
}

func listApps(c *accountCall, of *model.Account) error {
	list, err := c.accounts.Applications(c.ctx, of.ID)
	if err != nil {
		return err
	}
	return table(c.out, func(w io.Writer) {
		for _, app := range list {
			kind := "public"
			if app.Private() {
				kind = "private"
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", app.ClientID, app.Name, kind, strings.Join(app.Scopes, " "),
				strings.Join(app.RedirectURIs, " "))
		}
	})
}
