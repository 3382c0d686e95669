package web

import (
	"cmp"
	"net/http"
	"strconv"
	"time"

	"gamedata/graph"
	"gamedata/internal/httpapi"
)

// errorTexts maps codes to the texts on pages; for other codes the page shows the error's detail.
var errorTexts = map[graph.Code]string{
	graph.Internal:           "Something went wrong on our side. We have logged it.",
	graph.MethodNotAllowed:   "Method not allowed.",
	graph.ServiceUnavailable: "The service is temporarily unavailable. Try again in a moment.",
}

// errorTitles maps statuses to titles in words.
var errorTitles = map[int]string{
	http.StatusBadRequest:          "This address is not valid",
	http.StatusUnauthorized:        "Sign in again",
	http.StatusNotFound:            "Page not found",
	http.StatusTooManyRequests:     "One moment, please",
	http.StatusInternalServerError: "Something went wrong",
	http.StatusServiceUnavailable:  "Temporarily unavailable",
}

// ErrorTitle returns the title of the page about an error.
func ErrorTitle(status int) string { return cmp.Or(errorTitles[status], http.StatusText(status)) }

// ErrorPage returns status, headers and text of the page about an error.
func ErrorPage(e *graph.Error) (status int, header http.Header, text string) {
	status, _ = httpapi.Status(e.Code)
	header = http.Header{}
	switch {
	case status == http.StatusUnauthorized:
		httpapi.SetUnauthorized(header)
	case status == http.StatusServiceUnavailable:
		header.Set("Retry-After", "5")
	case e.RetryAfter > 0:
		header.Set("Retry-After", strconv.Itoa(e.RetryAfter))
	}
	text = errorTexts[e.Code]
	text = cmp.Or(text, e.Detail)
	return status, header, text
}

// TooManyRequests is the error of a caller who has to wait.
func TooManyRequests(wait time.Duration) *graph.Error {
	n := httpapi.WholeSeconds(wait)
	e := graph.Errorf(graph.TooManyRequests, "Too many requests. Try again in %s.", httpapi.Seconds(n))
	e.RetryAfter = n
	return e
}
