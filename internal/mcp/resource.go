package mcp

import (
	"context"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"gamedata/docs"
	"gamedata/graph/generated"
)

// schemaURI is the URI of the schema. Append a slash and a name for a section.
const schemaURI = "gamedata://schema"

// addResources adds the schema, its sections and the guides.
func addResources(server *sdk.Server) {
	add := func(uri, title, about, mediaType string, text func() string) {
		r := &sdk.Resource{
			URI: uri, Name: strings.TrimPrefix(uri, "gamedata://"), Title: title, Description: about, MIMEType: mediaType,
			Size: int64(len(text())),
		}
		server.AddResource(r, func(context.Context, *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
			return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{Text: text()}}}, nil
		})
	}
	const about = "Every type and field, with its cache time and bucket."
	add(schemaURI, "GraphQL schema", about, "text/plain", generated.SDL)
	for name, text := range generated.Sections() {
		comment, _, _ := strings.Cut(text, "\n\n")
		title := comment[strings.LastIndex(comment, "# ")+len("# "):]
		add(schemaURI+"/"+name, "GraphQL schema: "+title, "", "text/plain", func() string { return text })
	}
	for _, guide := range docs.Guides {
		text := func() string { // not kept in memory
			content, _ := docs.Files.ReadFile(guide.Name + ".md") // each guide is a file
			return string(content)
		}
		title, _, _ := strings.Cut(strings.TrimPrefix(text(), "# "), "\n")
		add("gamedata://guides/"+guide.Name, title, guide.About, "text/markdown", text)
	}
}
