// Two areas with a divider that is moved by mouse, finger or arrow keys.
import { useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from "react";
import { isComposing } from "./keys";
import { saveSetting, setting } from "./settings";

interface Props {
  /** Under which the position is stored. */
  name: string;
  /** What the divider does, for people who do not see it. */
  label: string;
  direction: "row" | "column";
  /** Percent of the first area. */
  initial: number;
  min: number;
  max: number;
  /** The first area; null hides it and the divider. */
  first: ReactNode;
  /** The second area; null hides it and the divider. */
  second: ReactNode;
}

export function Split({ name, label, direction, initial, min, max, first, second }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState(() => within(Number(setting(`console:${name}`)) || initial, min, max));
  const move = (next: number) => {
    const value = within(next, min, max);
    setSize(value);
    saveSetting(`console:${name}`, String(value));
  };
  const drag = (e: PointerEvent<HTMLDivElement>) => {
    if (!e.currentTarget.hasPointerCapture(e.pointerId) || !box.current) return;
    const r = box.current.getBoundingClientRect();
    move(direction === "row" ? ((e.clientX - r.left) / r.width) * 100 : ((e.clientY - r.top) / r.height) * 100);
  };
  const key = (e: KeyboardEvent) => {
    if (isComposing(e.nativeEvent)) return;
    const step = { ArrowLeft: -2, ArrowUp: -2, ArrowRight: 2, ArrowDown: 2, Home: -100, End: 100 }[e.key];
    if (step === undefined) return;
    e.preventDefault();
    move(size + step);
  };
  const both = first !== null && second !== null;
  return (
    <div ref={box} className={`split ${direction} ${both ? "" : "single"}`} style={{ "--first": `${size}%` } as object}>
      {first !== null && <div className="first" key="first">{first}</div>}
      {both && (
        <div key="divider" className="divider" role="separator" tabIndex={0} aria-label={label} aria-orientation={direction === "row" ? "vertical" : "horizontal"}
          aria-valuenow={Math.round(size)} aria-valuemin={min} aria-valuemax={max} onKeyDown={key} onPointerMove={drag} onDoubleClick={() => move(initial)}
          onPointerDown={(e) => e.currentTarget.setPointerCapture(e.pointerId)} />
      )}
      {second !== null && <div className="second" key="second">{second}</div>}
    </div>
  );
}

const within = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value));
