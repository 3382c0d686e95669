// Every listener for keys goes through onKey: keys that an input method takes to compose a word are not for the page.

/** isComposing reports whether a key belongs to a composition; Safari marks its last Enter with the code 229 alone. */
export const isComposing = (event: Pick<KeyboardEvent, "isComposing" | "keyCode">) => event.isComposing || event.keyCode === 229;

/** onKey calls on when a key is pressed in an element or the document. */
export function onKey(target: Document | HTMLElement, on: (event: KeyboardEvent) => void) {
  target.addEventListener("keydown", (event) => {
    if (!isComposing(event as KeyboardEvent)) on(event as KeyboardEvent);
  });
}
