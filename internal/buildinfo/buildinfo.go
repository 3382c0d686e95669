// Package buildinfo knows which program this is.
package buildinfo

import "runtime/debug"

// Version is the version of the service, in `gamedata version`, metrics, traces and the OpenAPI document.
const Version = "1.0.0"

// Commit is the revision the binary was built from, 12 characters, and its date in RFC 3339; both empty when the
// toolchain did not record them. A revision with uncommitted changes ends in "+dirty".
func Commit() (revision, date string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", ""
	}
	dirty := ""
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value[:min(len(s.Value), 12)]
		case "vcs.time":
			date = s.Value
		case "vcs.modified":
			if s.Value == "true" {
				dirty = "+dirty"
			}
		}
	}
	return revision + dirty, date
}
