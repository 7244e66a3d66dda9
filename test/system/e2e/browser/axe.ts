import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { isLong } from "../../../support/cases.ts";
import type { Page } from "./browser.ts";

let read: string | undefined;
const source = (): string =>
  (read ??= readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));

/** The rules of axe that depend on colours. */
export const ofColours = ["color-contrast", "link-in-text-block"];

/** What is examined: the page behind an open dialog is inert, and the tests have seen it without the dialog. */
const examined = (): string => (isLong() ? "document" : 'document.querySelector("dialog[open]") ?? document');

/**
 * What axe finds in a page, or in its open dialog, and what it could not decide: the rule and its elements. `only` names the
 * rules to apply.
 */
export async function faults(page: Page, only?: readonly string[]): Promise<unknown> {
  // A document keeps it: evaluating it takes as long as an examination.
  if ((await page.evaluate("typeof axe")) === "undefined") await page.evaluate(`{ ${source()} }`);
  // Axe guesses whether a dialog is modal; if it does, the dialog has the first heading, and that is no <h1>.
  return page.evaluate(
    `axe.run(${examined()}, {
      ...${JSON.stringify(only === undefined ? {} : { runOnly: only })},
      resultTypes: ["violations", "incomplete"],
      rules: { "heading-order": { enabled: document.querySelector("dialog[open]") === null } },
      // Signs such as ⌄ and − have to be seen as any word.
      checks: { "color-contrast": { options: { ignoreUnicode: false } } },
    }).then(({ violations, incomplete }) => {
      const isOut = ${isScrolledOut};
      // Axe cannot see the background of a cell that is scrolled out of view, nor that of the words of a chart, which are muted
      // text on a panel as elsewhere.
      const undecided = incomplete.map((one) => one.id !== "color-contrast" ? one
        : { ...one, nodes: one.nodes.filter(({ target }) => !isOut(document.querySelector(target[0]))) });
      return [...violations, ...undecided.filter(({ nodes }) => nodes.length > 0)]
        .map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]);
    })`,
  );
}

/** The same for a page that the test has examined in another state or at another width: `make test-long` alone does it. */
export const faultsAgain = async (page: Page, only?: readonly string[]): Promise<unknown> =>
  isLong() ? faults(page, only) : [];

/** Reports whether an element is a word of a chart, or part of its text lies outside of a visible box that scrolls it. */
const isScrolledOut = `(element) => {
  // It may be gone by now.
  if (element === null) return false;
  if (element.matches(".chart text")) return true;
  const range = new Range();
  range.selectNodeContents(element);
  const own = range.getBoundingClientRect();
  for (let at = element.parentElement; at !== null && at !== document.body; at = at.parentElement) {
    if (!/auto|scroll/.test(getComputedStyle(at).overflow)) continue;
    const box = at.getBoundingClientRect();
    if (own.right > box.right || own.left < box.left || own.bottom > box.bottom || own.top < box.top) return true;
  }
  return false;
}`;
