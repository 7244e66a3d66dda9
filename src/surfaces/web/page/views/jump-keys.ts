import { useEffect, useRef } from "preact/hooks";

/** Calls with 1 at F8 and with −1 at Shift+F8, wherever the focus is, as long as the view is shown. */
export function useJumpKeys(jump: (by: 1 | -1) => void): void {
  const newest = useRef(jump);
  newest.current = jump;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== "F8" || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      newest.current(event.shiftKey ? -1 : 1);
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
}

/** Returns the index after a step, round the ends; from none, −1, a step leads to the first or the last. */
export const stepFrom = (current: number, by: 1 | -1, count: number): number =>
  current < 0 && by < 0 ? count - 1 : (current + by + count) % count;

/** Asks what listens to F8 to go on: the button of the key. */
export const pressJump = (by: 1 | -1): void => {
  dispatchEvent(new KeyboardEvent("keydown", { key: "F8", shiftKey: by < 0, cancelable: true }));
};
