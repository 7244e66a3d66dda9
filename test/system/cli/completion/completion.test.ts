import { mkdirSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createCatalog } from "../../../../src/catalog/catalog.ts";
import { fieldsOf } from "../../../../src/catalog/fields.ts";
import { tools } from "../../../../src/tools/index.ts";
import { makeFolder, penknife } from "../host.ts";

/** Completes the last of these words. */
async function complete(words: readonly string[], { shell = "fish", cwd = makeFolder() } = {}) {
  const { status, stdout, stderr } = await penknife(["completion", shell, "--", ...words], { cwd });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const [paths, ...lines] = stdout.trimEnd().split("\n");
  const candidates = lines.map((line) => line.split("\t"));
  return { paths, candidates, words: candidates.map(([word]) => word) };
}

test("prints a script for each shell", async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    const { status, stdout } = await penknife(["completion", shell]);
    expect(status).toBe(0);
    expect(stdout).toContain(`completion ${shell} -- `);
    expect(stdout).not.toContain("\\${");
  }
  expect(await penknife(["completion", "tcsh"])).toMatchObject({
    status: 2,
    stderr: "penknife: SHELL must be bash, zsh or fish, got tcsh.\n",
  });
});

describe("completes", () => {
  test("commands, with their descriptions", async () => {
    const { words, candidates, paths } = await complete([""]);
    expect(words).toEqual(
      expect.arrayContaining(["serve", "run", "check", "admin", "completion", "version"]),
    );
    expect(candidates).toContainEqual(["tools", expect.stringMatching(/^List the tools/)]);
    expect(paths).toBe("none");
    expect((await complete(["admin", "keys", ""])).words).toEqual([
      "issue",
      "list",
      "show",
      "rotate",
      "revoke",
      "check",
    ]);
    expect((await complete(["help", "admin", "limits", ""])).words).toContain("reset");
  });

  test("tools: all in run and tools, those with a check mode in check", async () => {
    const [run, check, shown] = await Promise.all(
      ["run", "check", "tools"].map(async (command) => (await complete([command, ""])).words),
    );
    expect(run).toContain("base64-encoder");
    expect(shown?.toSorted()).toEqual(run?.toSorted());
    expect(check).toContain("json-validator");
    expect(check).not.toContain("base64-encoder");
  });

  test("for bash only what matches, without descriptions", async () => {
    expect((await complete(["run", "json-s"], { shell: "bash" })).candidates).toEqual([
      ["json-schema-generator"],
      ["json-sorter"],
      ["json-schema-validator"],
    ]);
  });

  test("check without a tool", async () => {
    const { words, paths } = await complete(["check", ""]);
    expect({ words, paths }).toMatchObject({
      paths: "files",
      words: expect.arrayContaining(["json-validator"]),
    });
    expect((await complete(["check", "--"])).words).toEqual(expect.arrayContaining(["--staged", "--config"]));
    expect((await complete(["check", "--staged", "--"])).words).not.toContain("--staged");
    expect((await complete(["check", "a.json", ""])).paths).toBe("files");
    expect((await complete(["check", "--only", ""])).words).toContain("json-validator");
    expect((await complete(["check", "--only=json-v"])).words).toContain("--only=json-validator");
  });

  test("options that can still be given, each switch in the direction that changes something", async () => {
    const { words } = await complete(["run", "json-formatter", "--indent", "2", "--use-tabs", "--"]);
    expect(words).toEqual(
      expect.arrayContaining(["--dialect", "--no-newline", "--config", "--no-color", "--help"]),
    );
    expect(words).not.toContain("--indent");
    expect(words).not.toContain("--use-tabs");
    // `run` refuses it.
    expect(words).not.toContain("--data");
    // It can be repeated.
    expect((await complete(["run", "json-redactor", "--paths", "/a", "--"])).words).toContain("--paths");
    // A text and its file exclude each other.
    expect((await complete(["run", "json-differ", "--other", "1", "--"])).words).not.toContain(
      "--other-file",
    );
    expect((await complete(["--"])).words).toEqual([
      "--config",
      "--data",
      "--no-color",
      "--version",
      "--help",
    ]);
    expect((await complete(["run", "-"])).words).toContain("--pipeline");
  });

  test.each([
    [
      ["run", "base64-decoder", "--output-encoding", ""],
      ["utf8", "hex", "base64"],
    ],
    [
      ["run", "base64-decoder", "--output-encoding="],
      ["--output-encoding=utf8", "--output-encoding=hex", "--output-encoding=base64"],
    ],
    [
      ["admin", "accounts", "create", "ci", "--plan", ""],
      ["pro", "team", "free"],
    ],
    [
      ["run", "json-formatter", "--use-tabs="],
      ["--use-tabs=true", "--use-tabs=false"],
    ],
    [
      ["completion", ""],
      ["bash", "zsh", "fish"],
    ],
    [["admin", "keys", "issue", "--account", ""], []],
  ])("the values of a choice: %j", async (words, values) => {
    expect(await complete(words)).toMatchObject({ words: values, paths: "none" });
  });

  test.each([
    [["run", "json-formatter", ""], "files"],
    [["run", "json-formatter", "--", "-"], "files"],
    [["run", "json-differ", "a.json", ""], "files"],
    [["check", "json-validator", "a.json", "b.json", ""], "files"],
    [["run", "json-schema-validator", "--schema-file", ""], "files"],
    [["run", "json-schema-validator", "--schema-file="], "files"],
    [["run", "-p", ""], "files"],
    [["--config", ""], "files"],
    [["--config="], "files"],
    [["--config", "x.yaml", "--data", ""], "folders"],
    [["check", "--output", "sarif=a"], "part"],
    [["check", "json-validator", "--output=sarif="], "part"],
    [["admin", "restore", ""], "files"],
    [["admin", "keys", "list", ""], "none"],
    [["run", "json-formatter", "a.json", ""], "none"],
    [["nope", ""], "none"],
    [["run", "nope", "--"], "none"],
  ])("a path where one may stand: %j", async (words, paths) => {
    expect((await complete(words)).paths).toBe(paths);
  });

  test("the format of a report before its file", async () => {
    expect((await complete(["check", "--output", ""])).words).toContain("junit=");
    expect((await complete(["check", "--output="])).words).toContain("--output=junit=");
  });

  test("an option where no argument is left", async () => {
    expect((await complete(["run", "json-formatter", "a.json", ""])).words).toContain("--indent");
  });

  test("pipelines of the installation, the broken ones left out", async () => {
    const cwd = makeFolder({ "penknife.yaml": "" });
    mkdirSync(`${cwd}/pipelines`);
    writeFileSync(`${cwd}/pipelines/2024.yaml`, "title: Of the year\nsteps: [{tool: json-formatter}]\n");
    writeFileSync(`${cwd}/pipelines/broken.yaml`, "steps: 1\n");
    for (const command of ["run", "tools"]) {
      const { words } = await complete([command, ""], { cwd });
      expect(words).toContain("2024");
      expect(words).not.toContain("broken");
    }
    const elsewhere = ["--config", `${cwd}/penknife.yaml`, "run", ""];
    expect((await complete(elsewhere, { cwd: makeFolder() })).words).toContain("2024");
    writeFileSync(`${cwd}/penknife.yaml`, "nope");
    expect((await complete(["run", "json-formatter", "--ind"], { cwd })).paths).toBe("none");
  });
});

test("no candidate needs quoting in a shell", async () => {
  for (const { slug, input } of await createCatalog(tools).all())
    for (const { name, values = [] } of fieldsOf(input))
      for (const value of values) expect(`${slug} ${name} ${value}`).toMatch(/^[\w. +-]+$/);
});
