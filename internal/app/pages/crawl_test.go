package pages

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"gamedata/internal/app/apptest"
)

var (
	// entrances are where the crawler begins: it finds everything else on pages.
	entrances = []string{
		"/", "/robots.txt", "/sitemap.xml", "/account", "/account/sign-up", "/leaderboards/gains?kind=GUILD",
	}
	// demoEntrances need players, guilds or the guides' examples.
	demoEntrances = []string{
		"/docs", "/llms.txt", "/players/Salted", "/players/Hollowed", "/players/Veiled", "/guilds/Mossbound%20Company",
		"/search?query=moss", apptest.CastCharacter("Salted"),
	}
	// statuses are expected besides 200, by path, or page and path: without a credential, and of a service without dumps.
	statuses = map[string]int{
		"/v3/oauth/me": 401, "/v3/oauth/token": 401, "/docs/rest/OAuthToken/v3/oauth/token": 400, "/oauth/revoke": 401,
		"/feed":   401,
		"/dumps/": 404, "/dumps/manifest.json": 404, "/dumps/20261122T000007Z/players.ndjson.zst": 404,
	}
	// readers stands for what guides leave to their readers.
	readers = strings.NewReplacer("\\\n", " ", "$uuid", "71c3e5a9-d4b2-4f60-8e1c-3a5b7d9f1e2c",
		`-H "Authorization: Bearer $TOKEN"`, "")
	// elsewhere matches samples for the admin listener and for a browser's session.
	elsewhere = regexp.MustCompile(`:9090/|\$SESSION`)
	// mayBeEmpty are fields about the caller and about the last hours: the world of the tests ended before.
	mayBeEmpty = regexp.MustCompile(`\b(whoami|playerLocations|oauthMe|worldHistory|captures)\b`)
	// named matches paths of pages that are alike.
	named = regexp.MustCompile(`^/(players|guilds|items|leaderboards|territories|recipes|world-events|news)/[^/]+(/characters/)?`)
	inXML = regexp.MustCompile(`(?:<loc>|href=")([^<"]+)`)
	paths = regexp.MustCompile("`(?:[A-Z]+ )?(/[a-z][a-z0-9_/{}.-]*)`")
	// notServed matches paths of the admin listener, of files, and of what is not in every build.
	notServed = regexp.MustCompile(`^/(v3$|explain$|debug|cache/|metrics|proc|etc|var|tmp|data$|dumps|assets|card|page\.css|embed|badge)`)
	blocks    = regexp.MustCompile("(?s)```(sh|graphql)\n(.*?)```")
	// A document of standard input, a word of a shell, and the quoted parts of a word.
	heredoc = regexp.MustCompile(`(?s)<<'(EO\w+)'\n(.*?)\nEO`)
	word    = regexp.MustCompile(`^ *((?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\|&;<>()])+)`)
	quotes  = regexp.MustCompile(`(?s)'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)`)
)

// offer is a request that a page, a form or a sample offers; headers are name, value, name, value…
type offer struct {
	from, method, address, body string
	headers                     []string
}

// crawler tries what a service offers, a few times for each kind of page and each value of a parameter.
type crawler struct {
	*testing.T
	*apptest.Program
	empty  bool                       // whether the world is
	tried  map[string]int             // how often what an address has was found
	ids    map[string]map[string]bool // of pages, by address
	places map[string]string          // addresses with a fragment, and which page links to them
	queue  []offer
}

// Every link, file, picture and sample of every page and guide works, and every form with each of its options,
// in a world that was recorded for three months and in an empty one. No page says what is untrue there.
func TestOffers(t *testing.T) {
	t.Parallel()
	for name, p := range map[string]*apptest.Program{
		"demo": apptest.Shared(t), "empty": apptest.Start(t, "--data-dir", t.TempDir(), "--guest-rate", "1000000"),
	} {
		c := &crawler{t, p, name == "empty", map[string]int{}, map[string]map[string]bool{}, map[string]string{}, nil}
		begin := entrances
		if !c.empty {
			begin = slices.Concat(entrances, demoEntrances)
			c.guides()
		}
		for _, path := range begin {
			c.add("", path)
		}
		n := 0
		for ; len(c.queue) > 0; n++ {
			next := c.queue[0]
			c.queue = c.queue[1:]
			c.try(next)
		}
		for address, from := range c.places {
			if page, place, _ := strings.Cut(address, "#"); c.ids[page] != nil && !c.ids[page][place] {
				t.Errorf("%s links to %s, which has no such id", from, address)
			}
		}
		if t.Logf("%s: %d requests, %d pages", name, n, len(c.ids)); len(c.ids) < 30 {
			t.Errorf("%s: got %d pages", name, len(c.ids))
		}
	}
}

// add adds an address unless it is of another host or nothing about it is new.
func (c *crawler) add(from, address string) {
	base, _ := url.Parse(c.Base + from)
	u, err := base.Parse(address)
	if err != nil || u.Host != base.Host || u.Scheme != "http" || c.empty && strings.HasPrefix(u.Path, "/docs") {
		return
	}
	if c.places[strings.TrimPrefix(u.String(), c.Base)] = from; u.Fragment == "" {
		delete(c.places, strings.TrimPrefix(u.String(), c.Base))
	}
	if u.Fragment = ""; !c.first(u.String(), 1) {
		return
	}
	kind := named.ReplaceAllString(u.Path, "/$1/*$2")
	isNew, query := false, u.Query()
	if query.Has("query") && (kind == "/graphql" || kind == "/playground") { // each page has documents of its own
		kind += " of " + named.ReplaceAllString(base.Path, "/$1/*$2")
	}
	for name, values := range query {
		if slices.Contains([]string{"after", "around", "before", "query", "q", "variables"}, name) {
			values = nil
		}
		of := kind + "?" + name
		isNew = c.first(of+"="+strings.Join(values, "&"), 1) && c.first(of, 60) || isNew
	}
	if !c.first(kind, 3) && !isNew {
		return
	}
	if strings.HasPrefix(kind, "/playground of ") {
		c.run(from, query.Get("query"), query.Get("variables"))
		return
	}
	c.queue = append(c.queue, offer{from, "GET", u.RequestURI(), "", []string{"Accept", "text/html"}})
}

// first reports whether something is found for one of the first n times.
func (c *crawler) first(what string, n int) bool {
	c.tried[what]++
	return c.tried[what] <= n
}

// run adds a GraphQL document, with its variables as JSON.
func (c *crawler) run(from, document, variables string) {
	body, err := json.Marshal(map[string]any{"query": document, "variables": json.RawMessage(cmp.Or(variables, "{}"))})
	if err != nil {
		c.Errorf("%s offers %s with the variables %s: %v", from, document, variables, err)
	}
	headers := []string{"Content-Type", "application/json", "Accept", "application/json"}
	if strings.HasPrefix(document, "subscription") {
		headers[3] = "text/event-stream"
	}
	c.queue = append(c.queue, offer{from, "POST", "/graphql", string(body), headers})
}

// try sends a request and looks at the response.
func (c *crawler) try(o offer) {
	r, err := http.NewRequestWithContext(c.Context(), o.method, c.Base+o.address, strings.NewReader(o.body))
	if err != nil {
		c.Fatal(err)
	}
	for i := 0; i+1 < len(o.headers); i += 2 {
		r.Header.Set(o.headers[i], o.headers[i+1])
	}
	res, err := apptest.Client.Do(r)
	if err != nil {
		c.Fatal(err)
	}
	defer res.Body.Close()
	kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	var body []byte
	if kind != "text/event-stream" { // it does not end
		body, err = io.ReadAll(res.Body)
	}
	path, _, _ := strings.Cut(o.address, "?")
	wrong := res.StatusCode != cmp.Or(statuses[o.from+path], statuses[path], 200) && (!c.empty || path != "/search") &&
		!bytes.Contains(body, []byte("<title>Not built")) // without npm
	switch at := res.Header.Get("Location"); {
	case at != "":
		c.add(o.address, at)
		return
	case strings.HasPrefix(o.from, "form "): // without input
		wrong = res.StatusCode >= 500 || res.StatusCode == 404 || res.StatusCode == 405
	case strings.HasPrefix(o.from, "/docs/rest") && o.headers[0] == "Accept" && !strings.HasPrefix(path, "/docs"):
		wrong = res.StatusCode >= 500 // a case, of which some have errors
	}
	switch {
	case wrong || err != nil:
	case res.StatusCode != 200 || len(body) == 0:
	case kind == "text/html":
		c.page(o.address, body)
	case strings.HasSuffix(kind, "xml"):
		for _, m := range inXML.FindAllSubmatch(body, -1) {
			c.add(o.address, html.UnescapeString(string(m[1])))
		}
	case path == "/graphql" && kind == "application/json" && o.method == "POST":
		var result documentResult
		err = json.Unmarshal(body, &result)
		wrong = !bytes.Contains(body, []byte(`"Sign in on the account page`)) && // a mutation of a session
			(len(result.Errors) > 0 || !c.empty && isEmpty(result.Data) && !mayBeEmpty.MatchString(o.body))
	case strings.HasSuffix(kind, "/json"):
		wrong = !json.Valid(body) || bytes.Contains(body, []byte(`"isError":true`))
	}
	if wrong || err != nil {
		c.Errorf("%s offers %s %s %s: got %d, %v, %.200s", o.from, o.method, o.address, o.body, res.StatusCode, err, body)
	}
}

// page adds what a page offers.
func (c *crawler) page(at string, body []byte) {
	root, err := html.Parse(bytes.NewReader(body))
	if err != nil {
		c.Fatal(err)
	}
	_, main, layout := strings.Cut(string(body), `<main id="main"`)
	if !layout && !strings.HasSuffix(at, "/embed") {
		c.Errorf("%s lacks the common layout", at)
	}
	found := untrue.FindString(markup.ReplaceAllString(main, " "))
	if found == "" && strings.Contains(at, "kind=GUILD") && strings.Contains(main, "Players who hide") {
		found = "Players who hide" // of a board of guilds
	}
	if filtered := strings.Contains(at, "?") && strings.HasPrefix(found, "No "); found != "" && !filtered &&
		!strings.HasPrefix(at, "/docs") {
		c.Errorf("%s says %q", at, found)
	}
	ids := map[string]bool{}
	c.ids[at] = ids
	for n := range root.Descendants() {
		for _, a := range n.Attr {
			switch {
			case a.Key == "id" && ids[a.Val]:
				c.Errorf("%s: the id %s is used twice", at, a.Val)
			case a.Key == "id":
				ids[a.Val] = true
			case a.Key == "href" || a.Key == "src" || a.Key == "content" && strings.HasPrefix(a.Val, c.Base):
				c.add(at, a.Val)
			case n.Data == "pre" && a.Key == "class" && strings.HasPrefix(a.Val, "copy") &&
				!strings.HasPrefix(at, "/docs/guides/"): // guides have tests of their own
				c.sample(at, textOf(n))
			}
		}
		if n.Data == "form" && attribute(n, "action") != "" {
			c.form(at, n)
		}
	}
}

// form sends a form as it is, and with each option of each choice.
func (c *crawler) form(at string, form *html.Node) {
	action, fields, choices := attribute(form, "action"), url.Values{}, map[string][]string{"": {""}}
	for n := range form.Descendants() {
		switch name, value := attribute(n, "name"), attribute(n, "value"); {
		case n.Data == "input" && attribute(n, "type") == "checkbox":
			choices[name] = append(choices[name], cmp.Or(value, "on"))
		case n.Data == "input":
			fields.Set(name, cmp.Or(value, map[bool]string{true: "moss"}[slices.ContainsFunc(n.Attr,
				func(a html.Attribute) bool { return a.Key == "required" })]))
		case n.Data == "select" || n.Data == "datalist":
			name = cmp.Or(name, strings.TrimSuffix(attribute(n, "id"), "s"))
			for option := range n.Descendants() {
				if option.Data == "option" {
					choices[name] = append(choices[name], attribute(option, "value"))
				}
			}
		}
	}
	if strings.EqualFold(attribute(form, "method"), "post") {
		headers := []string{"Content-Type", "application/x-www-form-urlencoded"}
		c.queue = append(c.queue, offer{"form of " + at, "POST", action, fields.Encode(), headers})
		return
	}
	for name, values := range choices {
		for _, value := range values {
			was := fields[name]
			fields.Set(name, value)
			c.add(at, action+"?"+fields.Encode())
			fields[name] = was
		}
	}
}

// sample adds the requests of a sample: curl, a GraphQL query or markup for another site.
func (c *crawler) sample(at, text string) {
	input := ""
	if m := heredoc.FindStringSubmatch(text); m != nil {
		input = strings.ReplaceAll(m[2], "\n", "")
	}
	if elsewhere.MatchString(text) {
		return
	}
	text = readers.Replace(text)
	_, rest, isCurl := strings.Cut(text, "curl ")
	for ; isCurl; _, rest, isCurl = strings.Cut(rest, "curl ") {
		o := offer{from: at, method: "GET", headers: []string{"Content-Type", "application/x-www-form-urlencoded"}}
		option := ""
		for m := word.FindStringSubmatch(rest); m != nil && m[1] != "#"; m = word.FindStringSubmatch(rest) {
			rest = rest[len(m[0]):]
			value := quotes.ReplaceAllString(m[1], "$1$2$3")
			switch {
			case strings.HasPrefix(value, "-"):
				option = value
				continue
			case option == "-H":
				name, value, _ := strings.Cut(value, ": ")
				o.headers = append(o.headers, name, value)
			case strings.HasPrefix(option, "-d") || strings.HasPrefix(option, "--data"):
				o.method, o.body = "POST", strings.TrimPrefix(o.body+"&"+strings.ReplaceAll(value, "@-", input), "&")
			default:
				o.address = value
			}
			option = ""
		}
		_, o.address, _ = strings.Cut(strings.TrimPrefix(o.address, "http://"), "/")
		o.address = "/" + o.address
		c.queue = append(c.queue, o)
	}
	switch {
	case strings.HasPrefix(text, "<") || strings.HasPrefix(text, "["):
		for _, found := range regexp.MustCompile(regexp.QuoteMeta(c.Base)+`[^\s"\\)\]]+`).FindAllString(text, -1) {
			c.add(at, found)
		}
	case strings.HasPrefix(text, "query") || strings.HasPrefix(text, "{\n") || strings.HasPrefix(text, "subscription"):
		variables, _ := json.Marshal(guideVariables)
		if !strings.HasPrefix(at, "/docs/rest/") { // such a page links to the console, with the variables
			c.run(at, text, string(variables))
		}
	}
}

// guides adds the samples of the guides.
func (c *crawler) guides() {
	files, _ := filepath.Glob("../../../docs/*.md")
	hash := explain(c.T, c.Program, "/v3/player/Salted").Operation.Sha256
	for _, file := range append(files, "../../../README.md") {
		text := apptest.ReadFile(c, file)
		for _, m := range paths.FindAllStringSubmatch(string(text), -1) {
			missing := !notServed.MatchString(m[1])
			for _, path := range []string{m[1], "/v3" + m[1]} { // another method of what exists is 405
				missing = missing && apptest.Request(c.T, "DELETE", c.Base+path, "").Status == 404
			}
			if missing {
				c.Errorf("%s names %s, which does not exist", file, m[1])
			}
		}
		for _, m := range blocks.FindAllSubmatch(text, -1) {
			c.sample(filepath.Base(file), strings.ReplaceAll(string(m[2]), "'$HASH'", hash))
		}
	}
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func textOf(n *html.Node) (text string) {
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			text += d.Data
		}
	}
	return text
}
