// What the parts of the console share: how the response is shown, and which part a small screen shows.
import { createContext, useContext, useSyncExternalStore } from "react";
import type { Shown } from "./link";

export type Part = "Query" | "Result";

interface Frame {
  setShown: (change: (shown: Shown) => Shown) => void;
  setPart: (part: Part) => void;
}

export const FrameContext = createContext<Frame>({ setShown: () => {}, setPart: () => {} });
export const useFrame = () => useContext(FrameContext);

const small = matchMedia("(max-width: 48rem)"); // as in console.css

function subscribe(listener: () => void) {
  small.addEventListener("change", listener);
  return () => small.removeEventListener("change", listener);
}

/** useSmall reports whether the screen has space for one part only. */
export const useSmall = () => useSyncExternalStore(subscribe, () => small.matches);
