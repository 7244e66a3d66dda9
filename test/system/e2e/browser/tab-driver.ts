import type { CatalogTool } from "../../../../src/catalog/catalog.ts";
import type { Answer, Call } from "../../../../src/catalog/execute.ts";
import { execute } from "../../../../src/catalog/execute.ts";
import { fromError } from "../../../../src/catalog/remote.ts";
import { context } from "../../../unit/tools/run-tool.ts";
import type { Page } from "./browser.ts";

/** The outcome of a call, as JSON: a body, or the refusal. Bytes are base64. */
export type Outcome = { body: string | { base64: string }; valid?: boolean } | { refused: unknown };

/**
 * The script that the page evaluates: it starts the worker as page/tab/tab.ts does, and runs calls one after the other. A call that does
 * not end within a minute is an outcome too, and the next one gets a new worker.
 */
const driver = `
const toBase64 = (bytes) => { let text = ""; for (const byte of bytes) text += String.fromCharCode(byte); return btoa(text); };
const fromBase64 = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
const policy = globalThis.trustedTypes?.createPolicy("penknife", { createScriptURL: (url) => url });
const { root: relative, tab } = document.documentElement.dataset;
const root = new URL(relative, location.href);
const file = async (name) => (await fetch(new URL("web/" + name, root))).blob();
let opened;
async function open() {
  const manifest = JSON.parse(await (await file(tab)).text());
  const url = new URL("web/" + manifest.loader, root).href;
  const worker = new Worker(policy?.createScriptURL(url) ?? url);
  const known = (globalThis.scripts ??= new Map());
  const listeners = [];
  worker.addEventListener("message", async ({ data }) => {
    if (data.kind !== "need") return void listeners.shift()?.(data);
    const scripts = {};
    await Promise.all(data.names.filter((name) => name in manifest.requirements).map(async (name) => {
      if (!known.has(name)) known.set(name, file(name + ".js"));
      scripts[name] = await known.get(name);
    }));
    worker.postMessage({ kind: "scripts", scripts });
  });
  const next = () => new Promise((resolve, reject) => {
    listeners.push(resolve);
    worker.addEventListener("error", ({ message }) => resolve({ kind: "bug", message }));
    setTimeout(() => resolve({ kind: "hangs" }), 60_000);
  });
  const ready = next();
  worker.postMessage({ kind: "start", requirements: manifest.requirements, entry: manifest.entry });
  await ready;
  return { worker, manifest, next };
}
globalThis.tabTools = async () => Object.keys((await (opened ??= open())).manifest.tools);
globalThis.runInTab = async (calls) => {
  const outcomes = [];
  for (const { base64, ...call } of calls) {
    const { worker, next } = await (opened ??= open());
    if (base64 !== undefined) call.body.bytes = fromBase64(base64);
    const answered = next();
    worker.postMessage({ kind: "call", call });
    const { kind, answer, ...rest } = await answered;
    if (kind === "hangs" || kind === "bug") { worker.terminate(); opened = undefined; }
    if (kind !== "answer") outcomes.push({ refused: { kind, ...rest } });
    else {
      const { body, valid } = answer;
      outcomes.push({ body: typeof body === "string" ? body : { base64: toBase64(body) }, ...(valid !== undefined && { valid }) });
    }
  }
  return outcomes;
};`;

/** Makes a page run calls in a worker of its tab. The page must not have one of its own. */
export const openDriver = (page: Page): Promise<unknown> => page.evaluate(`(() => {${driver}})()`);

/** Returns the tools that can run in a tab. */
export const tabTools = async (page: Page): Promise<string[]> =>
  (await page.evaluate("tabTools()")) as string[];

/** Runs calls in the tab, in order. */
export async function runInTab(page: Page, calls: readonly Call[]): Promise<Outcome[]> {
  const sent = calls.map((call) =>
    call.body.kind === "raw"
      ? {
          ...call,
          body: { ...call.body, bytes: undefined },
          base64: Buffer.from(call.body.bytes).toString("base64"),
        }
      : call,
  );
  return (await page.evaluate(`runInTab(${JSON.stringify(sent)})`)) as Outcome[];
}

/** Runs a call here, with the code of the server. */
export async function runHere(tool: CatalogTool, call: Call): Promise<Outcome> {
  try {
    const { body, valid } = (await execute(tool, call, context)) satisfies Answer;
    const shown = typeof body === "string" ? body : { base64: Buffer.from(body).toString("base64") };
    return { body: shown, ...(valid !== undefined && { valid }) };
  } catch (error) {
    const { kind, ...rest } = fromError(error) as { kind: string; stack?: string };
    if (kind === "bug") throw error;
    return { refused: { kind, ...(JSON.parse(JSON.stringify(rest)) as object) } };
  }
}
