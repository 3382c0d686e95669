package publicdump

import (
	"embed"
	"log/slog"
	"net/http"

	"github.com/dustin/go-humanize"

	"gamedata/graph"
	"gamedata/internal/httpapi"
	"gamedata/internal/web"
)

//go:embed html
var pages embed.FS

// Size formats the size of the compressed file, such as 1.2 MB.
func (f File) Size() string { return humanize.Bytes(uint64(max(0, f.Bytes))) }

// Index serves the page that lists the files of the latest generation in a directory.
func Index(api *httpapi.API, dir string, log *slog.Logger) http.Handler {
	templates := web.ParseTemplates(pages)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		httpapi.SetRoute(r.Context(), httpapi.APIOther, Path, "dumps")
		if !api.Limits.Authorize(w, r, httpapi.Pages, 1) {
			return
		}
		var page struct {
			web.Layout
			Manifest *Manifest
		}
		page.Title, page.Description = "Public dumps", "Files with everything that a guest may see of the game."
		m, err := ReadManifest(dir)
		page.Manifest = m
		var body []byte
		if err == nil {
			body, err = templates.Render("dumps", page)
		}
		if err != nil {
			log.Error("rendering the list of dumps failed", "error", err)
			api.Reject(w, r, graph.ErrInternal)
			return
		}
		web.SetPageHeaders(w.Header())
		web.WritePage(w, r, http.StatusOK, body)
	})
}
