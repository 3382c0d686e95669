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
				if err := c.accounts.Applications.Delete(c.ctx, c.args[0]); err != nil {
					return err
				}
				return c.printLine(object{"clientId": c.args[0]}, "deleted %s", c.args[0])
			}))
}

func createApp() *cobra.Command {
	var private bool
	var redirects, scopes []string
	cmd := accountSubcommand("create ACCOUNT NAME",
		"Register an application and show its client id and, only now, its secret", 2,
		withAccount(func(c *accountCall, of *model.Account) error {
			app, secret, err := c.accounts.Applications.Create(c.ctx, of.ID, c.args[1], redirects, scopes, private)
			if err != nil {
				return err
			}
			if !private {
				return c.printLine(object{"clientId": app.ClientID, "clientSecret": nil}, "client_id %s", app.ClientID)
			}
			return c.printLine(object{"clientId": app.ClientID, "clientSecret": secret},
				"client_id %s\nclient_secret %s", app.ClientID, secret)
		}))
	cmd.Example = `  gamedata app create Salted "Moss board" --redirect-uri https://board.example/back --private`
	cmd.Flags().BoolVar(&private, "private", false, "the application can store a secret, as a server can")
	cmd.Flags().StringArrayVar(&redirects, "redirect-uri", nil, "URL that users are sent back to; may be repeated")
	cmd.Flags().StringSliceVar(&scopes, "scope", nil, "scopes it may request besides identify")
	return cmd
}

func listApps(c *accountCall, of *model.Account) error {
	list, err := c.accounts.Applications.Of(c.ctx, of.ID)
	if err != nil {
		return err
	}
	applications := make([]object, len(list))
	for i, app := range list {
		applications[i] = object{
			"clientId": app.ClientID, "name": app.Name, "private": app.Private(),
			"scopes": append([]string{}, app.Scopes...), "redirectUris": append([]string{}, app.RedirectURIs...),
		}
	}
	return printResult(c.cmd, object{"applications": applications}, func(out io.Writer) error {
		return table(out, func(w io.Writer) {
			fmt.Fprintln(w, "CLIENT ID\tNAME\tKIND\tSCOPES\tREDIRECT URIS")
			for _, app := range list {
				kind := "public"
				if app.Private() {
					kind = "private"
				}
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", app.ClientID, app.Name, kind, strings.Join(app.Scopes, " "),
					strings.Join(app.RedirectURIs, " "))
			}
		})
	})
}
