package model

type (
	// ItemConnection is a page of items.
	ItemConnection = Connection[*Item]
	// ItemEdge is an item in a list.
	ItemEdge = Edge[*Item]

	// ItemSetConnection is a page of item sets.
	ItemSetConnection = Connection[*ItemSet]
	// ItemSetEdge is an item set in a list.
	ItemSetEdge = Edge[*ItemSet]

	// RecipeConnection is a page of recipes.
	RecipeConnection = Connection[*Recipe]
	// RecipeEdge is a recipe in a list.
	RecipeEdge = Edge[*Recipe]
)
