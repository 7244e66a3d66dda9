import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCatalog } from "../../../../src/catalog/catalog.ts";
import type { Call } from "../../../../src/catalog/execute.ts";
import { tools } from "../../../../src/tools/index.ts";
import { inputsOf } from "../../../unit/catalog/outputs.ts";
import { entryOf } from "../../../unit/corpora/adapter.ts";
import { atHand, readCorpus, suites } from "../../../unit/corpora/corpus.ts";
import { toCall } from "../../../unit/corpora/mapping.ts";
import { sampleOf } from "../../../support/rounds.ts";
import { emptyFolder, serve, type Server } from "../harness.ts";
import { type Browser, findBrowser, shareBrowser, type Watched, watch } from "./browser.ts";
import { openDriver, runHere, runInTab, tabTools } from "./tab-driver.ts";

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
        if (JSON.stringify(here) !== JSON.stringify(there[index]))
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

  it("answer examples and unusual documents as the server does (one of seven, or all: make test-long)", async () => {
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
    // Calls of two kinds take turns, so an odd step takes both.
    expect(await compare(sampleOf(calls, 7))).toEqual([]);
  });

  it.skipIf(!atHand)(
    "answer the rows of the third-party suites as the server does (one of 25, or all: make test-long)",
    async () => {
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
      expect(await compare(sampleOf(deterministic, 25))).toEqual([]);
    },
  );

  it("the page and its worker complained about nothing", () => {
    expect(watched.complaints).toEqual([]);
  });
});

/** A call, and the beginning of both outcomes, as JSON. */
interface Difference {
  call: string;
  here: string;
  there: string;
}

const shorten = (outcome: unknown): string => JSON.stringify(outcome).slice(0, 300);
