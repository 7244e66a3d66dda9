import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import escaper from "../../../src/tools/encoding/string-escaper.ts";
import { runTool } from "../../unit/tools/run-tool.ts";

test("writes words that a shell passes on unchanged", async () => {
  const words = [
    "it's",
    "$(id) `id` $HOME",
    "a\nb",
    "-n",
    "",
    "\\",
    '"',
    "*?[a]",
    "~",
    "é👋",
    "a'\"'b",
    "!x",
  ];
  const escaped = await Promise.all(words.map((data) => runTool(escaper, { data, language: "shell" })));
  const output = execFileSync("/bin/sh", ["-c", `printf '%s\\0' ${escaped.join(" ")}`]).toString();
  expect(output.split("\0").slice(0, -1)).toEqual(words);
});
