import { describe, expect, test } from "vitest";
import { createCatalog } from "../../../../src/catalog/catalog.ts";
import type { Example } from "../../../../src/catalog/tool.ts";
import type { ViewName } from "../../../../src/catalog/view-name.ts";
import { toDefinition } from "../../../../src/surfaces/web/tool-page.ts";
import { tools } from "../../../../src/tools/index.ts";
import { viewsOfTools } from "./views-of-tools.ts";

// The pages are of another TypeScript project, with the types of browsers.
interface Props {
  /** Undefined for a result that no tool made. */
  definition: unknown;
  result: string | Uint8Array;
  report: unknown;
  input: { kind: "text"; text: string } | { kind: "file"; file: Blob; name: string };
  options: Record<string, unknown>;
  wraps: boolean;
  onGoTo(line: number, column: number): void;
  callInTab: undefined;
}
interface Tab {
  id: string;
  label: string;
  Component(props: Props): unknown;
  text?(props: Props): string;
}
interface Views {
  chooseView(name: string | undefined, result: string | Uint8Array, report: unknown): ViewName;
  openView(
    name: ViewName,
    adopt: (sheet: string) => void,
  ): Promise<{ tabs(props: Props): Tab[]; note?(props: Props): unknown; marks?(props: Props): unknown }>;
}

const page = "../../../../src/surfaces/web/page";
/** Loads a module whose types need those of browsers, which this project does not have. */
const load = async (path: string): Promise<unknown> => import(/* @vite-ignore */ path);
const { chooseView, openView } = (await load(`${page}/views/view.ts`)) as Views;
const { readReport } = (await load(`${page}/tab/call.ts`)) as { readReport(text: string): unknown };
const { h } = (await load("preact")) as { h(type: unknown, props: unknown): unknown };
const { renderToString } = (await load("preact-render-to-string")) as {
  renderToString(node: unknown): string;
};

const catalog = createCatalog(tools);
const all = await catalog.all();
const viewOf = (slug: string): ViewName | undefined =>
  (Object.keys(viewsOfTools) as ViewName[]).find((name) => viewsOfTools[name]?.includes(slug));

/** Returns what a tab says: its text, and what it says of it when it is pointed at. */
function draw(tab: Tab, props: Props): string {
  const html = renderToString(h(tab.Component, props));
  const titles = Array.from(html.matchAll(/ title="([^"]*)"/g), ([, title]) => title);
  return [html.replaceAll(/<[^>]*>/g, ""), ...titles]
    .join("\n")
    .replaceAll(/&(lt|gt|amp|quot|#39);/g, (_, name: string) => entities[name] ?? "");
}
const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', "#39": "'" };

/** Returns the strings and numbers of a result; of a text that is no JSON its lines. */
function valuesOf(result: string): { values: string[]; areLines: boolean } {
  try {
    const found: string[] = [];
    JSON.parse(result, (_, value: unknown, context?: { source?: string }) => {
      if (typeof value === "string") found.push(value);
      if (typeof value === "number") found.push(context?.source ?? String(value));
      return value;
    });
    return { values: found, areLines: false };
  } catch {
    return { values: result.split("\n"), areLines: true };
  }
}

const toProps = (slug: string, example: Example<Record<string, unknown>>): Props => {
  const { data, ...options } = example.input;
  const tool = all.find((one) => one.slug === slug);
  if (tool === undefined) throw new Error(slug);
  return {
    definition: toDefinition(tool, { catalog, anonymous: true, runsInTab: () => true }),
    result: example.result,
    report: readReport(example.result),
    input: { kind: "text", text: typeof data === "string" ? data : "" },
    options,
    wraps: true,
    onGoTo: () => undefined,
    callInTab: undefined,
  };
};

/** Texts that a view does not show as their characters. */
const exceptions: Readonly<Partial<Record<ViewName, RegExp>>> = {
  // The image itself is what a person wants to see; its text is the last tab.
  image: /^<svg/,
  // Hunks are drawn as line numbers and folds, operations as marks. The names of the files are those of the two editors.
  diff: /^(?:--- |\+\+\+ |@@ |\\ No newline|equal$|delete$|insert$)/,
  // Operations are the words "added", "removed", "changed" and "moved".
  changes: /^(?:add|remove|replace|move|copy|test)$/,
};

/** Whether a text has a value: as it is, as JSON writes it, or, for a line of a form that a view takes apart, all its words. */
function says(text: string, value: string, isLine: boolean): boolean {
  if (text.includes(value) || text.includes(JSON.stringify(value).slice(1, -1))) return true;
  return isLine && (value.match(/[\p{L}\p{N}._/]+/gu) ?? []).every((word) => text.includes(word));
}

const examples = all.flatMap(({ slug, examples: own }) =>
  own.map((example, index) => ({ slug, title: example.title ?? `example ${index + 1}`, example })),
);

describe("each example of each tool", () => {
  test.each(examples)("$slug, $title: its view shows all of its result", async ({ slug, example }) => {
    const props = toProps(slug, example);
    const name = viewOf(slug);
    const view = await openView(chooseView(name, props.result, props.report), () => undefined);
    const tabs = view.tabs(props);
    expect(tabs.length).toBeGreaterThan(0);
    // Without a text of its own, a tab gives what the API gave.
    expect(tabs.some(({ text }) => text === undefined)).toBe(true);
    expect(new Set(tabs.map(({ id }) => id)).size).toBe(tabs.length);
    view.note?.(props);
    view.marks?.(props);
    for (const tab of tabs) tab.text?.(props);
    const shown = tabs.filter(({ id }) => tabs.length === 1 || id !== "raw").map((tab) => draw(tab, props));
    const { values, areLines } = valuesOf(example.result);
    const missing = values.filter(
      (value) =>
        !shown.some((text) => says(text, value, areLines)) &&
        (name === undefined || exceptions[name]?.test(value) !== true),
    );
    expect(missing).toEqual([]);
  });

  test.each(examples)("$slug, $title: the shape of its result has a view, too", async ({ slug, example }) => {
    const props = toProps(slug, example);
    const view = await openView(chooseView(undefined, props.result, props.report), () => undefined);
    const found = { ...props, definition: undefined };
    const { values } = valuesOf(example.result);
    const shown = view.tabs(found).map((tab) => draw(tab, found));
    expect(values.filter((value) => !shown.some((text) => says(text, value, true)))).toEqual([]);
  });
});

/** A character that reverses the direction of a text, and an invisible one. */
const deceptive = "\u202e\u200b";

/** Puts deceptive characters into each string of a JSON text, or into each line of another. */
function deceive(text: string): string {
  const add = (one: string): string => {
    const half = Math.ceil(one.length / 2);
    return one === "" ? one : one.slice(0, half) + deceptive + one.slice(half);
  };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object")
      return JSON.stringify(value, (_, one: unknown) => (typeof one === "string" ? add(one) : one), 2);
  } catch {
    // No JSON.
  }
  return text.split("\n").map(add).join("\n");
}

describe("characters that deceive are marked, in each tab and title", () => {
  test.each(examples)("$slug, $title", async ({ slug, example }) => {
    const props = toProps(slug, example);
    const result = deceive(example.result);
    const input = {
      kind: "text",
      text: props.input.kind === "text" ? deceive(props.input.text) : "",
    } as const;
    const deceived = { ...props, result, input, report: readReport(result) };
    const view = await openView(chooseView(viewOf(slug), result, deceived.report), () => undefined);
    for (const tab of view.tabs(deceived)) {
      const html = renderToString(h(tab.Component, deceived));
      const unmarked = html
        .replaceAll(/<span class="v-unseen"[^>]*>[\u202e\u200b]<\/span>/g, "")
        .matchAll(/.{0,60}[\u202e\u200b].{0,20}/gs);
      expect([tab.id, ...Array.from(unmarked, ([part]) => part)].slice(0, 3)).toEqual([tab.id]);
    }
  });
});

test("every tool names a view of the list", () => {
  expect(all.filter(({ slug }) => viewOf(slug) === undefined).map(({ slug }) => slug)).toEqual([]);
});
