package client_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"

	"gamedata/client"
)

// service is a fake of a running service such as https://data.example.
func service() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/graphql":
			_, _ = io.WriteString(w, `{"data":{"guild":{"name":"Mossbound Company","level":7}}}`)
		case "/v3/player/Salted":
			_, _ = io.WriteString(w, `{"username":"Salted","online":true}`)
		default:
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, `{"error":"NotFound","detail":"Resource not found.","code":404}`)
		}
	}))
}

func ExampleClient_Get() {
	s := service()
	defer s.Close()
	c, err := client.New(s.URL, client.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	var player struct {
		Username string
		Online   bool
	}
	err = c.Get(context.Background(), "/v3/player/Salted", url.Values{"fullResult": {""}}, &player)
	fmt.Println(player.Username, player.Online, err)
	err = c.Get(context.Background(), "/v3/player/Nobody", nil, &player)
	fmt.Println(err, client.IsNotFound(err))
	// Output:
	// Salted true <nil>
	// NotFound (404): Resource not found. true
}

func ExampleClient_Query() {
	s := service()
	defer s.Close()
	c, err := client.New(s.URL, client.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	var data struct {
		Guild struct {
			Name  string
			Level int
		}
	}
	err = c.Query(context.Background(), `query($name: String!) { guild(by: { name: $name }) { name level } }`,
		map[string]any{"name": "Mossbound Company"}, &data)
	fmt.Println(data.Guild.Name, data.Guild.Level, err)
	// Output: Mossbound Company 7 <nil>
}
