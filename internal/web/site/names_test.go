package site

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// Every name of a player or a guild that a page shows is isolated from the text beside it.
func TestNamesAreIsolated(t *testing.T) {
	name := regexp.MustCompile(`\{\{[$\w.]*\.(Username|GuildName|GuildPrefix|Nickname|FromName|ToName)\}\}`)
	isolated := regexp.MustCompile(`(?s)<bdi>.*?</bdi>|<text.*?</text>|<option.*?</option>|<title.*?</title>|<[^<>]*>`)
	for _, pattern := range []string{"html/*.html", "../account/html/*.html", "../html/*.html"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range name.FindAllString(isolated.ReplaceAllString(string(text), ""), -1) {
				t.Errorf("%s: %s stands beside text without <bdi>", file, found)
			}
		}
	}
}
