package main

import (
	"debug/buildinfo"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"time"

	info "gamedata/internal/buildinfo"
)

type component struct {
	Type    string `json:"type"`
	Name    string `json:"name"`
	Version string `json:"version"`
	PURL    string `json:"purl,omitempty"`
}

// writeBOM writes the bill of materials as CycloneDX JSON: the Go modules in a binary, and the npm packages in the
// pages.
func writeBOM(file, binary string, at time.Time) error {
	built, err := buildinfo.ReadFile(binary)
	if err != nil {
		return err
	}
	goVersion := strings.TrimPrefix(built.GoVersion, "go")
	parts := []component{{"library", "std", goVersion, "pkg:golang/std@" + goVersion}}
	for _, m := range built.Deps {
		parts = append(parts, component{"library", m.Path, m.Version, "pkg:golang/" + m.Path + "@" + m.Version})
	}
	packages, err := npmPackages("internal/web/console/package-lock.json")
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
		"metadata": map[string]any{
			"timestamp": at.Format(time.RFC3339),
			"component": component{Type: "application", Name: "gamedata", Version: info.Version},
		},
		"components": append(parts, packages...),
	}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o644)
}

// npmPackages returns the packages of a lock file, without development packages.
func npmPackages(lock string) (list []component, err error) {
	text, err := os.ReadFile(lock)
	if err != nil {
		return nil, err
	}
	var locked struct {
		Packages map[string]struct {
			Version string
			Dev     bool
		}
	}
	if err := json.Unmarshal(text, &locked); err != nil {
		return nil, err
	}
	for key, p := range locked.Packages {
		if _, name, ok := strings.Cut(key, "node_modules/"); ok && !p.Dev {
			if i := strings.LastIndex(name, "node_modules/"); i >= 0 {
				name = name[i+len("node_modules/"):]
			}
			escaped := strings.Replace(name, "@", "%40", 1)
			list = append(list, component{"library", name, p.Version, "pkg:npm/" + escaped + "@" + p.Version})
		}
	}
	slices.SortFunc(list, func(a, b component) int { return strings.Compare(a.PURL, b.PURL) })
	return slices.CompactFunc(list, func(a, b component) bool { return a == b }), nil
}
