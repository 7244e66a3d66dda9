import type { PageCall, PlainAnswer } from "../../../../catalog/call.ts";
import type { Report } from "../../../../catalog/report.ts";
import { batch, effect, type ReadonlySignal, signal } from "@preact/signals";
import { type Input, isEmpty, noInput } from "../editor/input.ts";
import { shownBytes } from "../editor/text-place.ts";
import { readReport, Refusal } from "../tab/call.ts";
import { type Quota, runOnServer } from "../tab/server-run.ts";
import type { Tab } from "../tab/tab.ts";
import { missingOf, takesDocument } from "./fields.ts";
import { givenOptions, toSecond } from "./given.ts";
import type { ToolState } from "./state.ts";

export type Outcome =
  | { kind: "none" }
  /** The result, bytes if it is no text; and what it says, if it is a report. */
  | { kind: "answer"; result: string | Uint8Array<ArrayBuffer>; report?: Report }
  | { kind: "refusal"; refusal: Refusal };

/** An answer with the document and the options that gave it. */
export interface Answer {
  outcome: Extract<Outcome, { kind: "answer" }>;
  /** A file of text is its text. */
  input: Input;
  /** Whether the editor shows only the beginning of the document. */
  isCut: boolean;
  /** With the second document. */
  options: Readonly<Record<string, unknown>>;
  /** Milliseconds since 1970. */
  at: number;
}

/** Runs a tool on what a page holds. */
export interface Runner {
  readonly outcome: ReadonlySignal<Outcome>;
  /** The last answer; undefined before the first, and without input. */
  readonly answer: ReadonlySignal<Answer | undefined>;
  readonly isRunning: ReadonlySignal<boolean>;
  /** The duration of the last call, in milliseconds. */
  readonly elapsed: ReadonlySignal<number>;
  /** Whether something has changed since the last call, which is possible where the server runs the tool. */
  readonly isEarlier: ReadonlySignal<boolean>;
  /** The rest of the quota, as the server last reported it. */
  readonly quota: ReadonlySignal<Quota | undefined>;
  /** The place where the tool runs; undefined until it is known. */
  readonly place: ReadonlySignal<"tab" | "server" | undefined>;
  /** Runs the tool now. */
  run(): void;
  stop(): void;
  /** As `ViewProps` of views/view.ts says. */
  callInTab(
    options: Readonly<Record<string, unknown>>,
    slug?: string,
    signal?: AbortSignal,
  ): Promise<Outcome>;
  callOnServer(slug: string, options: Readonly<Record<string, unknown>>): Promise<Outcome>;
  close(): void;
}

/** A call that has run for so long is ended when there is newer input. */
const patienceMs = 2000;

/** @param root URL of the home page. */
export function createRunner(state: ToolState, tab: Tab, root: URL): Runner {
  const { definition, options, input, second, check } = state;
  const outcome = signal<Outcome>({ kind: "none" });
  const answer = signal<Answer | undefined>(undefined);
  const isRunning = signal(false);
  const elapsed = signal(0);
  const isEarlier = signal(false);
  const quota = signal<Quota | undefined>(undefined);
  const place = signal<"tab" | "server" | undefined>(undefined);
  let current: { abort: AbortController; startedAt: number } | undefined;
  let isStale = false;
  let timer = 0;

  const isReady = (): boolean =>
    missingOf(definition, options.peek(), second?.peek()).length === 0 &&
    (!takesDocument(definition) || !isEmpty(input.peek()));

  /** Runs the newest input; what came in between is never run. */
  async function run(): Promise<void> {
    if (current !== undefined) {
      isStale = true;
      const left = current.startedAt + patienceMs - performance.now();
      clearTimeout(timer);
      timer = window.setTimeout(() => isStale && current?.abort.abort(), left);
      return;
    }
    const own = { abort: new AbortController(), startedAt: performance.now() };
    current = own;
    isRunning.value = true;
    isEarlier.value = false;
    const found = await runOnce(own.abort.signal);
    current = undefined;
    batch(() => {
      isRunning.value = false;
      if (found === undefined) return;
      elapsed.value = performance.now() - own.startedAt;
      outcome.value = found.outcome;
      if (found.outcome.kind === "answer")
        answer.value = { outcome: found.outcome, ...found.given, at: Date.now() };
    });
    if (!isStale) return;
    isStale = false;
    void run();
  }

  /** Returns the outcome and what it is of; undefined if the call was stopped. */
  async function runOnce(ended: AbortSignal): Promise<{ outcome: Outcome; given: Given } | undefined> {
    let given: Given = { input: noInput, isCut: false, options: {} };
    try {
      const document = input.peek();
      const prepared = toCall(state);
      // A text goes to the worker before the page draws it, so that the answer may be there for the same frame.
      const call = prepared instanceof Promise ? await prepared : prepared;
      given = toGiven(document, call);
      const found =
        place.peek() === "server"
          ? await runOnServer(root, call, ended, (left) => (quota.value = left))
          : await tab.run(call, ended);
      return { outcome: toOutcome(found), given };
    } catch (error) {
      const refused = toRefused(error);
      return refused && { outcome: refused, given };
    }
  }

  function forget(): void {
    outcome.value = { kind: "none" };
    answer.value = undefined;
  }

  const endEffect = effect(() => {
    // Read here, so that each change runs the tool.
    const changed = [options.value, input.value, second?.value, check.value, place.value];
    if (!isReady()) forget();
    else if (changed.at(-1) === "tab") void run();
    else if (outcome.peek().kind !== "none") isEarlier.value = true;
  });

  async function begin(): Promise<void> {
    try {
      place.value = (await tab.canRun(definition.slug)) ? "tab" : "server";
      if (place.value === "tab") await tab.prepare(definition.slug);
    } catch (error) {
      outcome.value = { kind: "refusal", refusal: new Refusal("unreachable", (error as Error).message) };
    }
  }
  void begin();

  return {
    outcome,
    answer,
    isRunning,
    elapsed,
    isEarlier,
    quota,
    place,
    run() {
      if (place.value !== undefined) void run();
    },
    stop() {
      isStale = false;
      current?.abort.abort();
    },
    callInTab: createCallInTab(state, tab),
    async callOnServer(slug, changed) {
      try {
        const call = await toCall(state, changed, slug);
        return toOutcome(await runOnServer(root, call, undefined, (left) => (quota.value = left)));
      } catch (error) {
        return toRefused(error) ?? { kind: "none" };
      }
    },
    close() {
      endEffect();
      current?.abort.abort();
    },
  };
}

/** Returns the `callInTab` of the views of a tool. */
export const createCallInTab =
  (state: ToolState, tab: Tab): Runner["callInTab"] =>
  async (changed, slug, ended) => {
    try {
      return toOutcome(await tab.run(await toCall(state, changed, slug), ended));
    } catch (error) {
      return toRefused(error) ?? { kind: "none" };
    }
  };

type Given = Pick<Answer, "input" | "isCut" | "options">;

/** Returns what the views of the result of a call get. */
function toGiven(document: Input, { body }: PageCall): Given {
  if (body.kind === "input") {
    const { data: _, ...options } = body.input;
    return { input: document, isCut: false, options };
  }
  const { bytes, text, options } = body;
  const isCut = bytes.length > shownBytes;
  const content = text && bytes.length <= maxViewed ? decode(bytes as Uint8Array<ArrayBuffer>) : bytes;
  return {
    input: typeof content === "string" ? { kind: "text", text: content } : document,
    isCut,
    options: { ...options },
  };
}

/** Largest file, in bytes, that views get as text. */
const maxViewed = 16_000_000;

/** Returns the outcome of a call that threw; undefined if it was stopped. */
function toRefused(error: unknown): Outcome | undefined {
  if (error instanceof Refusal) return { kind: "refusal", refusal: error };
  if (error instanceof DOMException && error.name === "AbortError") return undefined;
  return { kind: "refusal", refusal: new Refusal("internal", (error as Error).message) };
}

/** Returns the outcome that a page shows for an answer. */
export function toOutcome({ body, valid }: PlainAnswer): Outcome {
  const result = typeof body === "string" ? body : decode(body as Uint8Array<ArrayBuffer>);
  const report = valid === undefined || typeof result !== "string" ? undefined : readReport(result);
  return { kind: "answer", result, ...(report !== undefined && { report }) };
}

/** Returns the text of bytes, or the bytes if they are none. */
function decode(bytes: Uint8Array<ArrayBuffer>): string | Uint8Array<ArrayBuffer> {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return bytes;
  }
}

/** Largest file that is read; a tab has a few gigabytes at most. */
const maxFileBytes = 256 * 1024 * 1024;

/**
 * Returns a call; a promise of it if a file has to be read.
 * @param changed Values in the place of those that the page holds; another tool gets no others.
 */
function toCall(
  state: ToolState,
  changed: Readonly<Record<string, unknown>> = {},
  slug = state.definition.slug,
): PageCall | Promise<PageCall> {
  const { definition, input, second, check } = state;
  const isOwn = slug === definition.slug;
  const { data } = changed;
  const given: Input = typeof data === "string" ? { kind: "text", text: data } : input.peek();
  const document = second?.peek();
  const options = { ...(isOwn && givenOptions(state, true)), ...changed };
  // The result as it is, whether it is text or not.
  const call = { slug, form: "bytes", check: isOwn && check.peek() } as const;
  const file = `penknife run ${slug} FILE`;

  async function readFiles(): Promise<PageCall> {
    if (isOwn && document?.kind === "file")
      Object.assign(options, toSecond(definition, toText(await readFile(document, file))));
    if (given.kind === "text" || !takesDocument(definition)) return withText();
    const bytes = await readFile(given, file);
    return { ...call, body: { kind: "raw", bytes, text: !definition.takesBytes, options } };
  }

  function withText(): PageCall {
    const text = takesDocument(definition) && given.kind === "text" ? { data: given.text } : {};
    return { ...call, body: { kind: "input", input: { ...options, ...text } } };
  }

  const hasFile =
    (isOwn && document?.kind === "file") || (given.kind === "file" && takesDocument(definition));
  return hasFile ? readFiles() : withText();
}

/** Returns the text of the second document. @throws Refusal invalid_document if it is none. */
function toText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Refusal("invalid_document", "The second file is not UTF-8 text.");
  }
}

/** Returns the bytes of a file. @param command What processes a larger one. @throws Refusal body_too_large */
export async function readFile(
  { file, name }: Extract<Input, { kind: "file" }>,
  command: string,
): Promise<Uint8Array<ArrayBuffer>> {
  if (file.size > maxFileBytes)
    throw new Refusal(
      "body_too_large",
      `${name} has ${file.size} bytes; a page takes at most ${maxFileBytes}. Use the command line: ${command}.`,
    );
  return new Uint8Array(await file.arrayBuffer());
}
