package model

import "github.com/99designs/gqlgen/graphql"

// The enums of the schema that are stored as texts. A test compares the values with the schema.

var articleTypes = newEnum("ArticleType", "BLOG", "EVENT", "GIVEAWAY", "POLL", "OTHER")

// MarshalArticleType writes the type of an article.
func MarshalArticleType(s string) graphql.Marshaler { return articleTypes.Marshal(s) }

// UnmarshalArticleType reads the type of an article.
func UnmarshalArticleType(v any) (string, error) { return articleTypes.Unmarshal(v) }

var blockTypes = newEnum("ArticleBlockType", "TEXT", "IMAGE", "QUESTION")

// MarshalArticleBlockType writes the type of a block.
func MarshalArticleBlockType(s string) graphql.Marshaler { return blockTypes.Marshal(s) }

// UnmarshalArticleBlockType reads the type of a block.
func UnmarshalArticleBlockType(v any) (string, error) { return blockTypes.Unmarshal(v) }
