import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCatalog } from "../../../src/catalog/catalog.ts";
import { toDefinition } from "../../../src/surfaces/web/tool-page.ts";
import { toPipelineSnippets } from "../../../src/surfaces/web/page/pipelines/snippets.ts";
import { toSnippets } from "../../../src/surfaces/web/page/elsewhere/snippets.ts";
import type { Definition } from "../../../src/surfaces/web/page/tools/definition.ts";
import { tools } from "../../../src/tools/index.ts";
import { cases, maxSeconds } from "../../support/cases.ts";
import { emptyFolder, executable, issueKey, serve, type Server } from "./harness.ts";

// The commands under "Use it elsewhere" on the page of a tool, pasted into a shell unchanged.
const shell = promisify(execFile);
const catalog = createCatalog(tools);
const folder = emptyFolder();
let server: Server;
let key: string;

beforeAll(async () => {
  server = await serve(folder.path, { PENKNIFE_TOOLS_DEADLINE_MS: "60000" });
  key = await issueKey(folder.path, "elsewhere", "team");
  symlinkSync(executable, join(folder.path, "penknife"));
});
afterAll(async () => {
  await server?.stop();
  folder.remove();
});

interface Pasted {
  definition: Definition;
  options: Record<string, unknown>;
  result: string;
}

/** The first example of a tool; its document in data.txt, its secrets in the environment. */
async function prepare(slug: string): Promise<Pasted & { env: Record<string, string> }> {
  const tool = await catalog.get(slug);
  const [example] = tool.examples;
  const { data, ...options } = example?.input ?? {};
  writeFileSync(join(folder.path, "data.txt"), String(data ?? ""));
  const env: Record<string, string> = {
    PATH: `${folder.path}:${process.env["PATH"] ?? ""}`,
    PENKNIFE_KEY: key,
  };
  for (const name of ["key", "secret", "password", "seed"])
    if (typeof options[name] === "string") env[name.toUpperCase()] = options[name];
  const definition = toDefinition(tool, {
    catalog,
    anonymous: false,
    runsInTab: () => true,
  }) as unknown as Definition;
  return { definition, options, result: example?.result ?? "", env };
}

async function paste(text: string, env: Record<string, string>): Promise<string> {
  const { stdout } = await shell("bash", ["-c", text], { cwd: folder.path, env, maxBuffer: 1e8 });
  return stdout;
}

const fixed = catalog.slugs.filter(
  (slug) => !/^(?:ulid|nanoid|uuid|password|token)-generator$|^x509|^certificate/.test(slug),
);

/** Each tool costs three shells. */
const shown = cases(fixed, maxSeconds);

describe("what is pasted", () => {
  it.each(shown)("%s gives its example's result over HTTP and GraphQL", async (slug) => {
    const { definition, options, result, env } = await prepare(slug);
    const [curl, , , graphql] = toSnippets({ definition, options, check: false, url: server.url });
    if ((await catalog.get(slug)).deterministic) expect(await paste(curl?.text ?? "", env)).toBe(result);
    const { data, errors } = JSON.parse(await paste(graphql?.text ?? "", env)) as {
      data: { run: Record<string, { result: string }> };
      errors?: unknown;
    };
    expect(errors).toBeUndefined();
    if ((await catalog.get(slug)).deterministic) expect(Object.values(data.run)[0]?.result).toBe(result);
  });

  it.each(shown)("%s gives its example's result at the command line", async (slug) => {
    const { definition, options, result, env } = await prepare(slug);
    const { PENKNIFE_KEY: _, ...others } = env;
    const [, command] = toSnippets({ definition, options, check: false, url: server.url });
    expect((await paste(`${command?.text ?? ""} || true`, others)).trimEnd()).toBe(result.trimEnd());
  });

  it("a check fails for a document that is not formatted", async () => {
    const { definition, env } = await prepare("json-formatter");
    writeFileSync(join(folder.path, "data.txt"), '{"a":1}');
    const [curl, command, step] = toSnippets({
      definition,
      options: { indent: 4 },
      check: true,
      url: server.url,
    });
    await expect(paste(curl?.text ?? "", env)).rejects.toMatchObject({ code: 22 });
    await expect(paste(command?.text ?? "", { PATH: env["PATH"] ?? "" })).rejects.toMatchObject({ code: 1 });
    expect(step?.text).toBe(
      '- name: "JSON formatter"\n  shell: bash\n  run: |\n    penknife check json-formatter --indent=4 data.txt',
    );
  });

  it("options with quotes, spaces and line ends arrive as they are", async () => {
    const { definition, env } = await prepare("text-replacer");
    const hostile = `'; echo "$(id)" \`id\`\n \\ & < > é 👋`;
    const options = { find: "a", replace: hostile };
    writeFileSync(join(folder.path, "data.txt"), "a");
    const [curl, command, , graphql] = toSnippets({ definition, options, check: false, url: server.url });
    expect(await paste(curl?.text ?? "", env)).toBe(hostile);
    expect(await paste(command?.text ?? "", { PATH: env["PATH"] ?? "" })).toBe(hostile);
    expect(JSON.parse(await paste(graphql?.text ?? "", env))).toMatchObject({
      data: { run: { textReplacer: { result: hostile } } },
    });
  });

  it("shows no secret", async () => {
    const { definition, options } = await prepare("hmac-generator");
    const texts = toSnippets({
      definition,
      options: { ...options, key: "hunter2" },
      check: false,
      url: server.url,
    });
    for (const { text } of texts) expect(text).not.toContain("hunter2");
  });
});

it("a call of a pipeline takes its secrets from the environment", async () => {
  const decoder = await prepare("base64-decoder");
  const hmac = await prepare("hmac-generator");
  const steps = [
    { definition: decoder.definition, options: {} },
    { definition: hmac.definition, options: { key: "a secret", outputEncoding: "base64" } },
  ];
  writeFileSync(join(folder.path, "data.txt"), "aGVsbG8=");
  const [call] = toPipelineSnippets(steps, "house", server.url);
  expect(call?.text).not.toContain("a secret");
  const env = { PATH: process.env["PATH"] ?? "", PENKNIFE_KEY: key, KEY: "a secret" };
  expect(await paste(call?.text ?? "", env)).toBe(
    createHmac("sha256", "a secret").update("hello").digest("base64"),
  );
  expect(toPipelineSnippets([], "house", server.url)).toEqual([]);
});
