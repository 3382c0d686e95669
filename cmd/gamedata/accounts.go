package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"gamedata/graph/model"
	"gamedata/internal/app"
	"gamedata/internal/auth"
	"gamedata/internal/config"
)

// remedies maps errors to advice that their texts lack.
var remedies = map[error]string{
	auth.ErrNoAccount:       "create one with gamedata account create",
	auth.ErrNoToken:         "gamedata token list shows its tokens",
	auth.ErrNoFeedToken:     "gamedata feed-token list shows them",
	auth.ErrInvalidLinkCode: "create another with gamedata account link-code",
	auth.ErrOtherPepper:     "give the service's with --pepper-file or GAMEDATA_PEPPER_FILE",
}

// accountCall is one run of a command on the accounts of an open store.
type accountCall struct {
	ctx      context.Context
	cmd      *cobra.Command
	db       *app.Store
	accounts *auth.Accounts
	args     []string
}

// printLine prints a result as one line, or as JSON.
func (c *accountCall) printLine(result object, format string, args ...any) error {
	return printLine(c.cmd, result, format, args...)
}

// withAccount finds the account that the first argument names.
func withAccount(do func(*accountCall, *model.Account) error) func(*accountCall) error {
	return func(c *accountCall) error {
		account, err := c.accounts.ByName(c.ctx, c.args[0])
		if err != nil {
			return err
		}
		return do(c, account)
	}
}

// withPepper refuses to run with a pepper that differs from the service's.
func withPepper(do func(*accountCall) error) func(*accountCall) error {
	return func(c *accountCall) error {
		known, err := c.accounts.CheckPepper(c.ctx)
		if err == nil && !known {
			err = c.accounts.SetPepper(c.ctx)
		}
		if err != nil {
			return err
		}
		return do(c)
	}
}

// accountSubcommand returns a command on accounts that also works while the service runs. Its usage line names its
// arguments.
func accountSubcommand(use, short string, wants int, do func(*accountCall) error) *cobra.Command {
	var store config.Store
	var pepperFlag config.Secret
	cmd := &cobra.Command{
		Use: use, Short: short,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != wants {
				_, names, _ := strings.Cut(use, " ")
				return config.Usagef("%s requires %s", cmd.Name(), names)
			}
			return nil
		},
		RunE: withSettings(func(cmd *cobra.Command, args []string) (err error) {
			pepper, err := pepperFlag.Read()
			if err != nil {
				return err
			}
			open := app.JoinExistingStore
			if cmd.Name() == "create" {
				open = app.JoinStore
			}
			db, err := open(cmd.Context(), &store)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, db.Close()) }()
			err = do(&accountCall{
				cmd.Context(), cmd, db, auth.New(db.Store, auth.Options{Pepper: pepper}), args,
			})
			for known, remedy := range remedies {
				if errors.Is(err, known) {
					return fmt.Errorf("%w: %s", err, remedy)
				}
			}
			return err
		}),
	}
	store.AddCommand(cmd.Flags())
	pepperFlag.AddPepper(cmd.Flags())
	return withOutput(cmd)
}

// group returns a command that only groups subcommands.
func group(use, short, long string, below ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short, Long: long, Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(below...)
	return cmd
}

func accountCommand() *cobra.Command {
	return group("account", "Accounts of users and the players linked to them",
		`Accounts of users and the players linked to them. The commands work beside a running service:
they reach an embedded store through a socket in its data directory.`,
		accountSubcommand("create NAME", "Create an account", 1, func(c *accountCall) error {
			created, err := c.accounts.Create(c.ctx, c.args[0])
			if err != nil {
				return err
			}
			return c.printLine(object{"name": created.Name, "id": created.ID}, "created the account %s (%s)",
				created.Name, created.ID)
		}),
		accountSubcommand("password NAME", "Set the password from standard input and end all sessions", 1,
			withAccount(setPassword)),
		accountSubcommand("show NAME", "Show an account", 1, withAccount(showAccount)),
		accountSubcommand("link-code PLAYER", "Create a code that links a player, by name or UUID, to an account", 1,
			withPepper(func(c *accountCall) error {
				p, err := c.player(c.args[0])
				if err != nil {
					return err
				}
				code, err := c.accounts.Players.CreateLinkCode(c.ctx, p.UUID)
				if err != nil {
					return err
				}
				return c.printLine(object{
					"code": code, "player": object{"uuid": p.UUID, "username": p.Username},
					"validSeconds": auth.LinkCodeLifetime.Seconds(),
				}, "%s\nlinks %s (%s) once, valid for %s", code, p.Username, p.UUID, auth.LinkCodeLifetime)
			})),
		accountSubcommand("link NAME CODE", "Link a player to an account by a code", 2,
			withPepper(withAccount(func(c *accountCall, to *model.Account) error {
				player, err := c.accounts.Players.Link(c.ctx, to.ID, c.args[1])
				if err != nil {
					return err
				}
				return c.printLine(object{"account": to.Name, "player": player}, "linked %s to %s", player, to.Name)
			}))),
		accountSubcommand("unlink NAME PLAYER", "Unlink a player, by name or UUID, from an account", 2,
			withAccount(func(c *accountCall, from *model.Account) error {
				player, ok := model.ParseUUID(c.args[1]) // the player may be missing from the store
				if !ok {
					p, err := c.player(c.args[1])
					if err != nil {
						return err
					}
					player = p.UUID
				}
				if err := c.accounts.Players.Unlink(c.ctx, from.ID, player); err != nil {
					return err
				}
				return c.printLine(object{"account": from.Name, "player": player}, "unlinked %s from %s", player, from.Name)
			})))
}

func setPassword(c *accountCall, of *model.Account) error {
	password, err := config.ReadSecret(c.cmd.InOrStdin())
	if err != nil {
		return err
	}
	if err = c.accounts.SetPassword(c.ctx, of.ID, password); err != nil {
		return err
	}
	return c.printLine(object{"account": of.Name}, "changed the password of %s", of.Name)
}

func showAccount(c *accountCall, account *model.Account) error {
	players, err := c.db.Players.ByID(c.ctx, account.Profiles)
	if err != nil {
		return err
	}
	linked := make([]object, len(players))
	for i, p := range players {
		linked[i] = object{"uuid": account.Profiles[i], "username": nil}
		if p != nil {
			linked[i]["username"] = p.Username
		}
	}
	return printResult(c.cmd, object{
		"name": account.Name, "id": account.ID, "created": account.Created.UTC(), "tokens": len(account.Tokens),
		"players": linked,
	}, func(out io.Writer) error {
		fmt.Fprintf(out, "%s (%s), created %s, %s\n", account.Name, account.ID, account.Created.Format(time.DateOnly),
			english.Plural(len(account.Tokens), "token", ""))
		return table(out, func(w io.Writer) {
			for i, p := range players {
				name := "(not in the store)"
				if p != nil {
					name = p.Username
				}
				fmt.Fprintf(w, "  %s\t%s\n", account.Profiles[i], name)
			}
		})
	})
}

// player returns the player with a UUID, or the only one with a name.
func (c *accountCall) player(ref string) (*model.Player, error) {
	if uuid, ok := model.ParseUUID(ref); ok {
		found, err := c.db.Players.ByID(c.ctx, []string{uuid})
		switch {
		case err != nil:
			return nil, err
		case found[0] == nil:
			return nil, auth.ErrNoPlayer
		}
		return found[0], nil
	}
	found, err := c.db.Players.ByName(c.ctx, []string{ref})
	switch {
	case err != nil:
		return nil, err
	case len(found[0]) == 0:
		return nil, auth.ErrNoPlayer
	case len(found[0]) > 1:
		return nil, errors.New("several players have this name: give the UUID")
	}
	return found[0][0], nil
}
