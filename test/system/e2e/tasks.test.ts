import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cases, maxSeconds } from "../../support/cases.ts";
import { emptyFolder, executable } from "./harness.ts";

const script = readFileSync(new URL("tasks.sh", import.meta.url), "utf8");
const [files = "", ...sections] = script.split(/^(?=# The tasks: )/m);
const tasks = sections
  .join("")
  .split("\n\n")
  .filter((block) => block.includes("\n"))
  .map(parseTask);

const folder = emptyFolder();
const bin = join(folder.path, "bin");
mkdirSync(bin);
symlinkSync(executable, join(bin, "penknife"));
afterAll(() => folder.remove());

/** Reads a title, a line of the shell, and what the line prints. */
function parseTask(block: string) {
  const [title = "", line = "", ...results] = block.trimEnd().split("\n");
  const marked = (mark: string) =>
    results.filter((result) => result.startsWith(mark)).map((result) => result.slice(mark.length + 1));
  const [status = "0"] = marked("#?");
  const known = results.filter((result) => /^#[>!?]/.test(result));
  if (!title.startsWith("# ") || line.startsWith("#") || known.length === 0 || known.length < results.length)
    throw new Error(`${title}: a task is its title, one line, and what the line prints after #>, #! or #?.`);
  return {
    title: title.replace(/^# /, ""),
    line,
    ran: { status: Number(status), stdout: marked("#>").join("\n"), stderr: marked("#!").join("\n") },
  };
}

function shell(line: string) {
  const { status, stdout, stderr } = spawnSync("bash", ["-c", line], {
    cwd: folder.path,
    env: { PATH: `${bin}:/usr/bin:/bin`, HOME: "/nonexistent" },
    encoding: "utf8",
  });
  return { status, stdout: stdout.replace(/\n$/, ""), stderr: stderr.replace(/\n$/, "") };
}

describe("everyday tasks", () => {
  beforeAll(() => {
    const { status, stderr } = shell(files);
    if (status !== 0) throw new Error(`the files of the tasks were not written: ${stderr}`);
  });

  it("are fifty", () => {
    expect(tasks).toHaveLength(50);
  });

  // The tests of each tool have its options without a process.
  it.each(cases(tasks, maxSeconds))("$title", ({ line, ran }) => {
    expect(shell(line)).toEqual(ran);
  });
});
