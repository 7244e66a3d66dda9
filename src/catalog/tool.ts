import type { z } from "zod";
import type { Finding, Report } from "./report.ts";
import type { ViewName } from "./view-name.ts";

/** The clock, randomness and limits that a tool gets besides its input. */
export interface ToolContext {
  /** Epoch milliseconds. */
  now(): number;
  /** Cryptographically strong bytes. */
  random(size: number): Uint8Array;
  /** The largest result, for tools with a limit of their own. It is higher at the command line than on a server. */
  maxResultBytes?: number;
  /** Set on the event loop only: a tool with a larger result throws TooMuchInline and runs again in a worker. */
  inlineResultBytes?: number;
  /**
   * Runs another tool on a document, or without one, for a tool that proposes tools. Set where isolated calls run.
   * @param fields Its other fields.
   * @throws ToolError
   */
  call?(
    slug: string,
    data: Uint8Array | undefined,
    fields: Record<string, unknown>,
  ): Promise<string | Uint8Array>;
}

/** Text; bytes, which surfaces show as text if they are UTF-8; or a report. */
export type ToolResult = string | Uint8Array | Report;

/** A run of a tool on a document that arrives in blocks. */
export interface BlockRun {
  /**
   * Takes the next bytes of the document, which must not change afterwards, and yields what follows in the result.
   * @throws ToolError with places in the whole document, while it is iterated.
   */
  write(block: Uint8Array): Iterable<string | Uint8Array>;
  /** Takes the end of the document, and returns the rest of the result, or the report. @throws ToolError */
  end(): ToolResult;
}

/**
 * A thread is for long work whose memory is bounded by arithmetic: a deadline ends it, but a string or table that is too
 * large makes V8 end the whole program. A process is for work that evaluates a caller's language or whose memory has no
 * proved bound: it can end only itself, and has no access to files, the network and other processes.
 */
export type Isolation = "thread" | "process";

export type CheckKind = "report" | "change" | "difference" | "strict" | "warnings";

export interface Example<Input> {
  /** The point of the example, if its input does not make it plain. */
  title?: string;
  input: Input;
  result: string;
}

/**
 * Largest document that a tool takes as text, in bytes. V8 ends the process at 2^27 characters of a two-byte string.
 */
export const maxText: number = 128 * 1024 * 1024;
/** The largest document of any tool; it applies to tools that read bytes and do not turn them into text. */
export const maxDocument: number = 1024 * 1024 * 1024;

/** The largest raw document that a tool takes, in bytes. */
export const maxBytesOf = (tool: Tool): number => tool.maxBytes ?? maxText;

/**
 * The arrangement of the browser page of a tool: `split` has the input beside the result, `compare` two inputs above it, `line` one
 * line above it, `generate` no input, `check` the input beside findings, `pattern` a pattern above both.
 */
export type PageLayout = "split" | "compare" | "line" | "generate" | "check" | "pattern";

/** Describes the page of a tool in the browser. Each member is optional; no other surface reads them. */
export interface ToolPage<Field extends string = string> {
  /** The name of the tool on pages, where its title, which follows from the slug, reads badly. */
  title?: string;
  /** The purpose of the tool in at most 36 characters, for lists of tools. */
  tile?: string;
  /** `split` by default, and `generate` for a tool without a document. */
  layout?: PageLayout;
  /** The view that draws the result; by default the shape of the result decides. */
  view?: ViewName;
  /** The name of the first tab of that view, if its usual name says too little. */
  tab?: string;
  /** The fields above the panes, in their order; the others are under Advanced. Required fields are always above. */
  options?: readonly Field[];
  /** The field that is a second document, with an editor of its own. */
  second?: Field;
  /**
   * The field that is a regular expression, which is drawn in colours and with switches for the letters of `flags`, and the field
   * whose value `re2`, `js` or `regex` says that it is one.
   */
  regex?: { field: Field; engine: Field };
  /** Words for a field, or for one of its values by `field=value`, where its name says too little. */
  labels?: Readonly<Partial<Record<Field | `${Field}=${string}`, string>>>;
  /** The fields that are time zones. The page begins with the zone of the browser in the first. */
  zones?: readonly Field[];
  /** Whether the document is a time, so that a button enters the present one. */
  hasNow?: boolean;
  /** Tools for a document in which a validator has found nothing. */
  next?: readonly NextTool<Field>[];
  /** Values that the page begins with: of required fields, and where a person reads another form than a program. */
  start?: Readonly<Partial<Record<Field, unknown>>>;
}

/** A tool that a page offers for the document of another one. */
export interface NextTool<Field extends string = string> {
  slug: string;
  /** The text of its button. */
  text: string;
  /** Options that it takes over, which have the same names and meanings in both tools. */
  keeps?: readonly Field[];
}

/** A file of settings that holds for the files below its folder. */
export interface SettingsFile {
  /** With slashes, from the top of the repository; empty for the top. */
  folder: string;
  text: string;
}

/** The files of settings that a check reads beside each document. */
export interface ToolSettings {
  /** The name of such a file. */
  file: string;
  /**
   * Returns options by the files of that name in the folder of a document and above it, the outermost first.
   * @param path The path of the document, with slashes, from the top of the repository.
   */
  toOptions(path: string, found: readonly SettingsFile[]): Readonly<Record<string, string>>;
}

export interface ToolDefinition<Schema extends z.ZodObject> {
  /** File name, URL, command and anchor: lower-case words joined by hyphens. */
  slug: string;
  title: string;
  /** One sentence. */
  summary: string;
  /** A noun phrase for the content of `data`, such as "a JSON Web Token"; left out by tools without a document. */
  accepts?: string;
  /** Names that people and other tools use for it, separated by commas; for the search. */
  aliases?: string;
  page?: ToolPage<Extract<keyof z.input<Schema>, string>>;
  /** Changes with every change of an output; 1.0.0 by default. */
  version?: string;
  /** Flat: strings, integers, numbers, booleans, enums and arrays of those. */
  input: Schema;
  /** For each boolean that defaults to true, what the tool does when it is false: the help of `--no-x`. */
  whenOff?: Readonly<Partial<Record<keyof z.input<Schema>, string>>>;
  examples: readonly Example<z.input<Schema>>[];
  /** The place where every call runs; by default small bodies run on the event loop and larger ones on a thread. */
  isolate?: Isolation | false;
  /** False if the same input can give different results (time, randomness). */
  deterministic?: boolean;
  /**
   * Whether every byte of the result counts: an encoding, or the caller's text with parts removed or replaced. The command
   * line adds no newline to it.
   */
  exact?: boolean;
  /**
   * The result of check mode: the tool's own report, whether the result would differ from `data` ("change"), what `report` returns
   * ("difference"), whether the tool accepts `data` with its option `strict` ("strict"), or whether it accepts `data`, with the
   * warnings in what `report` returns ("warnings").
   */
  check?: CheckKind;
  /**
   * Set by tools that compare versions of a document: the options with which `other` is the old version of `data`, and a check
   * reports places in `data`.
   */
  against?: Readonly<Record<string, boolean | string>>;
  /** Options that fit the name of a file, for checks of files that do not set them. */
  fileOptions?(fileName: string): Readonly<Record<string, boolean | string>>;
  /** Options that files above a document give, for checks of files that do not set them. */
  settings?: ToolSettings;
  /**
   * Returns the document without what the report finds, as far as that is safe, for a check that fixes files. Only for the check
   * "report", whose tool does not return the document.
   */
  fix?(input: z.output<Schema>, context: ToolContext): string | Promise<string>;
  /**
   * For rules of its findings, the ids that programs it replaces have for them: `{ "duplicate-key": ["yamllint/key-duplicates"] }`.
   * Lists of checks and comments may use them.
   */
  ruleAliases?: Readonly<Record<string, readonly string[]>>;
  /** Returns warnings, in check mode "change", about a document that the tool accepts. */
  warn?(data: Uint8Array): readonly Finding[];
  /** Reports, in check mode, where `data` differs from the other document of the call, or what the tool reads otherwise than others. */
  report?(input: z.output<Schema>, context: ToolContext): Report | Promise<Report>;
  run(input: z.output<Schema>, context: ToolContext): ToolResult | Promise<ToolResult>;
  /** Most bytes that `runBytes` takes, for tools that do not convert them to text; `maxText` by default. */
  maxBytes?: number;
  /**
   * Runs the tool on the bytes of a raw body, without converting them to a string; the input has no `data`. Only tools with
   * this method accept application/octet-stream.
   */
  runBytes?(
    data: Uint8Array,
    options: Omit<z.output<Schema>, "data">,
    context: ToolContext,
  ): ToolResult | Promise<ToolResult>;
  /**
   * Starts a run on a document of any size that arrives in blocks, in memory that does not grow with it: all that the run
   * returns, joined, is what `run` returns for the whole document. Undefined for options that need the whole document.
   */
  runBlocks?(
    options: Omit<z.output<Schema>, "data">,
    context: ToolContext,
  ): BlockRun | undefined | Promise<BlockRun | undefined>;
}

/** A tool as surfaces use it: the definition with defaults filled in and without the type of its input. */
export interface Tool {
  readonly slug: string;
  readonly title: string;
  readonly summary: string;
  readonly accepts?: string;
  readonly aliases?: string;
  readonly page?: ToolPage;
  readonly version: string;
  readonly input: z.ZodObject;
  readonly whenOff?: Readonly<Partial<Record<string, string>>>;
  readonly examples: readonly Example<Record<string, unknown>>[];
  readonly isolate: Isolation | false;
  readonly deterministic: boolean;
  readonly exact: boolean;
  readonly check?: CheckKind;
  readonly against?: Readonly<Record<string, boolean | string>>;
  fileOptions?(fileName: string): Readonly<Record<string, boolean | string>>;
  readonly settings?: ToolSettings;
  fix?(input: Record<string, unknown>, context: ToolContext): string | Promise<string>;
  readonly ruleAliases?: Readonly<Record<string, readonly string[]>>;
  warn?(data: Uint8Array): readonly Finding[];
  report?(input: Record<string, unknown>, context: ToolContext): Report | Promise<Report>;
  readonly maxBytes?: number;
  run(input: Record<string, unknown>, context: ToolContext): ToolResult | Promise<ToolResult>;
  runBytes?(
    data: Uint8Array,
    options: Record<string, unknown>,
    context: ToolContext,
  ): ToolResult | Promise<ToolResult>;
  runBlocks?(
    options: Record<string, unknown>,
    context: ToolContext,
  ): BlockRun | undefined | Promise<BlockRun | undefined>;
}

export function defineTool<Schema extends z.ZodObject>(definition: ToolDefinition<Schema>): Tool {
  const defaults = { version: "1.0.0", isolate: false as const, deterministic: true, exact: false };
  // `parseInput` validates unknown records against the schema before every run, so the cast is safe.
  return { ...defaults, ...(definition as ToolDefinition<z.ZodObject>) };
}
