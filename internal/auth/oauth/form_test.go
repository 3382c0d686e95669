package oauth

import (
	"encoding/base64"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gamedata/internal/auth"
)

const whole = "grant_type=authorization_code&code=c&redirect_uri=https%3A%2F%2Fa.example%2Fb&client_id=board"

func header(id, secret string) []string {
	return []string{"Basic " + base64.StdEncoding.EncodeToString([]byte(url.QueryEscape(id)+":"+url.QueryEscape(secret)))}
}

func TestParseTokenRequest(t *testing.T) {
	verifier := strings.Repeat("v", 43)
	request := auth.TokenRequest{Client: "board", Code: "c", RedirectURI: "https://a.example/b"}
	with := func(f func(*auth.TokenRequest)) auth.TokenRequest { x := request; f(&x); return x }
	secret := with(func(x *auth.TokenRequest) { x.Secret = "s 1:%" })
	proof := with(func(x *auth.TokenRequest) { x.Verifier = verifier })
	without := func(field string) string {
		v, _ := url.ParseQuery(whole)
		v.Del(field)
		return v.Encode()
	}
	for name, c := range map[string]struct {
		form  string
		auth  []string
		want  auth.TokenRequest
		basic bool
		bad   *auth.OAuthError
	}{
		"whole":          {whole, nil, request, false, nil},
		"unknown field":  {whole + "&audience=x", nil, request, false, nil},
		"secret":         {whole + "&client_secret=s+1%3A%25", nil, secret, false, nil},
		"empty secret":   {whole + "&client_secret=", nil, request, false, nil},
		"verifier":       {whole + "&code_verifier=" + verifier, nil, proof, false, nil},
		"empty verifier": {whole + "&code_verifier=", nil, request, false, nil},
		"longest verifier": {
			whole + "&code_verifier=" + strings.Repeat("-._~", 32), nil,
			with(func(x *auth.TokenRequest) { x.Verifier = strings.Repeat("-._~", 32) }), false, nil,
		},
		"basic":                {without("client_id"), header("board", "s 1:%"), secret, true, nil},
		"basic and client_id":  {whole, header("board", "s 1:%"), secret, true, nil},
		"basic, empty in form": {whole + "&client_secret=", header("board", "s 1:%"), secret, true, nil},
		"basic without secret": {whole, header("board", ""), request, true, nil},
		"basic in any case":    {whole, []string{"bASIC  " + header("board", "")[0][6:]}, request, true, nil},
		"bearer is ignored":    {whole, []string{"Bearer gd_x"}, request, false, nil},
		"bearer beside basic":  {whole, append(header("board", ""), "Bearer gd_x"), request, true, nil},
		"two secrets":          {whole + "&client_secret=x", header("board", "x"), request, true, errBoth},
		"two clients":          {whole, header("map", "x"), request, true, errOther},
		"two basics":           {whole, append(header("board", "x"), header("board", "x")...), request, true, errBasic},
		"basic is no base64":   {whole, []string{"Basic ?"}, request, true, errBasic},
		"basic has no colon":   {whole, []string{"Basic Ym9hcmQ="}, request, true, errBasic},
		"basic is badly encoded": {
			whole,
			[]string{"Basic " + base64.StdEncoding.EncodeToString([]byte("a:%zz"))},
			request,
			true, errBasic,
		},
		"basic is not UTF-8":      {whole, header("board", "\xff"), request, true, errBasic},
		"basic without client_id": {without("client_id"), header("", "x"), request, true, errClient},
		"empty form":              {"", nil, request, false, errGrant},
		"no grant type":           {without("grant_type"), nil, request, false, errGrant},
		"refresh_token": {
			strings.Replace(whole, "authorization_code", "refresh_token", 1), nil, request, false,
			errNoGrant,
		},
		"password": {"grant_type=password&username=a&password=b", nil, request, false, errNoGrant},
		"grant type in capitals": {
			strings.Replace(whole, "authorization_code", "AUTHORIZATION_CODE", 1), nil, request, false,
			errNoGrant,
		},
		"no code":                 {without("code"), nil, request, false, errCode},
		"empty code":              {without("code") + "&code=", nil, request, false, errCode},
		"no redirect_uri":         {without("redirect_uri"), nil, request, false, errRedirect},
		"no client_id":            {without("client_id"), nil, request, false, errClient},
		"code twice":              {whole + "&code=c", nil, request, false, errTwice},
		"empty code twice":        {whole + "&code=", nil, request, false, errTwice},
		"client_secret twice":     {whole + "&client_secret=&client_secret=", nil, request, false, errTwice},
		"unknown field twice":     {whole + "&a=&a=", nil, request, false, errTwice},
		"short verifier":          {whole + "&code_verifier=" + verifier[1:], nil, request, false, errVerifier},
		"long verifier":           {whole + "&code_verifier=" + strings.Repeat("v", 129), nil, request, false, errVerifier},
		"verifier with a slash":   {whole + "&code_verifier=" + verifier + "%2F", nil, request, false, errVerifier},
		"verifier with a space":   {whole + "&code_verifier=" + verifier + "+", nil, request, false, errVerifier},
		"verifier in other signs": {whole + "&code_verifier=" + verifier + "%C3%A9", nil, request, false, errVerifier},
		"badly encoded":           {whole + "&x=%zz", nil, request, false, errForm},
		"semicolon":               {strings.Replace(whole, "&", ";", 1), nil, request, false, errForm},
		"not UTF-8":               {whole + "&client_secret=%ff", nil, request, false, errForm},
		"JSON":                    {`{"grant_type": "authorization_code"}`, nil, request, false, errGrant},
	} {
		t.Run(name, func(t *testing.T) {
			got, basic, bad := parseTokenRequest(c.form, c.auth)
			if bad != c.bad || basic != c.basic {
				t.Errorf("got error %v and basic %v, want %v and %v", bad, basic, c.bad, c.basic)
			}
			if d := cmp.Diff(c.want, got); bad == nil && d != "" {
				t.Error(d)
			}
		})
	}
}

// FuzzParseTokenRequest checks that an accepted request is complete and that an error does not repeat
// what was sent.
func FuzzParseTokenRequest(f *testing.F) {
	f.Add(whole, "Basic Ym9hcmQ6eA==")
	f.Add(whole+"&code_verifier="+strings.Repeat("v", 43), "Bearer x")
	f.Add("grant_type=%zz&&;=", "basic")
	f.Fuzz(func(t *testing.T, form, authorization string) {
		x, _, bad := parseTokenRequest(form, []string{authorization})
		if bad == nil && (x.Client == "" || x.Code == "" || x.RedirectURI == "" || x.Verifier != "" &&
			!auth.ValidVerifier(x.Verifier)) {
			t.Errorf("%+v", x)
		}
		if bad != nil && (bad.Text == "" || len(authorization) > 20 && strings.Contains(bad.Text, authorization)) {
			t.Errorf("%+v", bad)
		}
	})
}
