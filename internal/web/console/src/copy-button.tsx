import { useState } from "react";

/** Copies a text. Browsers allow the clipboard over HTTPS and on localhost only. */
export function CopyButton({ text }: { text: string }) {
  const [result, setResult] = useState({ text: "", label: "" });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setResult({ text, label: "Copied" });
    } catch {
      setResult({ text, label: "Not allowed: select the text and copy it" });
    }
  };
  return <button type="button" onClick={() => void copy()}>{(result.text === text && result.label) || "Copy"}</button>;
}
