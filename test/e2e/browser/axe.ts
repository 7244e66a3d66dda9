import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "./browser.ts";

let read: string | undefined;
const source = (): string =>
  (read ??= readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));

/** What axe finds in a page, and what it could not decide: the rule and its elements. */
export async function faults(page: Page): Promise<unknown> {
  // A document keeps it: evaluating it takes as long as an examination.
  if ((await page.evaluate("typeof axe")) === "undefined") await page.evaluate(`{ ${source()} }`);
  // Axe guesses whether a dialog is modal; if it does, the dialog has the first heading, and that is no <h1>.
  return page.evaluate(
    `axe.run({
      resultTypes: ["violations", "incomplete"],
      rules: { "heading-order": { enabled: document.querySelector("dialog[open]") === null } },
    }).then(({ violations, incomplete }) =>
      [...violations, ...incomplete].map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]))`,
  );
}
