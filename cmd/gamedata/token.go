package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"gamedata/graph/model"
	"gamedata/internal/auth"
	"gamedata/internal/config"
)

func tokenCommand() *cobra.Command {
	return group("token", "API tokens of accounts",
		`API tokens of accounts, at most three per account. The value of a token is shown only when it is
created: the store contains a digest. The commands work beside a running service; every
instance rejects a deleted token within 5 seconds.`,
		createToken(), deleteToken(),
		accountSubcommand("list ACCOUNT", "List the tokens of an account", 1, withAccount(listTokens)),
		withOutput(&cobra.Command{
			Use: "make", Short: "Create a value for --bootstrap-token without storing it", Args: noArgs,
			RunE: func(cmd *cobra.Command, _ []string) error {
				value := auth.NewTokenValue()
				return printLine(cmd, object{"value": value}, "%s", value)
			},
		}))
}

func createToken() *cobra.Command {
	var public bool
	var description string
	var days int
	cmd := accountSubcommand("create ACCOUNT NAME", "Create a token and show its value, only now", 2,
		withPepper(withAccount(func(c *accountCall, of *model.Account) error {
			if days < 0 {
				return config.Usagef("--expires-in must not be negative")
			}
			var expires *time.Time
			if days > 0 {
				expires = new(time.Now().AddDate(0, 0, days))
			}
			value, t, err := c.accounts.Tokens.Create(c.ctx, of.ID, c.args[1], description, public, expires)
			if err != nil {
				return err
			}
			return c.printLine(object{"account": of.Name, "name": t.Name, "value": value, "expires": utc(t.ExpiresAt)},
				"%s", value)
		})))
	cmd.Example = `  curl -H "Authorization: Bearer $(gamedata token create Salted pc)" localhost:8080/v3/player/Salted`
	cmd.Flags().BoolVar(&public, "public", false, "Public Mode: the token acts as a guest, but with its own rate limit")
	cmd.Flags().StringVar(&description, "description", "", "what the token is for")
	cmd.Flags().IntVar(&days, "expires-in", 0, "days until the token stops working, at most five years; 0 for never")
	return cmd
}

func deleteToken() *cobra.Command {
	var now bool
	cmd := accountSubcommand("delete ACCOUNT NAME", "Delete a token; an account may delete one every two minutes", 2,
		func(c *accountCall) error {
			of, t, err := c.token()
			if err != nil {
				return err
			}
			pause := auth.TokenDeletionInterval
			if now {
				pause = 0
			}
			if err = c.accounts.Tokens.Delete(c.ctx, of.ID, t.Key, pause); err != nil {
				return err
			}
			return c.printLine(object{"account": of.Name, "name": t.Name}, "deleted %s of %s", t.Name, of.Name)
		})
	cmd.Flags().BoolVar(&now, "now", false, "do not wait two minutes after another deletion, for tokens that leaked")
	return cmd
}

// token returns the token that the arguments name, and its account.
func (c *accountCall) token() (*model.Account, *model.APIToken, error) {
	of, err := c.accounts.ByName(c.ctx, c.args[0])
	if err != nil {
		return nil, nil, err
	}
	at := slices.IndexFunc(of.Tokens, func(t *model.APIToken) bool { return t.Name == c.args[1] })
	if at < 0 {
		return nil, nil, auth.ErrNoToken
	}
	return of, of.Tokens[at], nil
}

// charged returns the charges of a token by bucket.
func charged(u *model.Usage) object {
	out := object{}
	for bucket, n := range u.Charged {
		out[bucket] = n
	}
	return out
}

// usage summarises how a token was used.
func usage(u *model.Usage) string {
	if u.LastUsedAt == nil {
		return "never"
	}
	text := u.LastUsedAt.UTC().Format("2006-01-02 15:04")
	for _, bucket := range slices.Sorted(maps.Keys(u.Charged)) {
		text += fmt.Sprintf(" %s=%d", bucket, u.Charged[bucket])
	}
	return text
}

// expiry describes when a token expires or expired.
func expiry(accounts *auth.Accounts, t *model.APIToken) string {
	switch {
	case t.ExpiresAt == nil:
		return "never"
	case accounts.Tokens.Expired(t):
		return "expired " + t.ExpiresAt.UTC().Format(time.DateOnly)
	}
	return t.ExpiresAt.UTC().Format(time.DateOnly)
}

func listTokens(c *accountCall, of *model.Account) error {
	ids := make([]string, len(of.Tokens))
	for i, t := range of.Tokens {
		ids[i] = t.Key
	}
	used, err := c.db.Usage.Of(c.ctx, ids)
	if err != nil {
		return err
	}
	list := make([]object, len(of.Tokens))
	for i, t := range of.Tokens {
		list[i] = object{
			"name": t.Name, "prefix": t.Prefix, "description": t.Description, "public": t.Public, "created": t.CreatedAt.UTC(),
			"expires": utc(t.ExpiresAt), "expired": c.accounts.Tokens.Expired(t), "lastUsed": utc(used[i].LastUsedAt),
			"charged": charged(used[i]),
		}
	}
	return printResult(c.cmd, object{"account": of.Name, "tokens": list}, func(out io.Writer) error {
		return table(out, func(w io.Writer) {
			fmt.Fprintln(w, "NAME\tVALUE\tMODE\tCREATED\tEXPIRES\tUSED\tDESCRIPTION")
			for i, t := range of.Tokens {
				mode := "private"
				if t.Public {
					mode = "public"
				}
				fmt.Fprintf(w, "%s\t%s…\t%s\t%s\t%s\t%s\t%s\n", t.Name, t.Prefix, mode, t.CreatedAt.Format(time.DateOnly),
					expiry(c.accounts, t), usage(used[i]), t.Description)
			}
		})
	})
}
