package model

type (
	// AspectConnection is a page of aspects.
	AspectConnection = Connection[*Aspect]
	// AspectEdge is an aspect in a list.
	AspectEdge = Edge[*Aspect]
)
