import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { isLong } from "../../../support/cases.ts";
import type { Page } from "./browser.ts";

let read: string | undefined;
const source = (): string =>
  (read ??= readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));

/** The rules of axe that depend on colours. */
export const ofColours = ["color-contrast", "link-in-text-block"];

/** The examined part: the page behind an open dialog is inert, and the tests have seen it without the dialog. */
const examined = (): string => (isLong() ? "document" : 'document.querySelector("dialog[open]") ?? document');

/**
 * Returns the findings of axe in a page, or in its open dialog, and what it could not decide: the rule and its elements. `only` names the
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
    }).then(async ({ violations, incomplete }) => {
      const isDecided = ${decide};
      const undecided = [];
      for (const one of incomplete) {
        const nodes = [];
        for (const node of one.nodes)
          if (one.id !== "color-contrast" || !(await isDecided(node.target[0]))) nodes.push(node);
        if (nodes.length > 0) undecided.push({ ...one, nodes });
      }
      return [...violations, ...undecided].map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]);
    })`,
  );
}

/** The same for a page that the test has examined in another state or at another width: `make test-long` alone does it. */
export const faultsAgain = async (page: Page, only?: readonly string[]): Promise<unknown> =>
  isLong() ? faults(page, only) : [];

/**
 * Decides the contrast of an element where axe could not at first: it does not see the ground of what is scrolled out of view, and of
 * what an SVG draws. The one is scrolled into view and examined again, the contrast of the other is computed (WCAG 2.2, relative
 * luminance).
 */
const decide = `async (target) => {
  const path = [target].flat();
  const element = path.reduce((at, selector) => (at?.shadowRoot ?? at)?.querySelector(selector) ?? null, document);
  // It may be gone by now.
  if (element === null) return true;
  if (element.matches(".chart text")) {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const luminance = (colour) => {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      const [red, green, blue] = [...canvas.getImageData(0, 0, 1, 1).data].map((byte) =>
        byte <= 10 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4);
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    let ground = element;
    while (ground !== null && /^rgba\\(.*, 0\\)$/.test(getComputedStyle(ground).backgroundColor)) ground = ground.parentElement;
    const [low, high] = [getComputedStyle(element).fill, getComputedStyle(ground ?? document.body).backgroundColor]
      .map(luminance).toSorted((left, right) => left - right);
    return (high + 0.05) / (low + 0.05) >= 4.5;
  }
  const range = new Range();
  range.selectNodeContents(element);
  const own = range.getBoundingClientRect();
  const scrolled = [];
  let isOut = false;
  let isLarger = false;
  for (let at = element; at !== null; at = at.parentElement ?? at.getRootNode().host ?? null) {
    scrolled.push([at, at.scrollLeft, at.scrollTop]);
    if (at === element || !/auto|scroll/.test(getComputedStyle(at).overflow)) continue;
    const box = at.getBoundingClientRect();
    if (own.right > box.right || own.left < box.left || own.bottom > box.bottom || own.top < box.top) isOut = true;
    // No scrolling shows all of it.
    if (own.width > box.width || own.height > box.height) isLarger = true;
  }
  // Groups of tools out of the window are not laid out; until then each has an estimated height, and its last rows lie on the next group.
  if (own.bottom > innerHeight || own.top < 0) isOut = true;
  if (!isOut || isLarger) return isLarger;
  element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const again = await axe.run({ include: [{ fromShadowDom: path }] },
    { runOnly: ["color-contrast"], resultTypes: ["violations", "incomplete"], checks: { "color-contrast": { options: { ignoreUnicode: false } } } });
  for (const [at, left, top] of scrolled) at.scrollTo({ left, top, behavior: "instant" });
  return again.violations.length === 0 && again.incomplete.length === 0;
}`;
