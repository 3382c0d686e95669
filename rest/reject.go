package rest

import (
	"bytes"
	"encoding/json"
	"errors"

	"gamedata/graph"
	"gamedata/rest/transform"
)

// rejections maps the names used with @reject to errors.
var rejections = map[string]*graph.Error{
	"INTERNAL":                graph.ErrInternal,
	"NOT_FOUND":               graph.ErrNotFound,
	"NO_ONLINE_PLAYER":        graph.ErrNoOnlinePlayer,
	"NO_CHARACTER":            graph.ErrNoCharacter,
	"INVALID_CHARACTER_UUID":  graph.ErrInvalidCharacterUUID,
	"CHARACTER_LIST_HIDDEN":   graph.ErrCharacterListHidden,
	"CHARACTER_DATA_HIDDEN":   graph.ErrCharacterDataHidden,
	"CHARACTER_BUILDS_HIDDEN": graph.ErrCharacterBuildsHidden,
	"INVALID_TREE":            graph.ErrInvalidTree,
	"CLASSES_NOT_LOADED":      graph.ErrClassesNotLoaded,
	"INVALID_LEADERBOARD":     graph.ErrInvalidLeaderboardType,
	"INVALID_TOKEN":           graph.ErrInvalidToken,
}

// Transform is transform.Operation.Transform with the documented error for rejected data.
func (op *Operation) Transform(dst *bytes.Buffer, data json.RawMessage, vars map[string]any) (
	map[string][]string, error,
) {
	header, err := op.Operation.Transform(dst, data, vars)
	if rejected := new(transform.RejectError); errors.As(err, &rejected) {
		err = rejections[rejected.Name]
	}
	return header, err
}
