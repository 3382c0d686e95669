package graph

// SDL is the schema as it was written, in reading order.
func SDL() string { return sources[0].Input }
