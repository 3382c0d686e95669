package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gamedata/graph/model"
	"gamedata/internal/app"
	"gamedata/internal/auth"
	"gamedata/internal/config"
)

// accountFlags say where accounts are kept.
type accountFlags struct {
	store  config.Store
	pepper config.Secret
}

func (f *accountFlags) add(flags *pflag.FlagSet) {
	f.store.AddCommand(flags)
	config.AddPepper(&f.pepper, flags)
}

// remedies are what helps against a refusal, where the refusal does not say.
var remedies = map[error]string{
	auth.ErrNoAccount:       "gamedata account create makes one",
	auth.ErrNoToken:         "gamedata token list tells its tokens",
	auth.ErrNoApplication:   "gamedata app list tells those of an account",
	auth.ErrInvalidLinkCode: "gamedata account link-code makes another",
}

// deed is what a verb does with the accounts of an open store.
type deed func(ctx context.Context, db *app.Store, a *auth.Accounts, args []string, out io.Writer) error

// accountVerb is a verb that works on accounts, beside a running service too. Its use names
// the arguments it wants.
func accountVerb(use, short string, wants int, do deed) *cobra.Command {
	var f accountFlags
	cmd := &cobra.Command{
		Use: use, Short: short,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != wants {
				_, names, _ := strings.Cut(use, " ")
				return config.Usagef("%s wants %s", cmd.CommandPath(), names)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if err := config.Load(cmd); err != nil {
				return err
			}
			pepper, err := f.pepper.Read()
			if err != nil {
				return err
			}
			db, err := app.JoinStore(cmd.Context(), &f.store)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, db.Close()) }()
			err = do(cmd.Context(), db, auth.New(db.Store, auth.Options{Pepper: pepper}), args, cmd.OutOrStdout())
			for refusal, helps := range remedies {
				if errors.Is(err, refusal) {
					return fmt.Errorf("%w: %s", err, helps)
				}
			}
			return err
		},
	}
	f.add(cmd.Flags())
	return cmd
}

// group is a verb whose verbs stand below it.
func group(use, short, long string, below ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short, Long: long, Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(below...)
	return cmd
}

// table writes rows under each other.
func table(out io.Writer, rows func(w io.Writer)) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	rows(w)
	return w.Flush()
}

func accountCommand() *cobra.Command {
	return group("account", "Accounts of users and the players linked to them",
		`Accounts of users and the players linked to them. The verbs work beside a running service:
on the embedded store they reach it through a socket in the data directory.`,
		accountVerb("create NAME", "Make an account", 1, func(ctx context.Context, _ *app.Store, a *auth.Accounts,
			args []string, out io.Writer,
		) error {
			made, err := a.Create(ctx, args[0])
			if err == nil {
				fmt.Fprintf(out, "made the account %s (%s)\n", made.Name, made.ID)
			}
			return err
		}),
		setPassword(),
		accountVerb("show NAME", "Tell what an account holds", 1, showAccount),
		accountVerb("link-code PLAYER", "Make a code that links a player, by name or uuid, to an account", 1,
			func(ctx context.Context, db *app.Store, a *auth.Accounts, args []string, out io.Writer) error {
				p, err := playerNamed(ctx, db, args[0])
				if err != nil {
					return err
				}
				code, err := a.CreateLinkCode(ctx, p.UUID)
				if err == nil {
					fmt.Fprintf(out, "%s\nlinks %s (%s), once, within %s\n", code, p.Username, p.UUID, auth.LinkCodeLifetime)
				}
				return err
			}),
		accountVerb("link NAME CODE", "Link a player to an account by a code", 2,
			func(ctx context.Context, _ *app.Store, a *auth.Accounts, args []string, out io.Writer) error {
				to, err := a.AccountByName(ctx, args[0])
				if err != nil {
					return err
				}
				player, err := a.LinkPlayer(ctx, to.ID, args[1])
				if err == nil {
					fmt.Fprintf(out, "linked %s to %s\n", player, to.Name)
				}
				return err
			}),
		accountVerb("unlink NAME PLAYER", "Take a player, by name or uuid, from an account", 2,
			func(ctx context.Context, db *app.Store, a *auth.Accounts, args []string, out io.Writer) error {
				from, err := a.AccountByName(ctx, args[0])
				if err != nil {
					return err
				}
				player, ok := model.ParseUUID(args[1]) // he may be gone from the store
				if !ok {
					p, err := playerNamed(ctx, db, args[1])
					if err != nil {
						return err
					}
					player = p.UUID
				}
				if err = a.UnlinkPlayer(ctx, from.ID, player); err == nil {
					fmt.Fprintf(out, "took %s from %s\n", player, from.Name)
				}
				return err
			}))
}

func setPassword() *cobra.Command {
	var cmd *cobra.Command
	cmd = accountVerb("password NAME", "Give an account the password on standard input, and sign it out everywhere", 1,
		func(ctx context.Context, _ *app.Store, a *auth.Accounts, args []string, out io.Writer) error {
			of, err := a.AccountByName(ctx, args[0])
			if err != nil {
				return err
			}
			text, err := io.ReadAll(io.LimitReader(cmd.InOrStdin(), config.MaxSecret))
			if err != nil {
				return err
			}
			if err = a.SetPassword(ctx, of.ID, strings.TrimRight(string(text), "\r\n")); err == nil {
				fmt.Fprintf(out, "%s has another password\n", of.Name)
			}
			return err
		})
	return cmd
}

func showAccount(ctx context.Context, db *app.Store, a *auth.Accounts, args []string, out io.Writer) error {
	it, err := a.AccountByName(ctx, args[0])
	if err != nil {
		return err
	}
	players, err := db.PlayersByUUID(ctx, it.Profiles)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s (%s), made %s, %d tokens\n", it.Name, it.ID, it.Created.Format("2006-01-02"), len(it.Tokens))
	return table(out, func(w io.Writer) {
		for i, p := range players {
			name := "(not in the store)"
			if p != nil {
				name = p.Username
			}
			fmt.Fprintf(w, "  %s\t%s\n", it.Profiles[i], name)
		}
	})
}

// playerNamed is the player with a uuid, or the only one with a name.
func playerNamed(ctx context.Context, db *app.Store, ref string) (*model.Player, error) {
	if uuid, ok := model.ParseUUID(ref); ok {
		found, err := db.PlayersByUUID(ctx, []string{uuid})
		if err == nil && found[0] == nil {
			err = auth.ErrNoPlayer
		}
		if err != nil {
			return nil, err
		}
		return found[0], nil
	}
	found, err := db.PlayersByName(ctx, []string{ref})
	switch {
	case err != nil:
		return nil, err
	case len(found[0]) == 0:
		return nil, auth.ErrNoPlayer
	case len(found[0]) > 1:
		return nil, errors.New("several players have this name: give the uuid")
	}
	return found[0][0], nil
}
