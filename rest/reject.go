package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"gamedata/graph"
	"gamedata/rest/transform"
)

// rejections are the errors that @reject names in operations.
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

// checkRejections reports names of errors that do not exist.
func checkRejections(names []string) error {
	for _, name := range names {
		if rejections[name] == nil {
			return fmt.Errorf("@reject names an unknown error %q", name)
		}
	}
	return nil
}

// Transform is that of the compiled operation, with the error of the endpoint for data that the operation rejects.
func (op *Operation) Transform(dst *bytes.Buffer, data json.RawMessage, vars map[string]any) (
	map[string][]string, error,
) {
	header, err := op.Operation.Transform(dst, data, vars)
	return header, documented(err)
}

// TransformFrames is transform.Operation.TransformFrames with the documented error for rejected data.
func (op *Operation) TransformFrames(dst *bytes.Buffer, next func() (part []byte, done float64), vars map[string]any) (
	map[string][]string, error,
) {
	header, err := op.Operation.TransformFrames(dst, next, vars)
	return header, documented(err)
}

// documented returns the documented error of rejected data.
func documented(err error) error {
	if rejected := new(transform.RejectError); errors.As(err, &rejected) {
		return rejections[rejected.Name]
	}
	return err
}
