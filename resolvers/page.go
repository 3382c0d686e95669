package resolvers

import (
	"gamedata/graph"
	"gamedata/graph/model"
)

// pageOf returns a page of a list. With all it returns the whole list and only validates page.
func pageOf[T any](list []T, page, size int, all bool) (*model.PageNumbers, []T, error) {
	if page < 1 {
		return nil, nil, graph.Errorf(graph.InvalidQueryParams, "page must be an integer, 1 or more.")
	}
	if all {
		page, size = 1, max(len(list), 1)
	}
	info := &model.PageNumbers{Count: len(list), Current: page, Pages: (len(list) + size - 1) / size}
	if page < info.Pages {
		next := page + 1
		info.Next = &next
	}
	if prev := min(page-1, info.Pages); prev >= 1 {
		info.Prev = &prev
	}
	if page > info.Pages {
		return info, []T{}, nil
	}
	out := list[(page-1)*size : min(page*size, len(list))]
	info.CurrentCount = len(out)
	return info, out, nil
}

// pageOfMatches is pageOf for searches: an empty page is NOT_FOUND.
func pageOfMatches[T any](list []T, page, size int, all bool) (*model.PageNumbers, []T, error) {
	info, out, err := pageOf(list, page, size, all)
	if err == nil && len(out) == 0 {
		err = graph.ErrNotFound
	}
	return info, out, err
}
