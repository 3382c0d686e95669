package auth

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// Operator is the account that has the token which the service is given at its start. Nobody signs
// up under its name.
const Operator = "operator"

// LinkCodeLifetime is how long a link code works.
const LinkCodeLifetime = 10 * time.Minute

// Refusals about accounts and links.
var (
	ErrAccountNameTaken = errors.New("another account has that name")
	ErrInvalidLinkCode  = errors.New("the code is unknown, used or expired")
	ErrPlayerLinked     = errors.New("the player is linked to another account")
	ErrPlayerNotLinked  = errors.New("the player is not linked to the account")
	ErrPlayerLimit      = fmt.Errorf("an account has at most %d players", model.MaxProfiles)
)

// Create makes an account.
func (a *Accounts) Create(ctx context.Context, name string) (*model.Account, error) {
	return a.create(ctx, name, "")
}

func (a *Accounts) create(ctx context.Context, name, password string) (*model.Account, error) {
	if err := validateName(name); err != nil {
		return nil, err
	}
	out := &model.Account{ID: newID(), Name: name, Password: password, Created: a.now().UTC()}
	err := a.store.InsertAccount(ctx, out)
	if errors.Is(err, mongo.ErrTaken) {
		err = ErrAccountNameTaken
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}

// AccountByName is the account of a name, case ignored; ErrNoAccount when there is none.
func (a *Accounts) AccountByName(ctx context.Context, name string) (*model.Account, error) {
	found, err := a.store.AccountsByName(ctx, []string{name})
	if err == nil && found[0] == nil {
		err = ErrNoAccount
	}
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

// Get is the account with an id; ErrNoAccount when there is none.
func (a *Accounts) AccountByID(ctx context.Context, id string) (*model.Account, error) {
	found, err := a.store.AccountsByID(ctx, []string{id})
	if err == nil && found[0] == nil {
		err = ErrNoAccount
	}
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

// Players are the players linked to an account, the primary one first; nil where the store
// does not have one.
func (a *Accounts) LinkedPlayers(ctx context.Context, of *model.Account) ([]*model.Player, error) {
	if len(of.Profiles) == 0 {
		return nil, nil
	}
	return a.store.PlayersByUUID(ctx, of.Profiles)
}

// FriendOf is somebody whom a player names as a friend: not one of the players except, and rather
// one of another guild, so that it shows what friends may see. Nil when there is nobody.
func (a *Accounts) FriendOf(ctx context.Context, p *model.Player, except []string) (*model.Player, error) {
	var ids []string
	for _, f := range p.Friends {
		if !slices.Contains(except, f) && len(ids) < 50 {
			ids = append(ids, f)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	found, err := a.store.PlayersByUUID(ctx, ids)
	if err != nil {
		return nil, err
	}
	var friend *model.Player
	for _, f := range found {
		switch {
		case f == nil:
		case p.Guild == nil || f.Guild == nil || f.Guild.UUID != p.Guild.UUID:
			return f, nil
		case friend == nil:
			friend = f
		}
	}
	return friend, nil
}

func (a *Accounts) ensureAccount(ctx context.Context, name string) (*model.Account, error) {
	found, err := a.AccountByName(ctx, name)
	if !errors.Is(err, ErrNoAccount) {
		return found, err
	}
	made, err := a.Create(ctx, name)
	if errors.Is(err, ErrAccountNameTaken) { // another instance starts at the same time
		return a.AccountByName(ctx, name)
	}
	return made, err
}

// CreateLinkCode makes a code for the game to show a player: whoever redeems it within LinkCodeLifetime
// has the player as a linked profile. It works once.
func (a *Accounts) CreateLinkCode(ctx context.Context, player string) (code string, err error) {
	found, err := a.store.PlayersByUUID(ctx, []string{player})
	if err != nil {
		return "", err
	}
	if found[0] == nil {
		return "", ErrNoPlayer
	}
	code = newLinkCode()
	return code, a.store.InsertLinkCode(ctx, &model.LinkCode{
		Digest: a.digest(code), Player: player,
		Expires: a.now().Add(LinkCodeLifetime).UTC(),
	})
}

// Link redeems a code as somebody typed it and returns the uuid of the player that the account
// now has.
func (a *Accounts) LinkPlayer(ctx context.Context, account, typed string) (player string, err error) {
	defer a.forget(account)
	code := normalizeLinkCode(typed)
	if code == "" {
		return "", ErrInvalidLinkCode
	}
	player, err = a.store.RedeemLinkCode(ctx, a.digest(code), a.now().UTC())
	if errors.Is(err, mongo.ErrNotFound) {
		err = ErrInvalidLinkCode
	}
	if err != nil {
		return "", err
	}
	switch err = a.store.LinkProfile(ctx, account, player); {
	case errors.Is(err, mongo.ErrNotFound):
		err = ErrNoAccount
	case errors.Is(err, mongo.ErrTaken):
		err = ErrPlayerLinked
	case errors.Is(err, mongo.ErrFull):
		err = ErrPlayerLimit
	}
	return player, err
}

// Unlink takes a player from an account.
func (a *Accounts) UnlinkPlayer(ctx context.Context, account, player string) error {
	defer a.forget(account)
	err := a.store.UnlinkProfile(ctx, account, player)
	if errors.Is(err, mongo.ErrNotFound) {
		err = ErrPlayerNotLinked
	}
	return err
}
