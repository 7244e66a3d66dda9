import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { manPages } from "../../../config/build/man-pages.ts";
import { jqCommand } from "../../../src/surfaces/cli/jq/jq.ts";
import { known } from "../corpora/known.ts";
import { makeFolder, penknife } from "./host.ts";
import { shell } from "./spawn.ts";

const text = readFileSync(new URL("../../../docs/jq.md", import.meta.url), "utf8");
const session = /^```jq\n([^]*?)^```$/m.exec(text)?.[1] ?? "";

test("the examples print what the document says", async () => {
  const commands = session.split("\n").filter((line) => line.startsWith("$ "));
  expect(commands.length).toBeGreaterThan(5);
  // Each command stands above its output.
  const script = commands.map((line) => `cat <<'END'\n${line}\nEND\n${line.slice(2)}\n`).join("");
  const { stdout, stderr, status } = await shell(script, { cwd: makeFolder() });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout.toString()).toBe(session);
});

const options = Object.keys(jqCommand.args ?? {}).filter(
  (name) => !["filter", "file", "config", "data", "color"].includes(name),
);

test("the document names every option of the command", () => {
  for (const name of options) expect(text).toContain(`\`--${name}`);
});

test("completion and the manual know the command and its options", async () => {
  const complete = async (...words: string[]) =>
    (await penknife(["completion", "fish", "--", ...words])).stdout;
  expect(await complete("j")).toMatch(/^jq\tRun a filter of jq/m);
  const offered = await complete("jq", "--");
  const page = (await manPages({ version: "1.2.3", date: new Date(0) })).get("penknife-jq.1") ?? "";
  for (const name of options) {
    expect(offered).toMatch(new RegExp(`^--${name}\t`, "m"));
    expect(page.replaceAll("\\-", "-")).toContain(name);
  }
});

test("the document lists the cases of jq's suite that are answered otherwise", () => {
  const listed = [...text.matchAll(/`(\w+\.test:\d+)`/g)].map(([, name]) => name);
  const rows = known["jq-tests"]?.flatMap(({ cases }) => cases.map((row) => row.split(" ")[0])) ?? [];
  expect(listed.toSorted()).toEqual(rows.toSorted());
});
