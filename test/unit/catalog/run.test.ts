import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type CatalogTool, createCatalog } from "../../../src/catalog/catalog.ts";
import { ToolError } from "../../../src/catalog/errors.ts";
import type { Answer, Call, ToolCall } from "../../../src/catalog/execute.ts";
import { TooMuchInline } from "../../../src/catalog/inline.ts";
import type { Ticket } from "../../../src/catalog/principal.ts";
import { createRunner, type Runner, type RunResult } from "../../../src/catalog/run.ts";
import { defineTool } from "../../../src/catalog/tool.ts";
import { context } from "../tools/run-tool.ts";
import { listOf } from "./list-of.ts";
import { testRuntime } from "../../support/runtime.ts";

const echo = defineTool({
  slug: "echo-parser",
  title: "Echo",
  summary: "Say it again.",
  input: z.object({ data: z.string().describe("What to say") }),
  examples: [],
  run: ({ data }) => {
    if (data === "bug") throw new TypeError("a bug");
    return data;
  },
});
const away = defineTool({
  ...echo,
  slug: "away-parser",
  isolate: "thread",
  examples: [],
  run: () => "never here",
});

const finding = {
  message: "Wrong.",
  severity: "error",
  rule: "wrong",
  line: 1,
  column: 1,
  offset: 0,
  pointer: "",
} as const;
const strict = defineTool({
  ...echo,
  slug: "strict-validator",
  check: "report",
  examples: [],
  run: () => ({ valid: false, errors: [finding] }),
});

const large = defineTool({
  ...echo,
  slug: "large-parser",
  examples: [],
  run: ({ data }, { inlineResultBytes = Infinity }) => {
    if (String(data).length * 100 > inlineResultBytes) throw new TooMuchInline();
    return "here";
  },
});

const tools = [echo, away, large, strict];
const tool = (slug: string): CatalogTool => {
  const found = tools.find((one) => one.slug === slug);
  if (found === undefined) throw new Error(`No tool ${slug}`);
  return { ...found, category: "test" };
};
const call = (slug: string, data: string): ToolCall => ({
  tool: tool(slug),
  body: { kind: "raw", bytes: Buffer.from(data), text: true, options: [] },
  form: "text",
  check: false,
});

function openRunner(
  isolate: (call: Call, signal?: AbortSignal) => Promise<never> | Promise<{ body: string }>,
): {
  runner: Runner;
  results: RunResult[];
  counted: () => number;
} {
  const results: RunResult[] = [];
  let counted = 0;
  let clock = 0;
  const runner = createRunner({
    catalog: createCatalog({ test: listOf(tools) }),
    admit: async (principal): Promise<Ticket> => {
      if (++counted > 3) throw new ToolError("quota_exceeded", "Enough");
      return { principal };
    },
    isolate,
    context,
    inlineBytes: 10,
    runtime: testRuntime({ monotonic: () => (clock += 5) }),
    observe: (result) => results.push(result),
  });
  return { runner, results, counted: () => counted };
}
const principal = { kind: "anonymous", ip: "192.0.2.1" } as const;
const isolated = async (): Promise<{ body: string }> => ({ body: "from afar" });

describe("tickets", () => {
  test("one run per ticket; a second run, or a ticket that was not issued, is a bug", async () => {
    const { runner } = openRunner(isolated);
    const ticket = await runner.admit(principal);
    expect((await runner.run(call("echo-parser", "hi"), ticket)).body).toBe("hi");
    await expect(runner.run(call("echo-parser", "hi"), ticket)).rejects.toThrow("ticket");
    await expect(runner.run(call("echo-parser", "hi"), { principal })).rejects.toThrow("ticket");
  });

  test("counting comes first: a call refused there never reaches a tool or the observer", async () => {
    const { runner, results } = openRunner(isolated);
    for (let index = 0; index < 3; index++) await runner.admit(principal);
    await expect(runner.admit(principal)).rejects.toMatchObject({ code: "quota_exceeded" });
    expect(results).toEqual([]);
  });
});

describe("further tickets", () => {
  /** As many requests as the window has left. */
  function openWindow(left: number) {
    const asked: number[] = [];
    let used = 0;
    const runner = createRunner({
      catalog: createCatalog({ test: listOf([echo]) }),
      async admit(who, requests): Promise<Ticket> {
        asked.push(requests);
        if (used + requests > left) throw new ToolError("quota_exceeded", "Enough");
        used += requests;
        return { principal: who, quota: { limit: left, used, remaining: left - used, resetAt: 1 } };
      },
      isolate: isolated,
      context,
      inlineBytes: 100,
      runtime: testRuntime({ monotonic: () => 0 }),
      observe: () => {},
    });
    return { runner, asked };
  }

  test("each is valid for one run; the first still is, with its quota updated", async () => {
    const { runner, asked } = openWindow(4);
    const first = await runner.admit(principal);
    const { quota } = first;
    const more = await runner.admitMore(first, 3);
    expect(asked).toEqual([1, 3]);
    expect(first.quota).toBe(quota);
    expect(quota).toMatchObject({ used: 4, remaining: 0 });
    for (const ticket of [first, ...more]) {
      expect((await runner.run(call("echo-parser", "hi"), ticket)).body).toBe("hi");
      await expect(runner.run(call("echo-parser", "hi"), ticket)).rejects.toThrow("ticket");
    }
    expect(more).toHaveLength(3);
  });

  test("all or none: a request that does not fit leaves the first unchanged", async () => {
    const { runner } = openWindow(3);
    const first = await runner.admit(principal);
    await expect(runner.admitMore(first, 3)).rejects.toMatchObject({ code: "quota_exceeded" });
    expect(first.quota).toMatchObject({ used: 1, remaining: 2 });
    expect(await runner.admitMore(first, 2)).toHaveLength(2);
  });

  test("zero further tickets count nothing", async () => {
    const { runner, asked } = openWindow(1);
    expect(await runner.admitMore(await runner.admit(principal), 0)).toEqual([]);
    expect(asked).toEqual([1]);
  });
});

describe("where a call runs", () => {
  test("is one number for each tool", () => {
    const { runner } = openRunner(isolated);
    expect(runner.maxInlineBytes(tool("echo-parser"))).toBe(10);
    expect(runner.maxInlineBytes(tool("away-parser"))).toBe(-1);
    expect(runner.maxInlineBytes()).toBe(10);
  });

  test("a worker gets a call that can be sent to it, without the tool", async () => {
    const sent: Call[] = [];
    const { runner } = openRunner(async (one) => {
      sent.push(structuredClone(one));
      return { body: "" };
    });
    await runner.run(call("away-parser", "hi"), await runner.admit(principal));
    expect(sent).toEqual([
      {
        slug: "away-parser",
        body: { kind: "raw", bytes: new Uint8Array([104, 105]), text: true, options: [] },
        form: "text",
        check: false,
      },
    ]);
  });

  test.each([
    ["echo-parser", "short", "short"],
    ["echo-parser", "longer than it may be", "from afar"],
    ["away-parser", "", "from afar"],
    ["large-parser", "a", "here"],
    ["large-parser", "aa", "from afar"],
  ])("%s with %j", async (slug, data, body) => {
    const { runner, results } = openRunner(isolated);
    expect((await runner.run(call(slug, data), await runner.admit(principal))).body).toBe(body);
    expect(results).toMatchObject([
      {
        slug,
        principal,
        outcome: "ok",
        isolated: body === "from afar",
        inputBytes: data.length,
        outputBytes: body.length,
        duration: 5,
      },
    ]);
  });
});

describe("a report", () => {
  const run = async (form: ToolCall["form"], one = call("strict-validator", "hi")): Promise<Answer> => {
    const { runner } = openRunner(isolated);
    return runner.run({ ...one, form }, await runner.admit(principal));
  };

  test("is returned beside the text in the form report, and only there", async () => {
    const report = { valid: false, errors: [finding] };
    expect(await run("report")).toEqual({ body: JSON.stringify(report, null, 2), valid: false, report });
    for (const form of ["json", "text", "bytes"] as const) {
      expect(await run(form)).toMatchObject({ valid: false });
      expect(await run(form)).not.toHaveProperty("report");
    }
  });

  test("is that of the check for a formatter, and absent from a plain result", async () => {
    const formatter = { ...call("echo-parser", "hi"), check: true };
    const checked = { ...formatter, tool: { ...formatter.tool, check: "change" as const } };
    expect(await run("report", checked)).toMatchObject({ valid: true, report: { valid: true, errors: [] } });
    expect(await run("report", call("echo-parser", "hi"))).toEqual({ body: "hi" });
  });
});

describe("the observer is called once, at every end", () => {
  const tellOf = async (one: ToolCall, isolate = isolated, signal?: AbortSignal): Promise<RunResult[]> => {
    const { runner, results } = openRunner(isolate);
    await expect(runner.run(one, await runner.admit(principal), signal)).rejects.toBeDefined();
    return results;
  };

  test("a refusal by its code", async () => {
    const refused = async (): Promise<never> => {
      throw new ToolError("deadline_exceeded", "Too long");
    };
    expect(await tellOf(call("away-parser", ""), refused)).toMatchObject([
      { outcome: "deadline_exceeded", outputBytes: 0 },
    ]);
  });

  test("a bug with the error, for the log", async () => {
    const [result] = await tellOf(call("echo-parser", "bug"));
    expect(result).toMatchObject({ outcome: "internal" });
    expect(result?.error).toBeInstanceOf(TypeError);
  });

  test("a disconnected caller, as no fault", async () => {
    const caller = new AbortController();
    const gone = async (): Promise<never> => {
      caller.abort();
      throw caller.signal.reason;
    };
    const [result] = await tellOf(call("away-parser", ""), gone, caller.signal);
    expect(result).toMatchObject({ outcome: "cancelled" });
    expect(result).not.toHaveProperty("error");
  });
});
