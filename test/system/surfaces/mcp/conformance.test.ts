import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createTransport } from "../../../../src/surfaces/mcp/http-transport.ts";
import { defaults } from "../../../support/defaults.ts";
import { type Harness, openHarness } from "../harness.ts";
import { createFixture } from "./conformance/fixture.ts";
import { type McpHarness, openMcp } from "./open.ts";

vi.setConfig({ testTimeout: 300_000 });

const suite = fileURLToPath(
  new URL("clients/node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url),
);

/** Runs what a revision requires of a server; returns the scenarios that passed and those that failed, in their order. */
function judge(url: string, revision: string): Promise<{ passed: string[]; failed: string[] }> {
  const line = [suite, "server", "--url", `${url}/mcp`, "--requirements", revision];
  const { promise, resolve } = Promise.withResolvers<{ passed: string[]; failed: string[] }>();
  // Its status counts the scenarios of extensions too.
  execFile(process.execPath, line, { maxBuffer: 1e7 }, (_, stdout) => {
    const summary = stdout.slice(stdout.indexOf("=== SUMMARY ==="), stdout.indexOf("Not scored for"));
    const marked = (mark: string): string[] =>
      Array.from(summary.matchAll(new RegExp(`^${mark} ([\\w-]+): `, "gm")), ([, name]) => name as string);
    resolve({ passed: marked("✓"), failed: marked("✗") });
  });
  return promise;
}

/** Scenarios beyond the required ones: of extensions, or too new for the revision. */
const optional = /^tasks-|^json-schema-2020-12$|^http-|^server-session-lifecycle$|^server-sse-polling$/;

describe("the protocol and the transport, before the tools and prompts of the suite", () => {
  let fixture: Harness;
  beforeAll(async () => {
    fixture = await openHarness({ http: { allowedHosts: ["localhost"] } });
    const protocol = createFixture();
    const deps = { ...fixture.deps, mcp: defaults.mcp };
    const { answer, refuse } = createTransport(fixture.http, deps, async () => protocol);
    fixture.http.route({
      path: "/mcp",
      methods: { POST: answer },
      refuse: async (exchange, error) => refuse(exchange, error),
    });
  });
  afterAll(() => fixture.close());

  test.each([
    ["2026-07-28", 37],
    ["2025-11-25", 30],
  ])("revision %s: all %i scenarios", async (revision, count) => {
    const { passed, failed } = await judge(fixture.url, revision);
    expect(failed.filter((name) => !optional.test(name))).toEqual([]);
    expect(passed.filter((name) => !optional.test(name)).length).toBe(count);
    if (revision === "2026-07-28") expect(passed).toContain("http-header-validation");
  });
});

describe("penknife, which has tools and nothing else", () => {
  let app: McpHarness;
  beforeAll(async () => {
    app = await openMcp({ http: { allowedHosts: ["localhost"] } });
  });
  afterAll(() => app.close());

  // The others call tools, prompts and resources of the suite. The transport of both revisions is tested above, and stock clients of the
  // older one call penknife in clients.test.ts.
  const revisions: [revision: string, applicable: string[]][] = [
    [
      "2026-07-28",
      [
        "tools-list",
        "server-sse-multiple-streams",
        "sep-2164-resource-not-found",
        "dns-rebinding-protection",
        "input-required-result-unsupported-methods",
        "input-required-result-validate-input",
        "http-header-validation",
      ],
    ],
    [
      "2025-11-25",
      ["server-initialize", "ping", "tools-list", "server-sse-multiple-streams", "dns-rebinding-protection"],
    ],
  ];
  test.each(revisions)("revision %s: what does not need them", async (revision, applicable) => {
    const { passed } = await judge(app.url, revision);
    expect(passed).toEqual(expect.arrayContaining(applicable));
  });
});
