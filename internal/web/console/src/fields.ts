// The fields of a selection as dotted paths of schema fields. Aliases and the types of fragments
// make no difference.
import { Kind, type DirectiveNode, type DocumentNode, type FieldNode, type FragmentDefinitionNode, type OperationDefinitionNode, type SelectionSetNode } from "graphql";

/** A field is selected only if a variable has a value. */
export interface Condition {
  variable: string;
  /** The value of the variable that selects the field. */
  when: boolean;
}

/** Selected fields by path, without the root field, with their conditions. */
export type Fields = Map<string, Condition[]>;

/** operationOf returns the operation with a name, else the first. */
export function operationOf(document: DocumentNode, name?: string | null): OperationDefinitionNode | undefined {
  const operations = document.definitions.filter((d) => d.kind === Kind.OPERATION_DEFINITION);
  return operations.find((o) => o.name?.value === name) ?? operations[0];
}

/** rootFieldsOf returns the root fields of an operation, including those in fragments. */
export function rootFieldsOf(document: DocumentNode, operation: OperationDefinitionNode): FieldNode[] {
  const out: FieldNode[] = [];
  visit(document, operation.selectionSet, [], [], (field) => void out.push(field));
  return out.filter((f) => !f.name.value.startsWith("__"));
}

/** fieldsOf returns all fields below a root field, objects and leaves. */
export function fieldsOf(document: DocumentNode, root: FieldNode): Fields {
  const fields: Fields = new Map();
  const collect = (set: SelectionSetNode | undefined, prefix: string, outer: Condition[], open: string[]) =>
    visit(document, set, outer, open, (field, conditions, open) => {
      if (field.name.value === "__typename") return;
      const path = prefix + field.name.value;
      const existing = fields.get(path);
      if (!existing || existing.length > conditions.length) fields.set(path, conditions);
      collect(field.selectionSet, path + ".", conditions, open);
    });
  collect(root.selectionSet, "", [], []);
  return fields;
}

type Visitor = (field: FieldNode, conditions: Condition[], open: string[]) => void;

// visit calls visitor with every field of a set and of its fragments. Open fragments are not
// entered again: one that spreads itself would never end.
function visit(document: DocumentNode, set: SelectionSetNode | undefined, outer: Condition[], open: string[], visitor: Visitor) {
  for (const selection of set?.selections ?? []) {
    const conditions = [...outer, ...conditionsOf(selection.directives ?? [])];
    if (selection.kind === Kind.FIELD) visitor(selection, conditions, open);
    else if (selection.kind === Kind.INLINE_FRAGMENT) visit(document, selection.selectionSet, conditions, open, visitor);
    else if (!open.includes(selection.name.value)) {
      const name = selection.name.value;
      const fragment = document.definitions.find((d): d is FragmentDefinitionNode => d.kind === Kind.FRAGMENT_DEFINITION && d.name.value === name);
      visit(document, fragment?.selectionSet, conditions, [...open, name], visitor);
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
