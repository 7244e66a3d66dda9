import type { Place } from "./places.ts";

export interface Keys {
  /** Whether the page is shown: another one may stand in its place, and this one be kept for the way back. */
  isShown(): boolean;
  run(): void;
  copy(): void;
  /** The places that F8 visits. */
  places(): readonly Place[];
  goTo(line: number, column: number): void;
}

/** Makes the keys of a tool's page work, until the function that it returns is called. Each has a button, too. */
export function addKeys({ isShown, run, copy, places, goTo }: Keys): () => void {
  let visited = -1;
  let of: readonly Place[] = [];

  function visit(step: 1 | -1): void {
    const all = places();
    if (all !== of) visited = step === 1 ? -1 : 0;
    of = all;
    visited = (visited + step + all.length) % all.length;
    const place = all[visited];
    if (place !== undefined) goTo(place.line, place.column);
  }

  function onKeyDown(event: KeyboardEvent): void {
    // An editor has taken the key.
    if (
      !isShown() ||
      event.defaultPrevented ||
      event.altKey ||
      document.querySelector("dialog[open]") !== null
    )
      return;
    const isCommand = event.ctrlKey || event.metaKey;
    if (event.key === "Enter" && isCommand) {
      if (event.shiftKey) copy();
      else run();
      event.preventDefault();
    } else if (event.key === "F8" && !isCommand) {
      // A view that shows places of its own takes the key, and it may have been asked after this page.
      setTimeout(() => {
        if (!event.defaultPrevented) visit(event.shiftKey ? -1 : 1);
      });
    }
  }

  addEventListener("keydown", onKeyDown);
  return () => removeEventListener("keydown", onKeyDown);
}
