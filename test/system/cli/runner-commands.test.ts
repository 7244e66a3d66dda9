import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toJson } from "../../../src/surfaces/cli/json.ts";
import { withoutCommand, visible, visibleLine, visibleLines } from "../../../src/surfaces/cli/visible.ts";
import { type Given, makeFolder, penknife as runHere, shareWorkers } from "./host.ts";

const program = shareWorkers();
const penknife = (argv: readonly string[], given: Given = {}) => runHere(argv, { program, ...given });

/** Text in a log that a CI runner reads as a command. */
function findCommands(log: string): string[] {
  // Runners split lines at each of these, and GitHub's ignores white space before `::`.
  const lines = log.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/);
  return [
    // The runner looks for the end of the command, a second `::`.
    ...lines.filter((line) => /^\s*::.*::/.test(line)),
    ...lines.filter((line) => /##[a-z]*\[/i.test(line)),
    ...(log.includes("\u001b[0K") ? [log] : []),
  ];
}

const attacks = [
  "::error::x",
  " ::add-path::/evil",
  "\u3000::warning::x",
  "\n::error::x",
  "\r::error::x",
  "\v::error::x",
  "\u2028::error::x",
  "\u0085::error::x",
  "##[error]x",
  "a ##[group]x",
  "##vso[task.setvariable variable=PATH]x",
  "##teamcity[buildStop]",
  "section_start:1:x\r\u001b[0Kx",
];

test("the attacks of this test are commands", () => {
  for (const attack of attacks) expect(findCommands(attack), attack).not.toEqual([]);
});

test("visible text contains no command, and no character is added or lost", () => {
  const piece = fc.constantFrom(
    ...attacks,
    ":",
    "::",
    "#",
    "##",
    "[",
    "a",
    " ",
    "\n",
    "\t",
    "###[",
    "####x[",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const text = pieces.join("");
      expect(findCommands(visibleLine(text))).toEqual([]);
      expect(findCommands(visibleLines(text))).toEqual([]);
      expect(findCommands(withoutCommand(visible(text)))).toEqual([]);
      expect([...visibleLine(text)]).toHaveLength([...text].length);
    }),
    { numRuns: 2000 },
  );
});

test("an address at the start of a line keeps its colons", () => {
  for (const line of ["::1", " ::1:8787 is in use", "::ffff:192.0.2.1, 2001:db8::"])
    expect(visibleLine(line)).toBe(line.includes(", ") ? line.replace("::", "\u2236:") : line);
  expect(visibleLine("::1 is an address")).toBe("::1 is an address");
});

test("JSON of commands has no character that a terminal obeys, and the same values", () => {
  const names = ["a\u009b2Jb", "a\u202eb", "a\u2066b", "a\u007fb", "a\u200fb", "\u{e0001}", "a\u0085b"];
  const text = toJson({ items: names.map((file) => ({ file })) });
  expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(JSON.parse(text)).toEqual({ items: names.map((file) => ({ file })) });
});

test.each(["json", "gitlab", "rdjson", "sarif"])(
  "a report as %s has the name of a file without raw C1 or bidirectional controls",
  async (format) => {
    const name = "a\u009b2J\u202eb.json";
    const cwd = makeFolder({ [name]: "[1 2]" });
    const { stdout, status } = await penknife(["check", "json-validator", "--format", format, "--", name], {
      cwd,
    });
    expect(status).toBe(1);
    expect(stdout).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    expect(() => JSON.parse(stdout) as unknown).not.toThrow();
  },
);

describe("a document, its name or an argument cannot send a command to a CI runner", () => {
  const named = attacks.filter((attack) => !attack.includes("/") && attack !== "");

  test.each(named.map((name) => [name]))("as the name of a file: %j", async (name) => {
    const cwd = makeFolder({ [name]: "[1 2]" });
    for (const format of ["human", "json", "sarif"]) {
      for (const word of [name, "*"]) {
        const ran = await penknife(["check", "json-validator", "--format", format, "--", word], { cwd });
        expect(ran.status).toBe(1);
        expect(findCommands(`${ran.stdout}${ran.stderr}`)).toEqual([]);
      }
    }
    const run = await penknife(["run", "json-formatter", "--", name], { cwd });
    expect(run.status).toBe(1);
    expect(findCommands(run.stderr)).toEqual([]);
  });

  test("a name that starts like a command is shown as a path to the same file", async () => {
    const cwd = makeFolder({ "::error::x": "[1 2]" });
    const { stdout } = await penknife(["check", "json-validator", "--", "*"], { cwd });
    expect(stdout).toMatch(/^\.\/::error::x:1:4: /);
  });

  test.each(attacks.map((attack) => [attack]))("as content and argument: %j", async (attack) => {
    const cwd = makeFolder({ "a.txt": attack, "a.json": `{"a": ${attack}` });
    mkdirSync(join(cwd, "pipelines"));
    writeFileSync(join(cwd, "penknife.yaml"), "");
    const title = JSON.stringify(attack);
    writeFileSync(
      join(cwd, "pipelines", "own.yaml"),
      `title: ${title}\nsummary: ${title}\nsteps: [{tool: json-formatter}]\nexamples: [{title: ${title}, data: "1", result: "1"}]\n`,
    );
    const lines = [
      ["run", "json-formatter", "a.json"],
      ["run", "json-formatter", attack],
      ["run", "json-formatter", "--indent", attack],
      ["run", "json-formatter", `--${attack}`],
      ["run", "json-formatter", "a", attack],
      ["run", "yaml-to-json", "a.json"],
      ["run", "own", "a.json"],
      ["run", attack],
      ["run", "-p", attack],
      ["run", "-p", "a.txt"],
      ["check", "json-validator", "a.json", "a.txt"],
      ["check", "unicode-linter", "a.txt"],
      ["check", "own", "a.json"],
      ["check", "json-validator", `${attack}*`],
      ["check", "json-validator", "--format", attack, "a.json"],
      ["check", "json-validator", "--json", "a.json", `${attack}*`],
      ["tools", attack],
      ["tools", "own"],
      ["tools"],
      ["run", "--help"],
      ["run", "own", "--help"],
      ["config", "--config", attack],
      ["admin", attack],
      [attack],
    ];
    for (const line of lines) {
      const ran = await penknife(line, { cwd });
      expect([line, findCommands(`${ran.stdout}\n${ran.stderr}`)]).toEqual([line, []]);
    }
  });

  test("annotations are the only commands, one for each finding", async () => {
    for (const attack of attacks) {
      const cwd = makeFolder({ "a.json": `{"a": ${attack}` });
      const { stdout } = await penknife(["check", "json-validator", "--format", "github", "a.json"], { cwd });
      const commands = findCommands(stdout);
      expect(commands).toHaveLength(1);
      expect(commands[0]).toMatch(/^::error file=a\.json,line=\d+,col=\d+,title=json-validator\/[a-z-]+::/);
    }
  });
});
