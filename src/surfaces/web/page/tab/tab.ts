import { lazy } from "../../../../lib/lazy.ts";
import { createEagerMutex } from "../../../../lib/mutex.ts";
import type { PageCall, PlainAnswer } from "../../../../catalog/call.ts";
import type { ErrorDetails } from "../../../../catalog/errors.ts";
import { Refusal } from "./call.ts";
import { withRequired } from "./manifest.ts";
import { createScripts } from "./scripts.ts";
import { toWorkerUrl } from "./trusted.ts";

/** Runs tools in a worker of this tab. Nothing that a call contains leaves the browser. */
export interface Tab {
  /** Whether a tool can run here; otherwise the server runs it. Rejects if the server is away. */
  canRun(slug: string): Promise<boolean>;
  /**
   * Runs a call, after those that wait already. Ends it when `signal` is aborted.
   * @throws Refusal of the tool; DOMException AbortError
   */
  run(call: PageCall, signal?: AbortSignal): Promise<PlainAnswer>;
  /** Starts the worker with the scripts of a tool, before there is a call. */
  prepare(slug: string): Promise<void>;
}

/** A message from the worker: those of src/catalog/remote.ts, and of src/tab-loader.ts. */
type Message =
  | { kind: "ready" }
  | { kind: "need"; names: readonly string[] }
  | { kind: "answer"; answer: PlainAnswer }
  | { kind: "refusal"; code: string; message: string; details: ErrorDetails }
  | { kind: "bug"; message: string };

interface Pending {
  worker: Worker;
  resolve(answer: PlainAnswer): void;
  reject(error: Error): void;
}

let opened: Tab | undefined;

/** Returns the worker of this document, which its pages share. @param root URL of the home page. */
export const openTab = (root: URL): Tab =>
  (opened ??= createTab(root, document.documentElement.dataset["tab"] ?? ""));

/** @param file Name of the manifest. */
function createTab(root: URL, file: string): Tab {
  const scripts = createScripts(root);
  const open = lazy(() => scripts.manifest(file));
  const inTurn = createEagerMutex();
  let worker: Promise<Worker> | undefined;
  /** The worker, as soon as it is ready. */
  let current: Worker | undefined;
  let pending: Pending | undefined;

  async function start(slug: string): Promise<Worker> {
    const found = await open();
    const started = new Worker(toWorkerUrl(new URL(`web/${found.loader}`, root)));
    const ready = Promise.withResolvers<void>();
    const broken = Promise.withResolvers<never>();
    broken.promise.catch(() => undefined);
    started.addEventListener("message", ({ data }: MessageEvent<Message>) => {
      if (data.kind === "ready") ready.resolve();
      else receive(started, data);
    });
    started.addEventListener("error", (event) => {
      event.preventDefault();
      const reason = new Refusal("internal", `The tool failed in this tab: ${event.message}`);
      broken.reject(reason);
      // One that is being terminated may still report that it could not load a script; its successor goes on.
      if (started === current) end(reason);
    });
    started.postMessage({ kind: "start", requirements: found.requirements, entry: found.entry }, []);
    const names = [found.entry, found.tools[slug]?.script ?? found.entry].flatMap((name) => [
      ...withRequired(found, name),
    ]);
    try {
      await Promise.race([broken.promise, Promise.all([ready.promise, send(started, [...new Set(names)])])]);
    } catch (error) {
      started.terminate();
      throw error;
    }
    return started;
  }

  function receive(from: Worker, message: Exclude<Message, { kind: "ready" }>): void {
    if (message.kind === "need")
      // The worker reports what it could not load.
      return void send(from, message.names).catch(() => undefined);
    if (pending?.worker !== from) return;
    const waiting = pending;
    pending = undefined;
    if (message.kind === "answer") waiting.resolve(message.answer);
    else if (message.kind === "refusal")
      waiting.reject(new Refusal(message.code, message.message, message.details.errors));
    else waiting.reject(new Refusal("internal", `The tool failed in this tab: ${message.message}`));
  }

  /**
   * Sends scripts to the worker, which has no access to the server. Only those of the manifest: a name that the worker makes
   * up could carry what it knows to the server.
   */
  async function send(to: Worker, names: readonly string[]): Promise<void> {
    const { requirements } = await open();
    let failure: Error | undefined;
    const all = await Promise.all(
      names.map(async (name) => {
        try {
          if (!Object.hasOwn(requirements, name)) throw new Error("There is no such script");
          return [name, await scripts.read(name)] as const;
        } catch (error) {
          failure = error as Error;
          to.postMessage({ kind: "missing", name }, []);
          return undefined;
        }
      }),
    );
    to.postMessage(
      { kind: "scripts", scripts: Object.fromEntries(all.filter((one) => one !== undefined)) },
      [],
    );
    if (failure !== undefined) throw new Refusal("unreachable", failure.message);
  }

  /** Ends the worker with the call that it runs; the next call starts another. */
  function end(reason: Error): void {
    current?.terminate();
    current = undefined;
    worker = undefined;
    pending?.reject(reason);
    pending = undefined;
  }

  /** Returns the worker, which is started unless there is one; the call after a failure tries again. */
  async function begin(slug: string): Promise<Worker> {
    const begun = (worker ??= start(slug));
    try {
      return (current = await begun);
    } catch (error) {
      if (worker === begun) worker = undefined;
      throw error;
    }
  }

  async function runNow(call: PageCall, signal: AbortSignal | undefined): Promise<PlainAnswer> {
    signal?.throwIfAborted();
    // One that is ready gets the call at once.
    const running = current ?? (await begin(call.slug));
    signal?.throwIfAborted();
    const stop = (): void => end(new DOMException("Stopped", "AbortError"));
    signal?.addEventListener("abort", stop);
    try {
      return await new Promise<PlainAnswer>((resolve, reject) => {
        pending = { worker: running, resolve, reject };
        running.postMessage({ kind: "call", call }, []);
      });
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  return {
    async canRun(slug) {
      const needs = (await open()).tools[slug];
      return needs !== undefined && (needs.needs ?? []).every((name) => name in globalThis);
    },
    run: (call, signal) => inTurn(() => runNow(call, signal)),
    async prepare(slug) {
      await begin(slug);
    },
  };
}
