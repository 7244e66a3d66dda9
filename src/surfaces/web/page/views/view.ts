import type { JSX } from "preact";
import type { Report } from "../../../../catalog/report.ts";
import type { ViewName } from "../../../../catalog/view-name.ts";
import type { Input } from "../editor/input.ts";
import type { Outcome } from "../tools/runner.ts";
import type { Definition } from "../tools/definition.ts";
import { chooseByShape, fits } from "./shape.ts";
import { adoptSheet } from "./sheet.ts";

/** What a view shows. */
export interface ViewProps {
  /** The tool that made the result; undefined if no single tool did. */
  definition: Definition | undefined;
  /** The result of the API: text, or bytes that are not text. */
  result: string | Uint8Array<ArrayBuffer>;
  report: Report | undefined;
  /** The document that gave it. */
  input: Input;
  options: Readonly<Record<string, unknown>>;
  /** Whether long lines are wrapped. */
  wraps: boolean;
  /** Shows a place in the document, in lines and code points from 1; undefined if the page does not show the document. */
  onGoTo: ((line: number, column: number) => void) | undefined;
  /**
   * Calls the tool, or another one, on the same document in this tab, with other values of the options; the others stay.
   * Undefined where the tool runs on the server.
   */
  callInTab: ((options: Readonly<Record<string, unknown>>, slug?: string) => Promise<Outcome>) | undefined;
}

/** One way to see a result. */
export interface ViewTab {
  id: string;
  label: string;
  /** Shown beside the label, such as the number of findings. */
  count?: number;
  Component(props: ViewProps): JSX.Element;
  /** What Copy gives. Without it, the result of the API: each view has such a tab, which shows the result as it is. */
  text?(props: ViewProps): string;
}

export interface View {
  /** The style sheets of its modules. */
  sheets: readonly string[];
  /** Returns the tabs, the preferred one first. */
  tabs(props: ViewProps): readonly ViewTab[];
  /** Returns what the status line says about the result, such as a number of changes. */
  note?(props: ViewProps): string | undefined;
}

/** Returns the view of a result: the named one if the result has its shape, otherwise one for its shape. */
export const chooseView = (
  name: ViewName | undefined,
  result: string | Uint8Array<ArrayBuffer>,
  report: Report | undefined,
): ViewName => (name !== undefined && fits(name, result, report) ? name : chooseByShape(result, report));

/** Loads a view and adopts its style sheets. The same name gives the same view, so that a new result does not replace what is shown. */
export function openView(name: ViewName): Promise<View> {
  const view = opened.get(name) ?? load(name);
  opened.set(name, view);
  return view;
}

const opened = new Map<ViewName, Promise<View>>();

async function load(name: ViewName): Promise<View> {
  try {
    const view = await (loaders[name] ?? code)();
    for (const sheet of view.sheets) adoptSheet(sheet);
    return view;
  } catch (error) {
    // Without a connection; the next result tries again.
    opened.delete(name);
    throw error;
  }
}

const code = async (language?: string): Promise<View> =>
  (await import("./code/code.tsx")).createCodeView(language);

const loaders: Readonly<Partial<Record<ViewName, () => Promise<View>>>> = {
  code: () => code(),
  "code:json": () => code("json"),
  "code:yaml": () => code("yaml"),
  "code:toml": () => code("toml"),
  "code:xml": () => code("xml"),
  "code:env": () => code("env"),
  "code:sql": () => code("sql"),
  "code:ndjson": () => code("json"),
  "code:csv": () => code("csv"),
};
