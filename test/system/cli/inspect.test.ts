import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tools } from "../../../src/tools/index.ts";
import { makeFolder, penknife } from "./host.ts";

const slugs = Object.values(tools).flatMap((category) => Object.keys(category));

describe("tools", () => {
  test("prints lines for scripts, a table on a terminal, and JSON", async () => {
    const lines = (await penknife(["tools"])).stdout.split("\n");
    expect(lines.map((line) => line.split("\t")[0])).toEqual([...slugs, ""]);
    const shown = (await penknife(["tools"], { env: { NO_COLOR: "1" }, tty: { stdout: true } })).stdout;
    expect(shown).toMatch(new RegExp(`^TOOL +WHAT IT DOES\\n\\ncert\\n${slugs[0]} {2}`));
    expect(shown.match(/^[a-z]+$/gm)).toEqual(Object.keys(tools));
    const { items } = JSON.parse((await penknife(["tools", "--json"])).stdout) as {
      items: { slug: string }[];
    };
    expect(items.map(({ slug }) => slug)).toEqual(slugs);
    expect(Object.keys(items[0] ?? {})).toEqual([
      "slug",
      "title",
      "summary",
      "category",
      "accepts",
      "aliases",
      "version",
      "deterministic",
      "checkable",
    ]);
  });

  test("finds a tool by any name, one a line, the best first", async () => {
    const { status, stdout, stderr } = await penknife(["tools", "md5"]);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^hash-generator\tCompute .*\n(?:.+\n)*checksum-verifier\t/);
    // Several words may be one argument.
    const words = await penknife(["tools", "pretty", "print", "json"]);
    expect(words.stdout).toMatch(/^json-formatter\t/);
    expect(await penknife(["tools", "pretty print json"])).toEqual(words);
    const { items } = JSON.parse((await penknife(["tools", "jwt", "--json"])).stdout) as {
      items: { slug: string }[];
    };
    expect(items[0]?.slug).toBe("jwt-decoder");
    const shown = (await penknife(["tools", "jwt"], { tty: { stdout: true } })).stdout;
    expect(shown).toMatch(/^jwt-decoder {2,}Show/);
    for (const line of shown.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
  });

  test("says that no tool is called so", async () => {
    expect(await penknife(["tools", "zzzzzz"])).toMatchObject({
      status: 0,
      stdout: "",
      stderr:
        "No tool is called so. penknife tools lists them all; input-detector names those that fit a document.\n",
    });
    const long = await penknife(["tools", "x".repeat(300)]);
    expect([long.status, long.stderr]).toEqual([2, expect.stringContaining("at most 200 characters")]);
  });

  test("says that the tools found are only the nearest", async () => {
    expect(await penknife(["tools", "blake3"])).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^hash-generator\t/) as string,
      stderr: "No tool is called so. These are the nearest:\n",
    });
    expect((await penknife(["tools", "md5"])).stderr).toBe("");
    const found = async (query: string): Promise<unknown> =>
      JSON.parse((await penknife(["tools", query, "--json"])).stdout);
    expect(await found("gzip")).toMatchObject({
      items: [{ slug: "base64-encoder" }, {}, {}],
      onlyNearest: true,
    });
    expect(await found("md5")).toMatchObject({ onlyNearest: false });
    expect(await found("zzzzzz")).toEqual({ items: [], onlyNearest: true });
  });

  test("leaves out disabled tools", async () => {
    const env = { PENKNIFE_TOOLS_DISABLED: "json-formatter" };
    expect((await penknife(["tools"], { env })).stdout).not.toContain("json-formatter");
    expect((await penknife(["tools", "json-formatter"], { env })).stdout).not.toContain("json-formatter");
    const wrong = await penknife(["tools"], { env: { PENKNIFE_TOOLS_DISABLED: "json-formater" } });
    expect(wrong).toMatchObject({ status: 2, stdout: "" });
    expect(wrong.stderr).toContain("did you mean json-formatter?");
  });
});

describe("config", () => {
  test("shows each value with its origin", async () => {
    const cwd = makeFolder({ "penknife.yaml": "server:\n  host: 10.0.0.1\n" });
    const { status, stdout } = await penknife(["config", "--data", "/d"], {
      cwd,
      env: { PENKNIFE_SERVER_PORT: "99" },
    });
    expect(status).toBe(0);
    for (const line of [
      "server.host\t10.0.0.1\tfile ./penknife.yaml",
      "server.port\t99\tenvironment PENKNIFE_SERVER_PORT",
      "server.trustedProxies\t[]\tdefault",
      "storage.path\t/d\tflag --data",
    ]) {
      expect(stdout.split("\n")).toContain(line);
    }
  });

  test("masks secrets of any origin", async () => {
    const cwd = makeFolder({ token: "s3cret-of-file\n" });
    for (const env of [
      { PENKNIFE_METRICS_TOKEN: "s3cret-of-file" },
      { PENKNIFE_METRICS_TOKEN_FILE: join(cwd, "token") },
      { PENKNIFE_STORAGE_ENCRYPTION_KEY: Buffer.from("s3cret-of-32-bytes-or-of-so-many").toString("hex") },
    ] as Record<string, string>[]) {
      for (const argv of [["config"], ["config", "--json"]]) {
        const { stdout, stderr } = await penknife(argv, { env });
        expect(`${stdout}${stderr}`).not.toContain("s3cret");
        expect(stdout).not.toContain(Buffer.from("s3cret").toString("hex"));
        expect(stdout).toContain("********");
      }
    }
    expect((await penknife(["config"])).stdout).toContain('metrics.token\t""\tdefault');
  });

  test("--json keeps the types", async () => {
    const { items } = JSON.parse((await penknife(["config", "--json"])).stdout) as { items: object[] };
    expect(items).toContainEqual({ option: "server.port", value: 8787, origin: "default" });
    expect(items).toContainEqual({ option: "tools.disabled", value: [], origin: "default" });
  });

  test("an invalid one gives exit status 2 and one sentence, for every command", async () => {
    const env = { PENKNIFE_SERVER_PORT: "many" };
    for (const line of ["config", "tools", "healthcheck", "serve", "run uuid-generator", "admin usage"]) {
      expect(await penknife(line.split(" "), { env })).toMatchObject({
        status: 2,
        stdout: "",
        stderr: 'penknife: PENKNIFE_SERVER_PORT must be an integer, got "many".\n',
      });
    }
  });

  test("names a file that is a folder", async () => {
    const cwd = makeFolder();
    const { status, stderr } = await penknife(["config", "--config", cwd]);
    expect(status).toBe(2);
    expect(stderr).toBe(`penknife: ${cwd} cannot be read: it is a folder\n`);
  });
});

test("prints the licences that the build collected", async () => {
  expect(await penknife(["licenses"])).toMatchObject({ status: 0, stdout: "MIT\n" });
  const ran = await penknife(["licenses"], { program: { licenses: async () => undefined } });
  expect(ran).toMatchObject({ status: 2, stdout: "" });
});

describe("every command refuses an invalid configuration with the same message", () => {
  test.each([
    [
      "PENKNIFE_SERVER_TRUSTED_PROXIES",
      "10.0.0.0/8,proxy",
      /server\.trustedProxies .* must be an address .*, got "proxy"\./,
    ],
    [
      "PENKNIFE_TOOLS_DISABLED",
      "json-formater",
      /tools\.disabled .*"json-formater" is no tool; .*json-formatter\?/,
    ],
  ])("%s=%s", async (name, value, message) => {
    const lines = [
      "config",
      "config --json",
      "tools",
      "run json-formatter",
      "check json-validator -",
      "serve",
      "healthcheck",
      `admin accounts list --data ${makeFolder()}`,
    ];
    for (const line of lines) {
      const ran = await penknife(line.split(" "), { env: { [name]: value }, stdin: "1" });
      expect(ran, line).toMatchObject({ status: 2, stdout: "" });
      expect(ran.stderr, line).toMatch(message);
      expect(ran.stderr, line).toMatch(new RegExp(`^penknife: [^\n]*\\(environment ${name}\\):? [^\n]*\n$`));
    }
  });
});
