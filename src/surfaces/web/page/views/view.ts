import type { JSX } from "preact";
import type { Report } from "../../../../catalog/report.ts";
import type { ViewName } from "../../../../catalog/view-name.ts";
import type { Input } from "../editor/input.ts";
import type { Outcome } from "../tools/runner.ts";
import type { Definition } from "../tools/definition.ts";
import { chooseByShape, fits } from "./shape.ts";
import { adoptSheet } from "./sheet.ts";

/** The result that a view shows, and the call that it came from. */
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
   * Calls the tool once more in this tab, with other values of some options; the others stay. With a slug it calls another tool,
   * with these options alone. `data` among them replaces the document. Undefined where the tool runs on the server.
   */
  callInTab: ((options: Readonly<Record<string, unknown>>, slug?: string) => Promise<Outcome>) | undefined;
  /** Calls another tool on the same document on the server, at the press of a button: it counts as a request. */
  callOnServer?: ((slug: string, options: Readonly<Record<string, unknown>>) => Promise<Outcome>) | undefined;
  /** Opens the page of another tool with the same document; undefined if the page is not that of a tool. */
  onOpenTool?: ((slug: string, options: Readonly<Record<string, unknown>>) => void) | undefined;
  /** Whether the page shows the lead of the view above its tabs. */
  isLed?: boolean;
  /** Runs the tool again, for a new value. */
  onRunAgain?: (() => void) | undefined;
}

/** A stretch of the document, in UTF-16 code units. */
export interface TextMark {
  from: number;
  to: number;
  /** Matches alternate between two colours, and a group stands in a match; a token has three parts. */
  kind: "match-a" | "match-b" | "group-a" | "group-b" | "part-1" | "part-2" | "part-3";
}

/** One way to see a result. */
export interface ViewTab {
  id: string;
  label: string;
  /** Shown beside the label, such as the number of findings. */
  count?: number;
  /** Whether it is shown first, although it is the last one. */
  isPreferred?: boolean;
  Component(props: ViewProps): JSX.Element;
  /** Returns the text to copy. Without it, the result of the API is copied: each view has such a tab, which shows the result as it is. */
  text?(props: ViewProps): string;
}

export interface View {
  /** The style sheets of its modules. */
  sheets: readonly string[];
  /** Returns the tabs. The one that is shown first is the preferred one, or without any the first. */
  tabs(props: ViewProps): readonly ViewTab[];
  /** The line above all tabs, where the page has a place for it; the first tab begins with it elsewhere. */
  Lead?(props: ViewProps): JSX.Element;
  /** Returns what the status line says about the result, such as a number of changes. */
  note?(props: ViewProps): string | undefined;
  /** Returns what is marked in the document. */
  marks?(props: ViewProps): readonly TextMark[];
}

/** Returns the tab that a person has chosen, or the one that is shown first. */
export const findTab = (tabs: readonly ViewTab[], chosen: string | undefined): ViewTab | undefined =>
  tabs.find(({ id }) => id === chosen) ?? tabs.find(({ isPreferred }) => isPreferred) ?? tabs[0];

/** Returns the view of a result: the named one if the result has its shape, otherwise one for its shape. */
export const chooseView = (
  name: ViewName | undefined,
  result: string | Uint8Array<ArrayBuffer>,
  report: Report | undefined,
): ViewName => (name !== undefined && fits(name, result, report) ? name : chooseByShape(result, report));

/**
 * Loads a view and adopts its style sheets. The same name gives the same view, so that a new result does not replace what is shown.
 */
export function openView(name: ViewName, adopt = adoptSheet): Promise<View> {
  const view = opened.get(name) ?? load(name, adopt);
  opened.set(name, view);
  return view;
}

const opened = new Map<ViewName, Promise<View>>();

async function load(name: ViewName, adopt: (text: string) => void): Promise<View> {
  try {
    const view = await loaders[name]();
    for (const sheet of view.sheets) adopt(sheet);
    return view;
  } catch (error) {
    // Without a connection; the next result tries again.
    opened.delete(name);
    throw error;
  }
}

const code = async (language?: string, changes = false): Promise<View> =>
  (await import("./code/code.tsx")).createCodeView(
    language,
    changes ? (await import("./changed.tsx")).changed : undefined,
  );
const text = async (variant?: "diff" | "marks"): Promise<View> =>
  (await import("./text.tsx")).createTextView(variant);
const report = async (variant?: "table"): Promise<View> =>
  (await import("./report.tsx")).createReportView(variant);
const properties = async (): Promise<View> => (await import("./properties.tsx")).propertiesView;
const table = async (): Promise<View> => (await import("./table.tsx")).tableView;
const jwt = async (): Promise<View> => (await import("./jwt.tsx")).jwtView;
const certificate = async (): Promise<View> => (await import("./certificate.tsx")).certificateView;
const value = async (): Promise<View> => (await import("./value.tsx")).valueView;

const loaders: Readonly<Record<ViewName, () => Promise<View>>> = {
  bytes: async () => (await import("./bytes.tsx")).bytesView,
  "cards:cert": certificate,
  "cards:jwt": jwt,
  "cards:ssh": async () => (await import("./ssh.tsx")).sshView,
  "cards:token": jwt,
  changes: async () => (await import("./changes.tsx")).changesView,
  code: () => code(),
  "code+tree": () => code(),
  "code:env": () => code("env"),
  "code:json": () => code("json"),
  "code:json+diff": () => code("json", true),
  "code:json+table": async () => (await import("./table.tsx")).jsonTableView,
  "code:json+tree": () => code("json"),
  "code:sql": () => code("sql"),
  "code:toml": () => code("toml"),
  "code:xml": () => code("xml"),
  "code:yaml": () => code("yaml"),
  cron: async () => (await import("./cron.tsx")).cronView,
  diff: async () => (await import("./diff/diff.tsx")).diffView,
  digests: async () => (await import("./digests.tsx")).digestsView,
  image: async () => (await import("./image.tsx")).imageView,
  list: async () => (await import("./list.tsx")).listView,
  match: async () => (await import("./match.tsx")).matchView,
  "match:lines": async () => (await import("./lines.tsx")).linesView,
  offers: async () => (await import("./offers.tsx")).offersView,
  props: properties,
  "props+table": properties,
  report: () => report(),
  "report+cert": certificate,
  "report+table": () => report("table"),
  "report:changes": () => report(),
  table,
  "table+code": table,
  text: () => text(),
  "text+diff": () => text("diff"),
  "text:marks": () => text("marks"),
  value,
  "value:strength": value,
  "value:time": value,
  verdict: async () => (await import("./verdict.tsx")).verdictView,
  "verdict+cards:jwt": jwt,
};
