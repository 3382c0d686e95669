// Adds a copy button to texts of the class copy and to fields that show a value once.
export function addCopyButtons() {
  for (const text of document.querySelectorAll<HTMLElement>("pre.copy")) {
    const frame = document.createElement("div");
    frame.className = "with-copy";
    text.before(frame);
    frame.append(text, copyButton(() => text.textContent ?? ""));
  }
  for (const field of document.querySelectorAll<HTMLInputElement>(".created input")) {
    field.after(copyButton(() => {
      field.select();
      return field.value;
    }));
  }
}

function copyButton(value: () => string): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "plain small";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(value());
      button.textContent = "Copied";
    } catch {
      button.textContent = "Press Ctrl+C";
    }
    setTimeout(() => (button.textContent = "Copy"), 2000);
  });
  return button;
}
