/** Milliseconds after the last act of the user for which a page reads by itself: its requests keep the session from ending. */
const presentMs = 600_000;

let seenAt = Date.now();
const returns = new Set<() => void>();

/** Reports whether the user sees the page and has used it lately. */
export const isPresent = (): boolean => !document.hidden && Date.now() - seenAt < presentMs;

/** Calls a function whenever the user comes back to the page, until the function that it returns is called. */
export function onReturn(call: () => void): () => void {
  returns.add(call);
  return () => returns.delete(call);
}

function seen(isReturn: boolean): void {
  const isBack = isReturn || !isPresent();
  seenAt = Date.now();
  if (isBack) for (const call of returns) call();
}

for (const event of ["pointerdown", "pointermove", "keydown", "scroll"])
  addEventListener(event, () => seen(false), { capture: true, passive: true });
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) seen(true);
});
