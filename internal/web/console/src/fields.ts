// What a selection asks for, as dotted paths of schema fields: aliases and the types of
// fragments make no difference.
import { Kind, type DirectiveNode, type DocumentNode, type FieldNode, type FragmentDefinitionNode, type OperationDefinitionNode, type SelectionSetNode } from "graphql";

/** A field that is there only when a variable says so. */
export interface Condition {
  variable: string;
  /** The value of the variable with which the field is there. */
  when: boolean;
}

/** Asked fields by path, without the root field; each with the conditions it stands under. */
export type Fields = Map<string, Condition[]>;

/** operationOf is the operation of that name, or the first. */
export function operationOf(document: DocumentNode, name?: string | null): OperationDefinitionNode | undefined {
  const operations = document.definitions.filter((d) => d.kind === Kind.OPERATION_DEFINITION);
  return operations.find((o) => o.name?.value === name) ?? operations[0];
}

/** rootFieldsOf are the root fields of an operation, those in fragments too. */
export function rootFieldsOf(document: DocumentNode, operation: OperationDefinitionNode): FieldNode[] {
  const out: FieldNode[] = [];
  visit(document, operation.selectionSet, [], [], (field) => void out.push(field));
  return out.filter((f) => !f.name.value.startsWith("__"));
}

/** fieldsOf are all fields below a root field, objects and their leaves. */
export function fieldsOf(document: DocumentNode, root: FieldNode): Fields {
  const fields: Fields = new Map();
  const below = (set: SelectionSetNode | undefined, prefix: string, under: Condition[], open: string[]) =>
    visit(document, set, under, open, (field, conditions, open) => {
      if (field.name.value === "__typename") return;
      const path = prefix + field.name.value;
      const known = fields.get(path);
      if (!known || known.length > conditions.length) fields.set(path, conditions);
      below(field.selectionSet, path + ".", conditions, open);
    });
  below(root.selectionSet, "", [], []);
  return fields;
}

type See = (field: FieldNode, conditions: Condition[], open: string[]) => void;

// visit shows every field of a set, those of fragments in their place. The open fragments are
// not entered again: one that spreads itself would never end.
function visit(document: DocumentNode, set: SelectionSetNode | undefined, under: Condition[], open: string[], see: See) {
  for (const selection of set?.selections ?? []) {
    const conditions = [...under, ...conditionsOf(selection.directives ?? [])];
    if (selection.kind === Kind.FIELD) see(selection, conditions, open);
    else if (selection.kind === Kind.INLINE_FRAGMENT) visit(document, selection.selectionSet, conditions, open, see);
    else if (!open.includes(selection.name.value)) {
      const name = selection.name.value;
      const fragment = document.definitions.find((d): d is FragmentDefinitionNode => d.kind === Kind.FRAGMENT_DEFINITION && d.name.value === name);
      visit(document, fragment?.selectionSet, conditions, [...open, name], see);
    }
  }
}

function conditionsOf(directives: readonly DirectiveNode[]): Condition[] {
  return directives.flatMap((d) => {
    const value = d.arguments?.find((a) => a.name.value === "if")?.value;
    const name = d.name.value;
    return value?.kind === Kind.VARIABLE && (name === "include" || name === "skip") ? [{ variable: value.name.value, when: name === "include" }] : [];
  });
}
