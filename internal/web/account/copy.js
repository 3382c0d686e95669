// Adds a copy button beside each value that is shown once. Without this script the values can be
// selected like any text.
for (const field of document.querySelectorAll(".created input")) {
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
