import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import tool from "../../../src/tools/data/json-to-types.ts";
import { atHand } from "../../support/at-hand.ts";
import { drawSeed } from "../../support/cases.ts";
import { runTool } from "../../unit/tools/run-tool.ts";

const key = fc.oneof(
  fc.constantFrom(
    "a",
    "b",
    "userId",
    "user_id",
    "$x",
    "a-b",
    "class",
    "type",
    "__proto__",
    "1",
    "é",
    "",
    "list",
    "string",
    "fn",
    "self",
  ),
  fc.string({ maxLength: 4 }),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<unknown>(null, true, 1, 1.5, 2 ** 40, "a", "2026-01-02T03:04:05Z"),
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(key, tie("any"), { minKeys: 1, maxKeys: 5 }),
  ),
})).any;
const documents = fc
  .sample(fc.dictionary(key, value, { minKeys: 1, maxKeys: 6 }), { numRuns: 60, seed: drawSeed() })
  .map((document) => JSON.stringify(document));

const writeAll = (language: string): Promise<string[]> =>
  Promise.all(documents.map((data) => runTool(tool, { data, language })));

/** Writes files to a new folder and runs a compiler there; returns its messages. */
function compile(
  files: Readonly<Record<string, string>>,
  program: string,
  args: readonly string[],
  parent = tmpdir(),
): string {
  const folder = mkdtempSync(join(parent, "types-"));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: folder, encoding: "utf8" });
    return error === undefined && status === 0
      ? ""
      : `${error?.message ?? ""}${stdout}${stderr}`.slice(0, 4000);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("tsc compiles the interfaces, and each document is a value of its type", async () => {
  const files = (await writeAll("typescript")).map((text, at) => [
    `a${at}.ts`,
    // A literal with __proto__ would be an object with a prototype.
    `${text}\nexport const value: Root = ${(documents[at] as string).replaceAll('"__proto__":', '["__proto__"]:')};\n`,
  ]);
  const names = files.map(([name]) => name as string);
  const args = [
    "--noEmit",
    "--strict",
    "--skipLibCheck",
    "--ignoreConfig",
    "--types",
    "",
    "--target",
    "es2022",
    ...names,
  ];
  expect(compile(Object.fromEntries(files) as Record<string, string>, "tsc", args)).toBe("");
});

test.runIf(atHand("python3"))("Python runs the data classes", async () => {
  const files = (await writeAll("python")).map((text, at) => [`a${at}.py`, text]);
  const all = `${files.map(([name = ""]) => `import ${name.slice(0, -3)}`).join("\n")}\n`;
  expect(
    compile({ ...(Object.fromEntries(files) as Record<string, string>), "all.py": all }, "python3", [
      "all.py",
    ]),
  ).toBe("");
});

test.runIf(atHand("python3"))("Python parses the models of pydantic", async () => {
  const files = (await writeAll("pydantic")).map((text, at) => [`a${at}.py`, text]);
  const names = files.map(([name]) => name as string);
  expect(
    compile(Object.fromEntries(files) as Record<string, string>, "python3", ["-m", "py_compile", ...names]),
  ).toBe("");
});

test.runIf(atHand("rustc"))("rustc compiles the structs", async () => {
  // Without the crates that they use.
  const modules = (await writeAll("rust")).map((text, at) => {
    const plain = text
      .replaceAll(/^use .*$|^ *#\[serde\(.*\)\]$/gm, "")
      .replaceAll(", Serialize, Deserialize", "");
    return `pub mod a${at} {\nuse crate::serde_json;\n${plain}\n}\n`;
  });
  const crate =
    "pub mod serde_json {\n#[derive(Debug, Clone, PartialEq)] pub struct Value;\npub type Number = Value;\n}\n";
  const args = ["--edition", "2021", "--crate-type", "lib", "--emit", "metadata", "-A", "warnings", "lib.rs"];
  expect(compile({ "lib.rs": crate + modules.join("") }, "rustc", args)).toBe("");
});

test.runIf(atHand("javac"))("javac compiles the records", async () => {
  const annotation = (name: string): [string, string] => [
    `com/fasterxml/jackson/annotation/${name}.java`,
    `package com.fasterxml.jackson.annotation;\npublic @interface ${name} { String value() default ""; }\n`,
  ];
  const files = (await writeAll("java")).map((text, at): [string, string] => [
    `a${at}/Root.java`,
    `package a${at};\n${text}`,
  ]);
  const all = Object.fromEntries([...files, annotation("JsonProperty"), annotation("JsonValue")]);
  expect(compile(all, "javac", ["-d", "out", "-nowarn", "-encoding", "UTF-8", ...Object.keys(all)])).toBe("");
});
