package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"gamedata/graph/generated"
	"gamedata/internal/app/apptest"
)

var (
	markdownLink    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	markdownHeading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	notInAnchor     = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	declaredTest    = regexp.MustCompile(`(?m)^func ((?:Test|Benchmark|Fuzz)\w+)\(`)
	wordOfSource    = regexp.MustCompile(`\w+`)
	source          = regexp.MustCompile(`\.(go|graphqls?|tsx?|json)$|/Makefile$`)
	// foreign matches names of other makers' programs and protocols, and of files that a command or an example makes.
	foreign = regexp.MustCompile(`^(retry|rm|oplog|fsGroup|user|eval|quiet|prefix|repl.*|bind.*|profile|subscriptionExchange|fetchSubscriptions|` +
		`OTEL_\w+|MONGODB_\w+|CLIENT_(ID|SECRET)|structuredContent|isError|document(Mode|Node)|createGraphiQLFetcher|` +
		`subscriptionUrl|\w*Link|data(-\w+)?|name|accent|\.vscode/.*|html/page\.html|rest/.*(estivals|lootruns).*)$`)
	// ofMongoDB and walked have many such names: about MongoDB, and of examples that another test builds.
	ofMongoDB, walked = []string{"backup.md", "mongodb-and-scaling.md", "reliability.md"}, "/contributing/"
)

func anchorsOf(text string) map[string]bool {
	anchors := map[string]bool{}
	for _, m := range markdownHeading.FindAllStringSubmatch(text, -1) {
		name := notInAnchor.ReplaceAllString(strings.ToLower(m[1]), "")
		anchors[strings.ReplaceAll(name, " ", "-")] = true
	}
	return anchors
}

// documents returns the texts of the documents, by file.
func documents(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, pattern := range []string{"../../*.md", "../../docs/*.md", "../../docs/*/*.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text := apptest.ReadFile(t, file)
			texts[file] = string(text)
		}
	}
	return texts
}

// Links between documents lead to files and headings that exist.
func TestDocumentationLinks(t *testing.T) {
	for file, text := range documents(t) {
		for _, m := range markdownLink.FindAllStringSubmatch(text, -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			path, anchor, _ := strings.Cut(m[1], "#")
			target := file
			if path != "" {
				target = filepath.Join(filepath.Dir(file), filepath.FromSlash(path))
			}
			linked, err := os.ReadFile(target)
			if err != nil {
				t.Errorf("%s links to %s: %v", file, m[1], err)
			} else if anchor != "" && !anchorsOf(string(linked))[anchor] {
				t.Errorf("%s links to %s, which has no such heading", file, m[1])
			}
		}
	}
}

// Everything exists that the guides and the help of the commands name: flags, settings, commands, metrics, fields,
// mutations, files, targets of make, and tests in the packages that are named with them.
func TestDocumentedNames(t *testing.T) {
	root := command()
	rejectUnknownArgs(root)
	texts := documents(t)
	for file := range texts { // the past and the contract
		if regexp.MustCompile(`decisions|CHANGELOG|/spec/`).MatchString(file) {
			delete(texts, file)
		}
	}
	flags := map[string]bool{"config": true, "help": true}
	visit(root, func(cmd *cobra.Command) {
		var usage []string
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			flags[f.Name] = true
			usage = append(usage, f.Usage)
		})
		texts[cmd.CommandPath()+" --help"] = strings.Join(append(usage, cmd.Long, cmd.Example), "\n")
	})
	words, tests, declared := sources(t)
	schema, err := parser.ParseSchema(&ast.Source{Input: generated.SDL()})
	if err != nil {
		t.Fatal(err)
	}
	makefile := apptest.ReadFile(t, "../../Makefile")
	isMutation := func(_, name string) bool { return schema.Definitions.ForName("Mutation").Fields.ForName(name) != nil }
	isCommand := func(_, line string) bool {
		cmd, args, err := root.Find(strings.Fields(line))
		return err == nil && (!cmd.HasSubCommands() || len(args) == 0)
	}
	for _, kind := range []struct {
		what, pattern string
		exists        func(file, name string) bool
	}{
		{"flag", "[\\s`(\\[]--([a-z][a-z-]*[a-z])\\b", func(_, name string) bool { return flags[name] }},
		{"setting", `GAMEDATA_([A-Z_]*[A-Z])\b`, func(_, name string) bool {
			name = strings.ToLower(strings.ReplaceAll(name, "_", "-"))
			return flags[name] || name == "url" || name == "token" || name == "bootstrap-token-file"
		}},
		{"metric", `gamedata_([a-z_]+[a-z])`, func(_, name string) bool {
			name = regexp.MustCompile(`_(count|sum|bucket)$`).ReplaceAllString(name, "")
			_, suffix, _ := strings.Cut(name, "_")
			return words[name] || words["_"+suffix]
		}},
		{"command", "`gamedata ([a-z]+(?:-[a-z]+)*(?: [a-z]+(?:-[a-z]+)*)?)", isCommand},
		{"list of commands", "[Cc]ommands \\(((?:`[a-z][a-z-]*`,?\\s?)+)\\)", func(_, list string) bool {
			return !slices.ContainsFunc(regexp.MustCompile(`[a-z-]+`).FindAllString(list, -1), func(name string) bool {
				return !isCommand("", name)
			})
		}},
		{"mutation", "[Mm]utations?:? `(\\w+)", isMutation},
		{"target of make", "`make ([a-z][a-z-]*)", func(_, name string) bool {
			return strings.Contains("\n"+string(makefile), "\n"+name+":")
		}},
		{
			"file", "`((?:[\\w.-]+/)+[\\w-]+\\.(?:go|md|ts|html|css|yaml|json|js|graphqls?|service|txtar))`",
			func(file, name string) bool {
				_, err := os.Stat("../../" + name)
				word := strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
				return err == nil || strings.Contains(file, walked) && words[word]
			},
		},
		{"test", `\b((?:Test|Benchmark|Fuzz)[A-Z]\w+)`, func(_, name string) bool { return declared[name] }},
		{"name", "`(?:\\w+\\.)?([a-z]+[A-Z]\\w*|[A-Z]+_[A-Z_]+|[A-Z][a-z]+[A-Z]\\w*)[`(:]", func(file, name string) bool {
			return words[name] || slices.Contains(ofMongoDB, filepath.Base(file)) || strings.Contains(file, walked)
		}},
	} {
		pattern, n := regexp.MustCompile(kind.pattern), 0
		for file, text := range texts {
			for _, m := range pattern.FindAllStringSubmatch(text, -1) {
				if n++; !kind.exists(file, m[1]) && !foreign.MatchString(m[1]) {
					t.Errorf("%s names the %s %s, which does not exist", file, kind.what, m[1])
				}
			}
		}
		if n == 0 {
			t.Errorf("found no %s by %s", kind.what, kind.pattern)
		}
	}
	inPackage := regexp.MustCompile(`[\s;|]([a-z]\w*(?:/\w+)*): ((?:(?:Test|Benchmark)\w+(?:, )?)+)`)
	for file, text := range texts {
		for _, m := range inPackage.FindAllStringSubmatch(text, -1) {
			for _, name := range strings.Split(strings.TrimSuffix(m[2], ", "), ", ") {
				if !tests[m[1]+": "+name] {
					t.Errorf("%s names %s in %s, where it is not", file, name, m[1])
				}
			}
		}
	}
}

func visit(cmd *cobra.Command, f func(*cobra.Command)) {
	f(cmd)
	for _, below := range cmd.Commands() {
		visit(below, f)
	}
}

var testInComment = regexp.MustCompile(`//[^\n]*\b((?:Test|Benchmark|Fuzz)[A-Z]\w+)`)

// sources returns the words of the project's sources, its tests as "folder: name", and the names of the tests. It fails
// for a comment that names a test that does not exist.
func sources(t *testing.T) (words, tests, declared map[string]bool) {
	t.Helper()
	words, tests, declared = map[string]bool{}, map[string]bool{}, map[string]bool{}
	named := map[string]string{} // test → file
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{"node_modules", ".git", "dist", "data", "bin"}, d.Name()):
			return filepath.SkipDir
		case d.IsDir() || !source.MatchString(path) || strings.HasSuffix(path, "cmd/gamedata/docs_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		for _, word := range wordOfSource.FindAllString(string(text), -1) {
			words[word] = true
		}
		for _, m := range declaredTest.FindAllStringSubmatch(string(text), -1) {
			tests[filepath.ToSlash(filepath.Dir(path))[len("../../"):]+": "+m[1]], declared[m[1]] = true, true
		}
		code := testInComment.ReplaceAllString(string(text), "")
		for _, m := range testInComment.FindAllStringSubmatch(string(text), -1) {
			if !regexp.MustCompile(`\b` + m[1] + `\b`).MatchString(code) { // a field may have such a name
				named[m[1]] = path
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, path := range named {
		if !declared[name] {
			t.Errorf("a comment of %s names the test %s, which does not exist", path, name)
		}
	}
	return words, tests, declared
}
