package web

import (
	"encoding/json"
	"io/fs"
)

// manifest maps the name of a built file without its hash, such as site.js, to its path. It is empty when
// internal/web/console is not built.
type manifest map[string]string

// readManifest reads the manifest of the build, empty without a build.
func readManifest(built fs.FS) manifest {
	var m manifest
	if text, err := fs.ReadFile(built, "dist/manifest.json"); err == nil {
		_ = json.Unmarshal(text, &m) // written by the build
	}
	return m
}

var files = readManifest(dist)

// asset returns the path of a built file, empty if it is not built.
func asset(name string) string { return files[name] }

// style returns the path of the common style sheet, or of the sheet for pages that style themselves below the top bar.
func style(app bool) string {
	switch {
	case app && files["shell.css"] != "":
		return files["shell.css"]
	case files["page.css"] != "":
		return files["page.css"]
	}
	return stylePath
}
