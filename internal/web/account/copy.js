// A button that copies, beside each value that is shown once. Without this script the values can
// be selected as any text.
for (const field of document.querySelectorAll(".made input")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Selected: press Ctrl+C";
    }
  });
  field.after(button);
}
