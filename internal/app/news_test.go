package app_test

import (
	"encoding/json"
	"fmt"
	"testing"
)

// The pages of both APIs list every visible article once, in the same order.
func TestArticlePagesAgree(t *testing.T) {
	p := sharedService(t)
	type head struct{ Pk int }
	var paged []int
	for page := 1; ; page++ {
		body := decodeBody[struct {
			Controller struct{ Next *int }
			Results    json.RawMessage
		}](t, requestOK(t, p.base, "GET", fmt.Sprintf("/v3/publisher/articles/list/article?page=%d", page), ""))
		heads := decodeBody[map[string]head](t, body.Results)
		for n := 1; n <= len(heads); n++ {
			paged = append(paged, heads[fmt.Sprint(n)].Pk)
		}
		if body.Controller.Next == nil {
			break
		}
	}
	var listed []int
	for page := 1; page <= 3; page++ {
		body := decodeBody[struct {
			Data struct {
				Articles struct {
					Nodes []struct{ Pk int }
				}
			}
		}](t, requestOK(t, p.base, "POST", "/graphql", fmt.Sprintf(`{"query":"{articles(page:%d){nodes{pk}}}"}`,
			page)))
		for _, a := range body.Data.Articles.Nodes {
			listed = append(listed, a.Pk)
		}
	}
	if fmt.Sprint(paged) != fmt.Sprint(listed) || len(paged) != 44 {
		t.Errorf("REST lists %v, GraphQL %v", paged, listed)
	}
}
