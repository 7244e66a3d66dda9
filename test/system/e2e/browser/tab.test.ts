import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCatalog } from "../../../../src/catalog/catalog.ts";
import type { Call } from "../../../../src/catalog/execute.ts";
import { tools } from "../../../../src/tools/index.ts";
import { inputsOf } from "../../../unit/catalog/outputs.ts";
import { entryOf } from "../../../unit/corpora/adapter.ts";
import { atHand, readCorpus, suites } from "../../../unit/corpora/corpus.ts";
import { toCall } from "../../../unit/corpora/mapping.ts";
import { cases } from "../../../support/cases.ts";
import { emptyFolder, serve, type Server } from "../harness.ts";
import type { RankedTool } from "../../../../src/tools/rank-detected.ts";
import { type Browser, findBrowser, shareBrowser, type Watched, watch } from "./browser.ts";
import { openDriver, type Outcome, runHere, runInTab, tabTools } from "./tab-driver.ts";

// The tools in the worker of a tab, in a real browser, beside the same tools here: both must answer the same, byte for byte.
const found = findBrowser();
const batch = 100;

describe.runIf(found !== undefined)("tools in a tab", () => {
  const catalog = createCatalog(tools);
  const folder = emptyFolder();
  let server: Server;
  let browser: Browser;
  let watched: Watched;
  let inTab: string[];

  beforeAll(async () => {
    server = await serve(folder.path);
    browser = await shareBrowser(found ?? "");
    watched = await watch(browser);
    // A page that starts no worker of its own.
    await watched.page.goto(`${server.url}/sign-in`);
    await openDriver(watched.page);
    inTab = await tabTools(watched.page);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    folder.remove();
  });

  /** Runs calls in the tab and here, and returns those whose outcomes differ. */
  async function compare(calls: readonly Call[]): Promise<Difference[]> {
    const differing: Difference[] = [];
    for (let at = 0; at < calls.length; at += batch) {
      const part = calls.slice(at, at + batch);
      const there = await runInTab(watched.page, part);
      for (const [index, call] of part.entries()) {
        const here = await runHere(await catalog.get(call.slug), call);
        if (comparable(call, here) !== comparable(call, there[index]))
          differing.push({
            call: JSON.stringify(call).slice(0, 500),
            here: shorten(here),
            there: shorten(there[index]),
          });
      }
    }
    return differing;
  }

  it("at least 86 tools run in a tab, and all others need what a browser lacks", () => {
    const slugs = catalog.slugs.filter((slug) => !inTab.includes(slug));
    expect(inTab.length).toBeGreaterThanOrEqual(86);
    expect(slugs).toEqual([
      "certificate-expiry-checker",
      "certificate-key-matcher",
      "x509-parser",
      "jwt-generator",
      "jwt-verifier",
    ]);
  });

  it("answer examples and unusual documents as the server does", async () => {
    const calls: Call[] = [];
    for (const slug of inTab) {
      const tool = await catalog.get(slug);
      if (!tool.deterministic) continue;
      for (const input of inputsOf(tool)) {
        calls.push({ slug, body: { kind: "input", input }, form: "text", check: false });
        const { data, ...options } = input;
        if (typeof data !== "string") continue;
        const body = {
          kind: "raw" as const,
          bytes: new TextEncoder().encode(data),
          text: true,
          options: options as never,
        };
        calls.push({ slug, body, form: "bytes", check: tool.check !== undefined });
      }
    }
    expect(calls.length).toBeGreaterThan(2000);
    expect(await compare(cases(calls))).toEqual([]);
  });

  it("run every step that input-detector offers in the tab", async () => {
    const labelled = ["inputs.json", "second/inputs.json"].flatMap(
      (file) =>
        JSON.parse(readFileSync(new URL(`../../../unit/catalog/found/${file}`, import.meta.url), "utf8")) as {
          input?: string;
        }[],
    );
    const long = [
      JSON.stringify(Array.from({ length: 2000 }, (_, id) => ({ id, name: `Zoë ${id}` }))),
      Array.from({ length: 2000 }, (_, id) => `name${id}:\n  - "a: ${id}"\n`).join(""),
    ];
    const inputs = [...cases(labelled).flatMap(({ input }) => input ?? []), ...long];
    const outcomes = await runInTab(
      watched.page,
      inputs.map((data) => toTextCall("input-detector", { data })),
    );
    const refused: string[] = [];
    let steps = 0;
    for (const [index, input] of inputs.entries()) {
      const { items } = JSON.parse(bodyOf(outcomes[index]).toString()) as { items: RankedTool[] };
      for (const { field, needs, part, steps: list } of items) {
        if (field === null || needs.length > 0 || list.some(({ tool }) => !inTab.includes(tool))) continue;
        steps++;
        let data = Buffer.from(input);
        if (part !== null) data = data.subarray(part.offset, part.offset + part.length);
        for (const [order, step] of list.entries()) {
          const call =
            order === 0 && field !== "data"
              ? toTextCall(step.tool, { ...step.with, [field]: data.toString() })
              : toBytesCall(step.tool, data, step.with);
          const [outcome] = await runInTab(watched.page, [call]);
          if (outcome === undefined || "refused" in outcome)
            refused.push(`${step.tool}: ${JSON.stringify(outcome)}`);
          else data = bodyOf(outcome);
        }
      }
    }
    expect(refused).toEqual([]);
    expect(steps).toBeGreaterThan(100);
  });

  it.skipIf(!atHand)("answer the rows of the third-party suites as the server does", async () => {
    const all = Object.keys(suites).flatMap((suite) =>
      readCorpus(suite).flatMap((row) =>
        [row.slug, ...(row.also ?? [])].flatMap((slug) => {
          const call = toCall(entryOf(suite, slug), row);
          // Rows with a time limit may never end without a deadline.
          if ("none" in call || row.expect["maxMs"] !== undefined || !inTab.includes(call.mapping.tool))
            return [];
          const body = { kind: "input" as const, input: call.input };
          return [{ slug: call.mapping.tool, body, form: "text" as const, check: false }];
        }),
      ),
    );
    const deterministic: Call[] = [];
    for (const call of all) if ((await catalog.get(call.slug)).deterministic) deterministic.push(call);
    expect(deterministic.length).toBeGreaterThan(13_000);
    expect(await compare(cases(deterministic))).toEqual([]);
  });

  it("the page and its worker complained about nothing", () => {
    expect(watched.complaints).toEqual([]);
  });
});

/** A call, and the beginning of both outcomes, as JSON. */
/** An outcome as text, without what follows the version of Unicode of the engine: where Intl.Segmenter divides a text. */
function comparable({ slug }: Call, outcome: unknown): string {
  const { body } = outcome as { body?: unknown };
  if (slug !== "text-statistics" || typeof body !== "string") return JSON.stringify(outcome);
  const { graphemes, words, sentences, frequent, ...rest } = JSON.parse(body) as Record<string, unknown>;
  const types = [graphemes, words, sentences, frequent].map((one) => typeof one);
  return JSON.stringify({ ...(outcome as object), body: { ...rest, types } });
}

interface Difference {
  call: string;
  here: string;
  there: string;
}

const shorten = (outcome: unknown): string => JSON.stringify(outcome).slice(0, 300);

const toTextCall = (slug: string, input: Record<string, unknown>): Call => ({
  slug,
  body: { kind: "input", input },
  form: "text",
  check: false,
});

const toBytesCall = (slug: string, bytes: Uint8Array, options: Readonly<Record<string, unknown>>): Call => ({
  slug,
  body: { kind: "raw", bytes, text: isUtf8(bytes), options: { ...options } },
  form: "bytes",
  check: false,
});

function bodyOf(outcome: Outcome | undefined): Buffer<ArrayBuffer> {
  if (outcome === undefined || "refused" in outcome) throw new Error(JSON.stringify(outcome));
  const { body } = outcome;
  return typeof body === "string" ? Buffer.from(body) : Buffer.from(body.base64, "base64");
}
