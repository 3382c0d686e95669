package account

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/internal/httpapi"
	"gamedata/internal/web"
	"gamedata/mongo"
)

type page struct {
	web.Layout
	Form string // token of its forms
	Name string // of the account; empty without a session
	// Sections is the navigation of the account, Section the path of the current section; both are empty on other
	// pages.
	Sections []section
	Section  string
	Done     string // the result of an action
	Wrong    string // why an action failed
	Body     any

	// The values of a rejected form, its path, and the reason for each field. Passwords are never shown.
	sentTo string
	sent   url.Values
	faults map[string]string
}

func (q *request) render(status int, template string, data page) {
	data.Form = q.formToken()
	if q.expired {
		status, data.Wrong = http.StatusForbidden, cmp.Or(data.Wrong, expiredForm)
	}
	if data.Wrong != "" {
		data.sentTo, data.sent = q.route.path, q.form
	}
	data.Active, data.UserName = "/account", data.Name
	data.Narrow = template != "rules"
	if data.Name != "" && q.route.path != authorizePath {
		data.Sections, data.Section = sections, sectionOf(q.route.path).Path
	}
	q.showName(data.Name)
	body, err := q.pages.templates.Render(template, data)
	if err != nil {
		q.pages.o.Log.Error("rendering page failed", "template", template, "error", err)
		http.Error(q.w, "Internal error.", http.StatusInternalServerError)
		return
	}
	web.WritePage(q.w, q.r, status, body)
}

func (q *request) errorPage(status int, text string) {
	q.render(status, "problem", page{Layout: web.Layout{Title: web.ErrorTitle(status)}, Wrong: text})
}

func (q *request) error(e *graph.Error) {
	status, header, text := web.ErrorPage(e)
	maps.Copy(q.w.Header(), header)
	q.errorPage(status, text)
}

// run runs a fixed operation for the viewer in ctx and decodes its data.
func (p *Pages) run(ctx context.Context, operation string, variables map[string]any, into any) *graph.Error {
	response := p.exec.Run(ctx, p.operations[operation].Operation, variables)
	if len(response.Errors) > 0 {
		bad := graph.ErrorOf(response.Errors[0])
		if bad.Code == graph.BadVariables { // its text is for programs
			bad = graph.Errorf(graph.InvalidForm, unreadableForm)
		}
		return bad
	}
	if err := json.Unmarshal(response.Data, into); err != nil {
		p.o.Log.Error("decoding page data failed", "operation", operation, "error", err)
		return graph.ErrInternal
	}
	return nil
}

// userErrorStatuses maps the codes of user errors to the statuses of their pages.
var userErrorStatuses = map[model.UserErrorCode]int{
	model.UserErrorCodeInvalidForm:     http.StatusBadRequest,
	model.UserErrorCodeNotFound:        http.StatusNotFound,
	model.UserErrorCodeConflict:        http.StatusConflict,
	model.UserErrorCodeLimitReached:    http.StatusConflict,
	model.UserErrorCodeWrongPassword:   http.StatusForbidden,
	model.UserErrorCodeTooManyRequests: http.StatusTooManyRequests,
}

// payload is the payload of a mutation, with every field that the operations of the pages select.
type payload struct {
	UserErrors             []Problem
	Account, Value, Secret *string
	Token                  struct{ Name string }
	Application            *struct{ ClientID, Name string }
	Delivery               struct {
		Error        *string
		Milliseconds int64
	}
}

// mutate runs an operation with one mutation. If the mutation changes nothing, mutate writes the section with the
// reason, or an error page, and returns nil.
func (p *Pages) mutate(ctx context.Context, q *request, operation string, variables map[string]any) *payload {
	var payloads map[string]*payload
	if bad := p.run(ctx, operation, variables, &payloads); bad != nil {
		q.operationError(ctx, bad)
		return nil
	}
	for _, payload := range payloads {
		if len(payload.UserErrors) == 0 {
			return payload
		}
		first, messages, faults := payload.UserErrors[0], []string{}, map[string]string{}
		for _, e := range payload.UserErrors {
			messages = append(messages, e.Message)
			if len(e.Field) > 0 {
				faults[e.Field[len(e.Field)-1]] += e.Message + " "
			}
		}
		if first.RetryAfter != nil {
			q.w.Header().Set("Retry-After", strconv.FormatInt(*first.RetryAfter, 10))
		}
		q.reject(ctx, userErrorStatuses[model.UserErrorCode(first.Code)], strings.Join(messages, " "), faults)
	}
	return nil
}

// operationError writes the response to a failed operation: the section with the reason, or an error page.
func (q *request) operationError(ctx context.Context, e *graph.Error) {
	switch e.Code {
	case graph.ServiceUnavailable, graph.Internal:
		q.error(e)
	case graph.SessionRequired: // the account was deleted
		q.setCookie(httpapi.SessionCookie, "", -1)
		q.redirect(http.StatusSeeOther, signInPath)
	default:
		status, header, text := web.ErrorPage(e)
		maps.Copy(q.w.Header(), header)
		q.reject(ctx, status, text, nil)
	}
}

// rejectFields rejects a form because of its fields. The page lists all reasons above the form and shows each at its
// field.
func (q *request) rejectFields(ctx context.Context, status int, faults map[string]string) {
	var reasons []string
	for _, field := range slices.Sorted(maps.Keys(faults)) {
		reasons = append(reasons, strings.TrimSpace(faults[field]))
	}
	q.reject(ctx, status, strings.Join(reasons, " "), faults)
}

// reject writes the page of a form again, with the values sent, the reason for the rejection and the faults by field.
func (q *request) reject(ctx context.Context, status int, reason string, faults map[string]string) {
	data := page{Wrong: strings.TrimSpace(reason), faults: faults}
	if q.route.path == deletePath {
		q.ask(ctx, status, data)
		return
	}
	q.show(ctx, status, data, nil)
}

// failed writes the response to an unexpected error.
func (q *request) failed(ctx context.Context, err error) {
	if errors.Is(err, mongo.ErrUnavailable) || errors.Is(err, graph.ErrUnavailable) || ctx.Err() != nil {
		q.error(graph.ErrUnavailable)
		return
	}
	q.pages.o.Log.Error("account page failed", "path", q.r.URL.Path, "error", err)
	q.error(graph.ErrInternal)
}
