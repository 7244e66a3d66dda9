/**
 * Moves the focus to the open dialog or to the content, if what has it is being removed, such as the button of a deleted row.
 * Otherwise the next Tab would begin at the top of the page.
 */
export function keepFocus(): void {
  setTimeout(() => {
    if (document.activeElement === document.body)
      document.querySelector<HTMLElement>("dialog[open], main")?.focus({ preventScroll: true });
  });
}
