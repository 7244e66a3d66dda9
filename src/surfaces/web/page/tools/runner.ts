import type { PageCall, PlainAnswer } from "../../../../catalog/call.ts";
import type { Report } from "../../../../catalog/report.ts";
import { effect, type ReadonlySignal, signal } from "@preact/signals";
import { type Input, isEmpty } from "../editor/input.ts";
import { readReport, Refusal } from "../tab/call.ts";
import { runOnServer } from "../tab/server-run.ts";
import type { Tab } from "../tab/tab.ts";
import { takesDocument } from "./fields.ts";
import type { ToolState } from "./state.ts";

export type Outcome =
  | { kind: "none" }
  /** The result, bytes if it is no text; and what it says, if it is a report. */
  | { kind: "answer"; result: string | Uint8Array<ArrayBuffer>; report?: Report }
  | { kind: "refusal"; refusal: Refusal };

/** Runs a tool on what a page holds. */
export interface Runner {
  readonly outcome: ReadonlySignal<Outcome>;
  readonly isRunning: ReadonlySignal<boolean>;
  /** Where the tool runs; undefined until it is known. */
  readonly place: ReadonlySignal<"tab" | "server" | undefined>;
  /** Runs the tool now. */
  run(): void;
  stop(): void;
  close(): void;
}

/** A call that has run for so long is ended when there is newer input. */
const patienceMs = 2000;

/** @param root URL of the home page. */
export function createRunner(state: ToolState, tab: Tab, root: URL): Runner {
  const { definition, options, input, check } = state;
  const outcome = signal<Outcome>({ kind: "none" });
  const isRunning = signal(false);
  const place = signal<"tab" | "server" | undefined>(undefined);
  let current: { abort: AbortController; startedAt: number } | undefined;
  let isStale = false;
  let timer = 0;

  const isReady = (): boolean => {
    const given = options.peek();
    const missing = (definition.input.required ?? []).filter((name) => name !== "data" && !(name in given));
    return missing.length === 0 && (!takesDocument(definition) || !isEmpty(input.peek()));
  };

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
    const found = await runOnce(own.abort.signal);
    current = undefined;
    isRunning.value = false;
    if (found !== undefined) outcome.value = found;
    if (!isStale) return;
    isStale = false;
    void run();
  }

  async function runOnce(ended: AbortSignal): Promise<Outcome | undefined> {
    try {
      const call = await toCall(state);
      const answer = await (place.peek() === "server"
        ? runOnServer(root, call, ended)
        : tab.run(call, ended));
      return toOutcome(answer);
    } catch (error) {
      if (error instanceof Refusal) return { kind: "refusal", refusal: error };
      if (error instanceof DOMException && error.name === "AbortError") return undefined;
      return { kind: "refusal", refusal: new Refusal("internal", (error as Error).message) };
    }
  }

  const endEffect = effect(() => {
    // Read here, so that each change runs the tool.
    const changed = [options.value, input.value, check.value, place.value];
    if (changed.at(-1) !== "tab") return;
    if (isReady()) void run();
    else outcome.value = { kind: "none" };
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
    isRunning,
    place,
    run() {
      if (place.value !== undefined) void run();
    },
    stop() {
      isStale = false;
      current?.abort.abort();
    },
    close() {
      endEffect();
      current?.abort.abort();
    },
  };
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

async function toCall({ definition, options, input, check }: ToolState): Promise<PageCall> {
  const { slug, takesBytes } = definition;
  const given = input.peek();
  // The result as it is, whether it is text or not.
  const call = { slug, form: "bytes", check: check.peek() } as const;
  if (!takesDocument(definition)) return { ...call, body: { kind: "input", input: options.peek() } };
  if (given.kind === "text")
    return { ...call, body: { kind: "input", input: { ...options.peek(), data: given.text } } };
  const bytes = await readFile(given, `penknife run ${slug} FILE`);
  return { ...call, body: { kind: "raw", bytes, text: !takesBytes, options: options.peek() } };
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
