import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import tool from "../../../src/tools/data/json-to-types.ts";
import { atHand, isInstalled } from "../../support/at-hand.ts";
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

const writeAll = (language: string, options: Record<string, unknown> = {}): Promise<string[]> =>
  Promise.all(documents.map((data) => runTool(tool, { data, language, ...options })));

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

const dates = ["string", "native"];

// No machine requires Go and Mono, which are large. Debian 12 has no compiler of Swift, and Kotlin 1.3 only, of 287 MB.
test.runIf(isInstalled("gofmt")).each(dates)(
  "gofmt parses the structs and would not change them, with dates as %s",
  async (kind) => {
    const files = (await writeAll("go", { dates: kind })).map((text, at) => [`a${at}.go`, text]);
    expect(compile(Object.fromEntries(files) as Record<string, string>, "sh", ["-c", unformatted])).toBe("");
  },
);

/** Fails with the names of files that gofmt would change. */
const unformatted = 'changed=$(gofmt -e -d .) && test -z "$changed" || { echo "$changed"; exit 1; }';

test.runIf(isInstalled("go")).each(dates)("go vet accepts the structs, with dates as %s", async (kind) => {
  const files = (await writeAll("go", { dates: kind })).map((text, at) => [`a${at}/root.go`, text]);
  const all = { ...(Object.fromEntries(files) as Record<string, string>), "go.mod": "module a\n\ngo 1.19\n" };
  const vet = 'GOCACHE="$PWD/.cache" GOPROXY=off GOTOOLCHAIN=local GOFLAGS= go vet ./...';
  expect(compile(all, "sh", ["-c", vet])).toBe("");
});

test.runIf(isInstalled("mcs")).each(dates)("mcs compiles the records, with dates as %s", async (kind) => {
  // Mono reads C# 7, which has no records, no required members and no reference types that may be null.
  const files = (await writeAll("csharp", { dates: kind })).map((text, at): [string, string] => {
    const older = text
      .replace("#nullable enable", "")
      .replaceAll(/^public sealed (?:record|class) (.*?)(;?)$/gm, (_, name: string, end: string) =>
        end === "" ? `public class ${name}` : `public class ${name} {}`,
      )
      .replaceAll(
        /^( {4}public )(?:required )?(.*) (\w+) \{ get; init; \}$/gm,
        (_, start, type: string, name) => {
          const known = type.replaceAll(
            /(?<!\b(?:bool|long|double|decimal|DateTimeOffset|JsonElement))\?/g,
            "",
          );
          return `${start}${known} ${name} { get; set; }`;
        },
      );
    return [`a${at}.cs`, `namespace A${at} {\n${older}\n}\n`];
  });
  const library = [
    "namespace System.Text.Json { public struct JsonElement { } }",
    "namespace System.Text.Json.Serialization {",
    "  public class JsonPropertyName : System.Attribute { public JsonPropertyName(string name) { } }",
    "}\n",
  ];
  const all = { ...Object.fromEntries(files), "json.cs": library.join("\n") };
  expect(compile(all, "mcs", ["-target:library", "-out:all.dll", ...Object.keys(all)])).toBe("");
});

test.runIf(atHand("protoc")).each(dates)("protoc compiles the messages, with dates as %s", async (kind) => {
  const files = (await writeAll("proto3", { dates: kind })).map((text, at): [string, string] => [
    `a${at}.proto`,
    text.replace('syntax = "proto3";', `syntax = "proto3";\npackage a${at};`),
  ]);
  // Debian has those of Google in a package of its own.
  const library = (...names: string[]): string =>
    `syntax = "proto3";\npackage google.protobuf;\n${names.map((name) => `message ${name} {}\n`).join("")}`;
  const all = {
    ...Object.fromEntries(files),
    "google/protobuf/struct.proto": library("Value", "ListValue"),
    "google/protobuf/timestamp.proto": library("Timestamp"),
  };
  const names = files.map(([name]) => name);
  expect(compile(all, "protoc", ["--proto_path=.", "--descriptor_set_out=all.pb", ...names])).toBe("");
});
