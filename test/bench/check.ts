import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPackages } from "../support/install-packages.ts";
import { writeTree } from "./check-trees.ts";
import { measureWatch } from "./check-watch.ts";
import { type Figure, ratios, toFigure } from "./figures.ts";
import type { PartOptions } from "./part.ts";

const peers = fileURLToPath(new URL("peers/", import.meta.url));
const prettier = [process.execPath, join(peers, "node_modules/prettier/bin/prettier.cjs")];
const biome = [join(peers, "node_modules/.bin/biome")];

/** A command line whose time is measured; it must end with status 0. */
interface Entrant {
  name: string;
  command: readonly string[];
  cwd: string;
}

/**
 * Times of whole processes, in turn with those of programs that do the same to the same files: the start of the program, a
 * large repository, a mixed one, and one staged file; and the time from a save to the report of a watch.
 */
export async function check({ quick, command, say }: PartOptions): Promise<Figure[]> {
  await installPackages(peers);
  const folder = mkdtempSync(join(tmpdir(), "penknife-check-"));
  try {
    return [
      ...measureStart(folder, command, quick ? 5 : 31),
      ...measureStaged(folder, command, quick ? 5 : 31),
      ...measureChanged(folder, command, quick ? 1000 : 100_000, quick ? 2 : 5),
      ...measureJson(folder, command, quick ? 1000 : 10_000, quick ? 2 : 5, say),
      ...(await measureWatch(join(folder, "json"), {
        command,
        files: quick ? 1000 : 10_000,
        rounds: quick ? 2 : 11,
      })),
      ...measureMixed(folder, command, quick ? 50 : 500, quick ? 2 : 5, say),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function measureStart(folder: string, ours: readonly string[], rounds: number): Figure[] {
  writeFileSync(join(folder, "small.json"), '{"a":1}');
  const [node, version, run] = timeAll(rounds, [
    { name: "node -e 0", command: [process.execPath, "-e", "0"], cwd: folder },
    { name: "penknife --version", command: [...ours, "--version"], cwd: folder },
    { name: "penknife run", command: [...ours, "run", "json-formatter", "small.json"], cwd: folder },
  ]);
  return [
    toFigure("check", "node -e 0", "ms", node),
    toFigure("check", "penknife --version, against node -e 0", "×", ratios(version, node), { atMost: 1.3 }),
    toFigure("check", "penknife run json-formatter on 7 bytes, against node -e 0", "×", ratios(run, node), {
      atMost: 1.6,
    }),
  ];
}

function measureStaged(folder: string, ours: readonly string[], rounds: number): Figure[] {
  const cwd = makeTree(folder, "staged", { json: 100, yaml: 0, checks: { "json-validator": "**/*.json" } });
  writeFileSync(join(cwd, "staged.json"), '{"a": 1}\n');
  execFileSync("git", ["add", "staged.json"], { cwd });
  const [node, staged] = timeAll(rounds, [
    { name: "node -e 0", command: [process.execPath, "-e", "0"], cwd },
    { name: "penknife check --staged", command: [...ours, "check", "--staged"], cwd },
  ]);
  return [
    toFigure("check", "one staged file, Git included, against node -e 0", "×", ratios(staged, node), {
      atMost: 4,
    }),
  ];
}

/** Nothing has changed, and every file is read to find that out: the times in the index may be forged. */
function measureChanged(folder: string, ours: readonly string[], files: number, rounds: number): Figure[] {
  const checks = { "json-validator": "**/*.json" };
  const cwd = makeTree(folder, "changed", { json: files, yaml: 0, checks });
  const [status = [], changed = []] = timeAll(rounds, [
    { name: "git status", command: ["git", "status", "--porcelain"], cwd },
    { name: "penknife check --changed", command: [...ours, "check", "--changed"], cwd },
  ]);
  return [
    toFigure("check", `${files} files, git status`, "ms", status),
    toFigure("check", `${files} unchanged files, --changed against git status`, "×", ratios(changed, status)),
  ];
}

function measureJson(
  folder: string,
  ours: readonly string[],
  files: number,
  rounds: number,
  say: PartOptions["say"],
): Figure[] {
  const checks = { "json-validator": "**/*.json" };
  const cwd = makeTree(folder, "json", { json: files, yaml: 0, checks });
  const all = ["sh", "-c", "find . -name '*.json' -print0 | xargs -0 jq empty"];
  const entrants: Entrant[] = [{ name: "penknife check", command: [...ours, "check"], cwd }];
  if (isInstalled("jq")) entrants.push({ name: "jq empty", command: all, cwd });
  else say("jq is not installed");
  // Beside a formatter, ours is one too.
  const format = makeTree(folder, "format", {
    json: files,
    yaml: 0,
    checks: { "json-formatter": "**/*.json" },
  });
  entrants.push(
    { name: "penknife check of the format", command: [...ours, "check"], cwd: format },
    { name: "biome format", command: [...biome, "format", "--indent-style=space", "."], cwd: format },
  );
  const times = timeAll(rounds, entrants);
  // The target is for all files, and for two cores.
  const target = files === 10_000 ? { atMost: 2500 } : {};
  return entrants.map(({ name }, at) =>
    toFigure("check", `${files} JSON files, ${name}`, "ms", times[at] ?? [], at === 0 ? target : {}),
  );
}

function measureMixed(
  folder: string,
  ours: readonly string[],
  files: number,
  rounds: number,
  say: PartOptions["say"],
): Figure[] {
  const formats = { "json-formatter": "**/*.json", "yaml-formatter": "part-*/*.yaml" };
  const cwd = makeTree(folder, "mixed", { json: files, yaml: files, checks: formats });
  const [own = [], theirs = []] = timeAll(rounds, [
    { name: "penknife check", command: [...ours, "check"], cwd },
    { name: "prettier --check", command: [...prettier, "--check", "--log-level=warn", "."], cwd },
  ]);
  const mixed = `${files} JSON and ${files} YAML files`;
  const figures = [
    toFigure("check", `${mixed}, against prettier --check`, "×", ratios(own, theirs), { atMost: 0.33 }),
    toFigure("check", `${mixed}`, "ms", own),
  ];
  if (!isInstalled("yamllint")) {
    say("yamllint is not installed");
    return figures;
  }
  const linted = makeTree(folder, "yaml", {
    json: 0,
    yaml: files,
    checks: { "yaml-validator": "part-*/*.yaml" },
  });
  const [validated = [], linter = []] = timeAll(rounds, [
    { name: "penknife check", command: [...ours, "check"], cwd: linted },
    {
      name: "yamllint",
      command: ["sh", "-c", "yamllint -d '{rules: {key-duplicates: enable}}' part-*"],
      cwd: linted,
    },
  ]);
  return [
    ...figures,
    toFigure("check", `${files} YAML files, against yamllint`, "×", ratios(validated, linter), { atMost: 1 }),
  ];
}

function makeTree(folder: string, name: string, tree: Parameters<typeof writeTree>[1]): string {
  const cwd = join(folder, name);
  mkdirSync(cwd);
  writeTree(cwd, tree);
  return cwd;
}

/** The milliseconds of each entrant in each round, in turn; what slows the machine slows all of a round. */
function timeAll(
  rounds: number,
  entrants: readonly Entrant[],
): [number[], number[], number[], ...number[][]] {
  const times = entrants.map((): number[] => []);
  // The first round fills the page cache.
  for (let round = -1; round < rounds; round++)
    for (const [at, entrant] of entrants.entries()) {
      const time = timeOnce(entrant);
      if (round >= 0) times[at]?.push(time);
    }
  return times as [number[], number[], number[], ...number[][]];
}

function timeOnce({ name, command: [program = "", ...args], cwd }: Entrant): number {
  const start = performance.now();
  const { status, error, stdout, stderr } = spawnSync(program, args, { cwd, encoding: "utf8" });
  const time = performance.now() - start;
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${name} ended with ${status}: ${`${stderr}${stdout}`.slice(0, 500)}`);
  return time;
}

const isInstalled = (program: string): boolean => spawnSync(program, ["--version"]).error === undefined;
