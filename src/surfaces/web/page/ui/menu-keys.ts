/** Milliseconds within which letters are the beginning of one word. */
const wordMs = 600;

/**
 * Makes a popover with `role=menu` work by keyboard (ARIA Authoring Practices, menu button): one item has the focus, arrows,
 * Home, End and letters move it, and it begins at the checked item.
 */
export function addMenuKeys(menu: HTMLElement): void {
  let word = "";
  let typedAt = 0;

  const items = (): HTMLElement[] =>
    [...menu.querySelectorAll<HTMLElement>("[role^=menuitem]")].filter((item) => item.checkVisibility());

  /** The items whose text begins with the typed letters; the same letter again goes on to the next. */
  function find(letter: string, at: number, all: readonly HTMLElement[]): HTMLElement | undefined {
    const now = Date.now();
    word = now - typedAt < wordMs && word !== letter ? word + letter : letter;
    typedAt = now;
    const first = word.length === 1 ? at + 1 : at;
    return [...all.slice(first), ...all.slice(0, first)].find(({ textContent }) =>
      (textContent ?? "").trim().toLowerCase().startsWith(word),
    );
  }

  function begin(): void {
    const all = items();
    for (const item of all) item.tabIndex = -1;
    place(menu);
    (all.find(({ ariaChecked }) => ariaChecked === "true") ?? all[0])?.focus();
  }

  menu.addEventListener("toggle", (event) => {
    if ((event as ToggleEvent).newState !== "open") return;
    // A menu may be filled as it opens.
    if (items().length > 0) begin();
    else requestAnimationFrame(() => requestAnimationFrame(begin));
  });

  menu.addEventListener("keydown", (event) => {
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1 + all.length,
      Home: 0,
      End: all.length - 1,
    };
    const step = steps[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (step !== undefined) all[step % all.length]?.focus();
    else if (event.key === "Tab") return menu.hidePopover();
    else if (event.key === " ") all[at]?.click();
    else if (/^\S$/.test(event.key)) find(event.key.toLowerCase(), at, all)?.focus();
    else return;
    event.preventDefault();
  });

  menu.addEventListener("click", ({ target }) => {
    const item = (target as Element).closest("[role^=menuitem]");
    // An item that opens a menu of its own keeps this one open behind it.
    if (item !== null && !item.hasAttribute("popovertarget")) menu.hidePopover();
  });
}

/** Puts a menu below its button where the browser cannot do so by itself (ui.css, `position-area`). */
function place(menu: HTMLElement): void {
  if (CSS.supports("position-area: bottom") || matchMedia("(width < 40rem)").matches) return;
  const button = document.querySelector(`[popovertarget="${menu.id}"]`)?.getBoundingClientRect();
  if (button === undefined) return;
  const { width, height } = menu.getBoundingClientRect();
  const left = menu.classList.contains("at-end") ? button.right - width : button.left;
  const top = button.bottom + height > innerHeight ? Math.max(0, button.top - height) : button.bottom;
  menu.style.inset = `${top}px auto auto ${Math.max(0, Math.min(left, innerWidth - width))}px`;
}
