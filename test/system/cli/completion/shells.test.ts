import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { atHand } from "../../../support/at-hand.ts";
import { program } from "../spawn.ts";

// The real shells complete lines: bash and zsh interactively, fish with its own command for this.

const folder = mkdtempSync(join(tmpdir(), "penknife-completion-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const place = (path: string, content: string): void => {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), content);
};

place("bin/penknife", `#!/bin/sh\nexec ${program.map((word) => `'${word}'`).join(" ")} "$@"\n`);
chmodSync(join(folder, "bin/penknife"), 0o755);
// The folders of `make install`.
const scripts = {
  bash: "share/bash-completion/completions/penknife",
  zsh: "share/zsh/site-functions/_penknife",
  fish: "share/fish/vendor_completions.d/penknife.fish",
};
for (const [shell, path] of Object.entries(scripts))
  place(path, execFileSync(join(folder, "bin/penknife"), ["completion", shell], { encoding: "utf8" }));

for (const name of ["work/a b.json", "work/x:y.json", "work/dir z/file", "work/penknife.yaml"])
  place(name, "");
place("work/pipelines/2024.yaml", "title: Of the year\nsteps: [{tool: json-formatter}]\n");

const env = {
  PATH: `${folder}/bin:${process.env.PATH}`,
  HOME: folder,
  TERM: "xterm",
  LC_ALL: "C.UTF-8",
  XDG_DATA_DIRS: `${folder}/share:/usr/share`,
  SITE: join(folder, "share/zsh/site-functions"),
  OUT: folder,
};

/** Runs a shell in the folder of work. @returns what it printed, on both streams */
function run(shell: string, args: readonly string[], input: string): string {
  const ran = spawnSync(shell, args, {
    cwd: join(folder, "work"),
    env,
    input,
    encoding: "utf8",
    timeout: 110_000,
  });
  if (ran.error !== undefined) throw ran.error;
  return ran.stdout + ran.stderr;
}

/** A line at whose end Tab is pressed, and the line that results. */
const lines: [typed: string, completed: string][] = [
  ["penknife ver", "penknife version "],
  ["penknife admin keys issue --acc", "penknife admin keys issue --account "],
  ["penknife run json-form", "penknife run json-formatter "],
  ["penknife run 20", "penknife run 2024 "],
  ["penknife run json-formatter --no-new", "penknife run json-formatter --no-newline "],
  ["penknife run base64-decoder --output-encoding h", "penknife run base64-decoder --output-encoding hex "],
  ["penknife run base64-decoder --output-encoding=h", "penknife run base64-decoder --output-encoding=hex"],
  ["penknife run json-formatter a", String.raw`penknife run json-formatter a\ b.json `],
  ["penknife run json-formatter --out a", String.raw`penknife run json-formatter --out a\ b.json `],
  ["penknife check --output jun", "penknife check --output junit="],
  ["penknife check --output junit=a", String.raw`penknife check --output junit=a\ b.json `],
  ["penknife --data d", String.raw`penknife --data dir\ z/`],
  // No file is wanted here.
  ["penknife admin keys issue --account a", "penknife admin keys issue --account a"],
  // What is typed is not evaluated.
  ["penknife run '$(touch owned)' json-form", "penknife run '$(touch owned)' json-form"],
  ["penknife run `touch owned` --ind", "penknife run `touch owned` --ind"],
];

const typed = lines.map(([line]) => line);
const completed = lines.map(([, line]) => line);
/** Types lines into an interactive bash that has run `first`. @returns the lines after `key` */
function typeIntoBash(words: readonly string[], first: string, key = "\t"): string[] {
  const out = join(folder, "lines");
  rmSync(out, { force: true });
  const note = `bind -x '"\\C-g": printf "%s\\n" "$READLINE_LINE" >> "$OUT/lines"'`;
  const keys = words.map((line) => `${line}${key}\x07\x15`).join("");
  const shown = run("bash", ["--norc", "--noprofile", "-i"], `${first}\n${note}\n${keys}\nexit\n`);
  if (!existsSync(out)) throw new Error(shown);
  return readFileSync(out, "utf8").trimEnd().split("\n");
}

const owned = () => existsSync(join(folder, "work/owned"));

describe.skipIf(!atHand("bash"))("bash", () => {
  const options = `bind 'set show-all-if-ambiguous on'`;

  test("without bash-completion", () => {
    const got = typeIntoBash(typed, `${options}\nsource "$HOME/${scripts.bash}"`);
    expect(got.map((line) => line.trimEnd())).toEqual(completed.map((line) => line.trimEnd()));
    expect(owned()).toBe(false);
  });

  test("inserts every candidate, and escapes what it must in names", () => {
    const got = typeIntoBash(
      ["penknife run json-s", "penknife run json-formatter x"],
      `${options}\nsource <(penknife completion bash)`,
      // insert-completions
      "\x1b*",
    );
    expect(got.map((line) => line.trimEnd())).toEqual([
      "penknife run json-schema-generator json-schema-validator json-sorter",
      String.raw`penknife run json-formatter x\:y.json`,
    ]);
  });

  const library = "/usr/share/bash-completion/bash_completion";
  test.skipIf(!existsSync(library) && process.env.TEST_MACHINE !== "required")(
    "with bash-completion, which loads the script when it is needed",
    () => {
      const some = [0, 3, 6, 7];
      const got = typeIntoBash(
        some.map((at) => typed[at] ?? ""),
        `source ${library}`,
      );
      expect(got.map((line) => line.trimEnd())).toEqual(some.map((at) => completed[at]?.trimEnd()));
    },
  );
});

describe.skipIf(!atHand("zsh"))("zsh", () => {
  test("completes lines, and lists candidates with their descriptions", () => {
    const drive = new URL("drive.zsh", import.meta.url).pathname;
    const typedHere = [...typed, "penknife run json-s"];
    const shown = run("zsh", ["-f", drive], `${typedHere.join("\n")}\n`);
    const [ready, ...got] = readFileSync(join(folder, "lines"), "utf8").trimEnd().split("\n");
    expect(ready).toBe("ready");
    expect(got.map((line) => line.trimEnd())).toEqual(
      [...completed, "penknife run json-s"].map((line) => line.trimEnd()),
    );
    expect(shown).toMatch(/json-sorter +-- Sort the keys of objects/);
    expect(owned()).toBe(false);
  });
});

describe.skipIf(!atHand("fish"))("fish", () => {
  const asked = [
    ...typed,
    "penknife run json-so",
    "penknife run json-formatter --out=a",
    "penknife --data=d",
  ];

  test("completes words, with their descriptions", () => {
    const loop = `while read -l line; echo "> $line"; complete -C "$line"; end`;
    const [, ...answers] = run(
      "fish",
      ["--no-config", "-c", `source "$HOME/${scripts.fish}"; ${loop}`],
      `${asked.join("\n")}\n`,
    ).split("> ");
    const got = answers.map((answer) => answer.trimEnd().split("\n").slice(1));
    expect(answers.map((answer) => answer.split("\n")[0])).toEqual(asked);
    const words = got.map((candidates) => candidates.map((candidate) => candidate.split("\t")[0]));
    const expected = [
      ["version"],
      ["--account"],
      ["json-formatter"],
      ["2024"],
      ["--no-newline"],
      ["hex"],
      ["--output-encoding=hex"],
      ["a b.json"],
      ["a b.json"],
      ["junit="],
      ["junit=a b.json"],
      ["dir z/"],
      [],
      [],
      [],
    ];
    expect(words.slice(0, -3)).toEqual(expected);
    expect(got.at(-3)).toEqual([expect.stringMatching(/^json-sorter\tSort the keys of objects/)]);
    expect(words.slice(-2)).toEqual([["--out=a b.json"], ["--data=dir z/"]]);
    expect(owned()).toBe(false);
  });
});
