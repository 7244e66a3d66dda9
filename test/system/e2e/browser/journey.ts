import { expect } from "vitest";
import type { Page, Watched } from "./browser.ts";
import { dropFiles, setInput, setOptions } from "./editor.ts";

/** One paste, drop, choice, click or typed text of a person. */
export type Act = (page: Page) => Promise<unknown>;

/** Texts of the page at the end, by place: CSS selectors, in each of which the last element with the text has to be on the screen. */
export interface Sight {
  says: string | RegExp;
  within?: string;
}

/** Something that people come for. */
export interface Journey {
  name: string;
  /** Path of the page on which it begins. */
  path: string;
  /** The acts of a person. Their number is a promise of its own: `actions`. */
  acts: readonly Act[];
  actions: number;
  sees: readonly Sight[];
  /** Verifies further conditions at the end. */
  check?(page: Page, watched: Watched): Promise<void>;
}

export const patience = { timeout: 60_000 };

export const paste =
  (text: string, index = 0): Act =>
  (page) =>
    setInput(page, text, index);
export const choose =
  (options: Readonly<Record<string, string>>): Act =>
  (page) =>
    setOptions(page, options);
export const press =
  (role: string, name: string): Act =>
  (page) =>
    page.getByRole(role, { name }).first().click();
export const drop =
  (...files: readonly { name: string; content: string }[]): Act =>
  (page) =>
    dropFiles(page, "main", files);
/** Types into what has the focus. @param key Pressed at the end. */
export const type =
  (text: string, key?: string): Act =>
  async (page) => {
    await page.keyboard.insertText(text);
    if (key !== undefined) await page.keyboard.press(key);
  };
/** Opens a menu and chooses an item of it. On a phone, several menus are one, with a name that has the names of all. */
export const pickFrom = (menu: string, item: string): readonly Act[] => [
  press("button", menu),
  press("menuitem", item),
];

const anywhere = ".led-result, .result-pane, .status-line";

/**
 * Makes the journey, and expects its answers on the screen: not below the fold, and nothing scrolled. Returns the number of acts that it
 * took.
 */
export async function make({ acts, sees, check }: Journey, watched: Watched): Promise<number> {
  const { page } = watched;
  for (const act of acts) await act(page);
  for (const { says, within = anywhere } of sees)
    await expect.poll(() => findSight(page, says, within), patience).toBe("in sight");
  expect(await page.evaluate("scrollY")).toBe(0);
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  await check?.(page, watched);
  expect(watched.complaints).toEqual([]);
  return acts.length;
}

/** Says whether the last element that says something has its first line in the window and above the status line. */
const findSight = (page: Page, says: string | RegExp, within: string): Promise<unknown> =>
  page.evaluate(`(() => {
    const wanted = ${typeof says === "string" ? JSON.stringify(says) : String(says)};
    const isSaid = (text) => (typeof wanted === "string" ? text.includes(wanted) : wanted.test(text));
    const all = [];
    const collect = (root) => {
      for (const element of root.querySelectorAll("*")) {
        all.push(element);
        if (element.shadowRoot !== null) collect(element.shadowRoot);
      }
    };
    for (const place of document.querySelectorAll(${JSON.stringify(within)})) {
      all.push(place);
      if (place.shadowRoot !== null) collect(place.shadowRoot);
      collect(place);
    }
    // What is not drawn, such as the text that a view of code has replaced, says nothing.
    const last = all
      .filter((one) => isSaid(one.textContent) && one.getBoundingClientRect().height > 0)
      .at(-1);
    if (last === undefined) return "missing";
    const { top, left, bottom } = last.getBoundingClientRect();
    const foot = document.querySelector(".status-line")?.getBoundingClientRect().top ?? innerHeight;
    const most = last.closest(".status-line") === null ? Math.min(innerHeight, foot) : innerHeight;
    const line = Math.min(bottom, top + 16);
    return top >= 0 && left >= 0 && line <= most ? "in sight" : "out of sight: " + [top, line, most].join(" ");
  })()`);
