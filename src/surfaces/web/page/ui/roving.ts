/**
 * Moves the focus among the buttons of a row, of which one is in the order of Tab: to the one before or after, and with Home and
 * End to the first or the last. @param keys The keys for the one before and the one after.
 */
export function moveFocus(
  event: KeyboardEvent,
  row: HTMLElement | null,
  [before, after]: readonly [before: string, after: string],
): void {
  const all = [...(row?.querySelectorAll<HTMLElement>("button") ?? [])];
  const at = all.indexOf(document.activeElement as HTMLElement);
  const steps: Readonly<Record<string, number>> = {
    [before]: at - 1 + all.length,
    [after]: at + 1,
    Home: 0,
    End: all.length - 1,
  };
  const step = steps[event.key];
  if (step === undefined || at === -1 || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  all[step % all.length]?.focus();
}
