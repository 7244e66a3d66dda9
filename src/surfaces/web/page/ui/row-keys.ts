/**
 * Moves the focus from a control of a row of a table to the same control of another row, as people know it from spreadsheets:
 * arrows, Home and End.
 */
export function moveRow(event: KeyboardEvent): void {
  const { key, target, currentTarget } = event;
  const control = (target as Element).closest("button, a");
  const row = control?.closest("tr");
  if (event.ctrlKey || event.metaKey || event.altKey || control?.closest("[popover]") !== null || !row)
    return;
  const rows = [...(currentTarget as Element).querySelectorAll("tr")];
  const at = rows.indexOf(row);
  const steps: Readonly<Record<string, number>> = {
    ArrowUp: at - 1,
    ArrowDown: at + 1,
    Home: 0,
    End: rows.length - 1,
  };
  const step = steps[key];
  if (step === undefined) return;
  event.preventDefault();
  const next = rows[step];
  if (next === undefined) return;
  const controls = controlsOf(next);
  (controls[controlsOf(row).indexOf(control as HTMLElement)] ?? controls.at(-1))?.focus();
}

const controlsOf = (row: Element): HTMLElement[] =>
  [...row.querySelectorAll<HTMLElement>("button, a")].filter((one) => one.closest("[popover]") === null);
