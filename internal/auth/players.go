package auth

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// LinkCodeLifetime is how long a link code is valid.
const LinkCodeLifetime = 10 * time.Minute

// Errors about linked players. Their texts are shown to users.
var (
	ErrInvalidLinkCode = errors.New("the code is unknown, used or expired")
	ErrLinkCodeForm    = errors.New("a link code is 12 characters of " + linkAlphabet + " as XXXX-XXXX-XXXX")
	ErrPlayerLinked    = errors.New("the player is linked to another account")
	ErrPlayerNotLinked = errors.New("the player is not linked to the account")
	ErrInvalidRule     = errors.New("a rule is given once, as public, friend, guild, guildandfriends or private")
	ErrPlayerLimit     = fmt.Errorf("an account has at most %d players", model.MaxProfiles)
)

// Players links players to accounts.
type Players struct {
	*base
	accounts *Accounts
}

// Linked returns the players linked to an account, the primary one first; nil where the
// store has no such player.
func (ps *Players) Linked(ctx context.Context, account *model.Account) ([]*model.Player, error) {
	if len(account.Profiles) == 0 {
		return nil, nil
	}
	return ps.store.Players.ByID(ctx, account.Profiles)
}

// LinkedTo returns a player linked to an account, nil if the store has no such player, and whether the player is
// the primary one.
func (ps *Players) LinkedTo(ctx context.Context, account, player string) (
	p *model.Player, primary bool, err error,
) {
	owner, err := ps.accounts.ByID(ctx, account)
	if err != nil {
		return nil, false, err
	}
	players, err := ps.store.Players.ByID(mongo.FromPrimary(ctx), []string{player})
	if err != nil {
		return nil, false, err
	}
	return players[0], len(owner.Profiles) > 0 && owner.Profiles[0] == player, nil
}

// CreateLinkCode creates a code that the game shows to a player. Redeeming it with Link within
// LinkCodeLifetime links the player to an account. It works once.
func (ps *Players) CreateLinkCode(ctx context.Context, player string) (code string, err error) {
	players, err := ps.store.Players.ByID(ctx, []string{player})
	if _, err = first(players, err, ErrNoPlayer); err != nil {
		return "", err
	}
	code = newLinkCode()
	record, err := ps.NewLinkCode(player, code, ps.now())
	if err != nil {
		return "", err
	}
	return code, ps.store.LinkCodes.Insert(ctx, record)
}

// NewLinkCode returns the record of a code that the game made for a player at a time. The code is valid for
// LinkCodeLifetime. It returns ErrLinkCodeForm for a malformed code.
func (ps *Players) NewLinkCode(player, code string, at time.Time) (*model.LinkCode, error) {
	if code == "" || normalizeLinkCode(code) != code {
		return nil, ErrLinkCodeForm
	}
	return &model.LinkCode{Digest: ps.digest(code), Player: player, Expires: at.Add(LinkCodeLifetime).UTC()}, nil
}

// Link redeems a link code as typed by the user and returns the uuid of the linked player.
func (ps *Players) Link(ctx context.Context, account, typed string) (player string, err error) {
	code := normalizeLinkCode(typed)
	if code == "" {
		return "", ErrInvalidLinkCode
	}
	player, err = ps.store.LinkCodes.Redeem(ctx, ps.digest(code), ps.now().UTC())
	if err != nil {
		return "", replaceNotFound(err, ErrInvalidLinkCode)
	}
	err = ps.editAccount(ctx, account, func(a *model.Account) error {
		switch {
		case slices.Contains(a.Profiles, player):
			return nil
		case len(a.Profiles) >= model.MaxProfiles:
			return ErrPlayerLimit
		}
		a.Profiles = append(a.Profiles, player)
		return nil
	})
	if errors.Is(err, mongo.ErrTaken) {
		err = ErrPlayerLinked
	}
	return player, err
}

// Unlink removes a player from an account.
func (ps *Players) Unlink(ctx context.Context, account, player string) error {
	return ps.editAccount(ctx, account, func(a *model.Account) error {
		at := slices.Index(a.Profiles, player)
		if at < 0 {
			return ErrPlayerNotLinked
		}
		a.Profiles = slices.Delete(a.Profiles, at, at+1)
		return nil
	})
}

// RuleChange is a value for one access rule of a player.
type RuleChange struct {
	Rule  model.AccessRule
	Value model.Access
}

// SetAccessRules changes access rules of a player who is linked to an account. Cached responses that show the player
// are invalidated.
func (ps *Players) SetAccessRules(ctx context.Context, account, player string, changes []RuleChange) error {
	values := map[model.AccessRule]model.Access{}
	for _, c := range changes {
		if c.Value == model.GuildOrFriends {
			c.Value = model.GuildAndFriends
		}
		if _, twice := values[c.Rule]; twice || !slices.Contains(model.AccessValues, c.Value) {
			return ErrInvalidRule
		}
		values[c.Rule] = c.Value
	}
	owner, err := ps.accounts.ByID(ctx, account)
	if err != nil {
		return err
	}
	if !slices.Contains(owner.Profiles, player) {
		return ErrPlayerNotLinked
	}
	return replaceNotFound(ps.store.Players.SetAccessRules(ctx, player, values), ErrPlayerNotLinked)
}

// People type link codes: 12 characters in three groups from an alphabet without look-alikes. That is 60 random bits,
// valid for minutes.
const (
	linkAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	linkLength   = 12
)

var lookAlikes = strings.NewReplacer(" ", "", "-", "", "I", "1", "L", "1", "O", "0")

func newLinkCode() string {
	b := make([]byte, linkLength)
	_, _ = rand.Read(b) // never fails
	for i := range b {
		b[i] = linkAlphabet[int(b[i])%len(linkAlphabet)]
	}
	return groupLinkCode(string(b))
}

func groupLinkCode(s string) string { return s[:4] + "-" + s[4:8] + "-" + s[8:] }

// normalizeLinkCode returns a typed code in its original form, or "" if it is malformed.
func normalizeLinkCode(typed string) string {
	s := lookAlikes.Replace(strings.ToUpper(typed))
	if len(s) != linkLength {
		return ""
	}
	for _, c := range s {
		if !strings.ContainsRune(linkAlphabet, c) {
			return ""
		}
	}
	return groupLinkCode(s)
}
