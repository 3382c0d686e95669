/** named returns a name in an element of its own, so that its direction does not change the order of what is beside it. */
export function named(name: string): HTMLElement {
  const e = document.createElement("bdi");
  e.textContent = name;
  return e;
}

/** isolated is the same for texts that are no elements, such as labels. */
export const isolated = (name: string) => `\u2068${name}\u2069`;
