import type { z } from "zod";
import type { Report } from "./report.ts";

/** What a tool may know of the world outside its input. */
export interface ToolContext {
  /** Epoch milliseconds. */
  now(): number;
  /** Cryptographically strong bytes. */
  random(size: number): Uint8Array;
  /** The largest result, for tools with a limit of their own. It is higher at the command line than on a server. */
  maxResultBytes?: number;
  /** On the event loop alone: who would make a larger result throws TooMuchInline, to be run in a worker. */
  inlineResultBytes?: number;
}

/** Text, bytes that a surface shows as text when they are UTF-8, or a report. */
export type ToolResult = string | Uint8Array | Report;

/**
 * A thread is for work that takes long and whose memory is bounded by arithmetic: a deadline ends it, but V8 ends the
 * whole program where one string or one table is too large. A process is for work that evaluates a caller's language or
 * whose memory has no proved bound: it can end nothing but itself, and reaches no file, no network and no other process.
 */
export type Isolation = "thread" | "process";

export interface Example<Input> {
  /** What the example shows, where its input does not say it. */
  title?: string;
  input: Input;
  result: string;
}

/**
 * The largest document that a tool takes as text. At two bytes for each character it fills the longest string of V8.
 */
export const largestText: number = 128 * 1024 * 1024;
/** The largest document of any tool; it applies to tools that read bytes and do not turn them into text. */
export const largestDocument: number = 1024 * 1024 * 1024;

/** The largest raw document that a tool takes, in bytes. */
export const maxBytesOf = (tool: Tool): number => tool.maxBytes ?? largestText;

export interface ToolDefinition<Schema extends z.ZodObject> {
  /** File name, URL, command and anchor: lower-case words joined by hyphens. */
  slug: string;
  title: string;
  /** One sentence. */
  summary: string;
  /** Changes with every change of an output; 1.0.0 where it is not given. */
  version?: string;
  /** Flat: strings, integers, numbers, booleans, enums and arrays of those. */
  input: Schema;
  /** For each boolean that defaults to true, what the tool does when it is off: the help of `--no-x`. */
  whenOff?: Readonly<Partial<Record<keyof z.input<Schema>, string>>>;
  examples: readonly Example<z.input<Schema>>[];
  /** Where every call runs; without it small bodies run on the event loop and larger ones on a thread. */
  isolate?: Isolation | false;
  /** False where the same input can give another result (time, randomness). */
  deterministic?: boolean;
  /**
   * The result is exact to its last byte: an encoding, or the caller's text with something taken out or replaced.
   * The command line adds no newline to it.
   */
  exact?: boolean;
  /** What check mode asks: "report" reads the verdict, "change" whether the result differs from `data`. */
  check?: "report" | "change";
  run(input: z.output<Schema>, context: ToolContext): ToolResult | Promise<ToolResult>;
  /** The most bytes that `runBytes` takes, for tools that do not turn them into text; `largestText` by default. */
  maxBytes?: number;
  /**
   * The same tool on the bytes of a raw body, without the detour over a string; `data` is not in the input.
   * Its presence is what makes a tool accept application/octet-stream.
   */
  runBytes?(
    data: Uint8Array,
    options: Omit<z.output<Schema>, "data">,
    context: ToolContext,
  ): ToolResult | Promise<ToolResult>;
}

/** A tool as the surfaces see it: the definition with its defaults filled in and the type of its input forgotten. */
export interface Tool {
  readonly slug: string;
  readonly title: string;
  readonly summary: string;
  readonly version: string;
  readonly input: z.ZodObject;
  readonly whenOff?: Readonly<Partial<Record<string, string>>>;
  readonly examples: readonly Example<Record<string, unknown>>[];
  readonly isolate: Isolation | false;
  readonly deterministic: boolean;
  readonly exact: boolean;
  readonly check?: "report" | "change";
  readonly maxBytes?: number;
  run(input: Record<string, unknown>, context: ToolContext): ToolResult | Promise<ToolResult>;
  runBytes?(
    data: Uint8Array,
    options: Record<string, unknown>,
    context: ToolContext,
  ): ToolResult | Promise<ToolResult>;
}

export function defineTool<Schema extends z.ZodObject>(definition: ToolDefinition<Schema>): Tool {
  const defaults = { version: "1.0.0", isolate: false as const, deterministic: true, exact: false };
  // The schema is what makes an unknown record the input of this tool: `parseInput` applies it before every run.
  return { ...defaults, ...(definition as ToolDefinition<z.ZodObject>) };
}
