package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A settings file sets values and lists verbatim, and the environment overrides it.
func TestSettingsFile(t *testing.T) {
	clearTimeouts(t)
	path := filepath.Join(t.TempDir(), "settings.yaml")
	explains := func(code int, text, want string) {
		t.Helper()
		writeFile(t, path, text)
		got, out, errs := run("config", "explain", "--config", path)
		out = regexp.MustCompile(` +`).ReplaceAllString(out+errs, " ")
		if got != code || !strings.Contains(out, want) {
			t.Errorf("%s: got exit status %d and no %q in\n%s", text, got, want, out)
		}
	}
	for text, want := range map[string]string{
		"trusted-proxies: [10.0.0.0/8, 192.0.2.1]\n":                         "trusted-proxies [10.0.0.0/8,192.0.2.1] ",
		"trusted-proxies: 10.0.0.0/8,192.0.2.1\n":                            "trusted-proxies [10.0.0.0/8,192.0.2.1] ",
		"trusted-proxies: []\n":                                              "trusted-proxies - default\n",
		"seed-time: 2026-03-20T00:00:00Z\n":                                  "seed-time 2026-03-20T00:00:00Z ",
		"mongo-database: 0123\n":                                             "mongo-database 0123 ",
		"access-log: off\n":                                                  "access-log off ",
		"rates: {ITEMS: {guest: 20}}\n":                                      "rates ITEMS.guest=20 ",
		"rates: &r {ITEMS: {guest: 20}}\nconcurrency: &n 7\nplayers: 1000\n": "concurrency 7 ",
	} {
		explains(0, text, want)
	}
	for text, want := range map[string]string{
		"concurrency: [1\n":                      path + ": yaml: line 1",
		"concurrency: 1\nconcurrency: 2\n":       "already defined",
		"concurrency: [1]\n":                     "concurrency in " + path + ": want one value, not a list",
		"concurrency: {a: 1}\n":                  "unknown setting concurrency.a",
		"trusted-proxies: [{net: 10.0.0.0/8}]\n": "trusted-proxies in " + path + ": want a list of single values",
		"trusted-proxies: [unknown]\n":           `--trusted-proxies: "unknown" is not a network`,
		"config: other.yaml\n":                   "unknown setting config in",
		"concurrency: 1\n---\nconcurrency: 2\n":  "more than one document",
		"seed-time: 1969-01-01T00:00:00Z\n":      "--seed-time must be",
		"seed-time: 0001-01-01T00:00:00Z\n":      "--seed-time must be",
		"seed-time: 9999-12-31T00:00:00Z\n":      "--seed-time must be",
		"listen: '127.0.0.1:99999'\n":            "--listen must be an address",
		"admin-listen: ' 127.0.0.1:1 '\n":        "--admin-listen must be an address",
		"rates: {ITEMS: {guest: few}}\n":         "rates.ITEMS.guest",
		"rates: {GOODS: {guest: 20}}\n":          `unknown bucket "GOODS"`,
	} {
		explains(2, text, want)
	}
	t.Setenv("GAMEDATA_TRUSTED_PROXIES", "192.0.2.1")
	explains(0, "trusted-proxies: [10.0.0.0/8]\n", "trusted-proxies [192.0.2.1] GAMEDATA_TRUSTED_PROXIES\n")
	t.Setenv("GAMEDATA_RATES", "ITEMS.guest=21")
	explains(0, "rates: {ITEMS: {guest: 20, token: 600}}\n", "rates ITEMS.guest=21,ITEMS.token=600 ")
	t.Setenv("GAMEDATA_PAGESIZE", "40")
	explains(2, "", "unknown setting GAMEDATA_PAGESIZE")
}
