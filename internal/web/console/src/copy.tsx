import { useState } from "react";

/** Browsers give pages the clipboard over https and on the own machine only. */
export function CopyButton({ text }: { text: string }) {
  const [done, setDone] = useState({ text: "", says: "" });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setDone({ text, says: "Copied" });
    } catch {
      setDone({ text, says: "Not allowed here: select and copy it" });
    }
  };
  return <button type="button" onClick={() => void copy()}>{(done.text === text && done.says) || "Copy"}</button>;
}
