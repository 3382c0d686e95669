// The documents that relay-compiler compiles. Without a bundler's plugin the tags cannot run, so the test imports the
// artifacts.
import { graphql } from 'relay-runtime';

export const page = graphql`
  query documentsPageQuery($first: Int!) {
    ...documents_items @arguments(first: $first)
  }
`;

export const items = graphql`
  fragment documents_items on Query
  @argumentDefinitions(first: { type: "Int", defaultValue: 5 }, after: { type: "String" })
  @refetchable(queryName: "documentsItemsPaginationQuery") {
    items(first: $first, after: $after) @connection(key: "documents_items") {
      edges { node { id internalName ...documents_item } }
    }
  }
`;

export const item = graphql`
  fragment documents_item on Item @refetchable(queryName: "documentsItemRefetchQuery") {
    displayName
    type { key }
  }
`;

export const guild = graphql`
  query documentsGuildQuery($prefix: String!) {
    guild(by: { prefix: $prefix }) {
      id
      ...documents_members
    }
  }
`;

export const members = graphql`
  fragment documents_members on Guild
  @argumentDefinitions(first: { type: "Int", defaultValue: 3 }, after: { type: "String" })
  @refetchable(queryName: "documentsMembersPaginationQuery") {
    name
    members(first: $first, after: $after) @connection(key: "documents_members") {
      edges { node { id username rank player { id username } } }
    }
  }
`;
