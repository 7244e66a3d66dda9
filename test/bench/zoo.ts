import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPackages } from "../support/install-packages.ts";
import { type Figure, ratios, type Target, toFigure } from "./figures.ts";
import type { PartOptions } from "./part.ts";
import { type Kind, kinds, writeZoo } from "./zoo-trees.ts";

const folder = fileURLToPath(new URL("zoo/", import.meta.url));
const bin = (name: string): string => join(folder, "node_modules/.bin", name);

/** An engine of ours against another's; and a peer's library inside penknife against the same library alone, which has the second core. */
const ofOurs: Target = { atMost: 0.1 };
const ofPeers: Target = { atMost: 0.6 };

interface Peer {
  /** The files follow, unless it has a pattern for them. */
  command: readonly string[];
  hasPattern?: true;
  target: Target;
}

/** What checks the same files, for the kinds for which npm or Debian has a program. */
function peersOf(workflows: string): Partial<Record<Kind, Peer>> {
  const node = process.execPath;
  return {
    manifests: { command: [node, join(folder, "manifests.ts")], target: ofOurs },
    dockerfiles: { command: [bin("dockerfilelint")], target: ofOurs },
    documents: {
      command: [bin("ajv"), "validate", "-s", "schema.json", "-d", "data/**/*.json"],
      hasPattern: true,
      target: ofOurs,
    },
    texts: { command: [bin("eclint"), "check"], target: ofOurs },
    workflows: { command: [node, workflows], target: ofPeers },
    openapi: { command: [bin("redocly"), "lint", "--extends=spec", "--format=summary"], target: ofOurs },
  };
}

/**
 * The wall time of `penknife check` over a repository of 2,000 files of the kinds that CI has linters for: each kind beside a linter of that kind,
 * all of them together beside all linters, and lines for each second of CPU.
 */
export async function zoo({ quick, command, say }: PartOptions): Promise<Figure[]> {
  await installPackages(folder);
  const scratch = mkdtempSync(join(tmpdir(), "penknife-zoo-"));
  try {
    const workflows = join(scratch, "workflows.mjs");
    bundle(join(folder, "workflows.ts"), workflows);
    const peers = peersOf(workflows);
    const rounds = quick ? 2 : 7;
    const size = quick ? 200 : 2000;
    const figures: Figure[] = [];
    for (const kind of kinds) {
      const cwd = join(scratch, kind);
      mkdirSync(cwd);
      const { files, lines } = writeZoo(cwd, size, [kind]);
      say(`${files.length} ${kind}`);
      const ours = [...command, "check"];
      const peer = peers[kind];
      const [own, theirs] = timeBoth(rounds, cwd, ours, toCommand(peer, files));
      const name = `${files.length} ${kind}`;
      figures.push(
        toFigure(
          "zoo",
          name,
          "ms",
          own.map(({ ms }) => ms),
        ),
      );
      const perSecond = own.map(({ cpu }) => lines / (cpu / 1000));
      figures.push(toFigure("zoo", `${name}, lines for a second of CPU`, "a second", perSecond));
      if (peer === undefined) continue;
      const wall = [own, theirs].map((side) => side.map(({ ms }) => ms)) as [number[], number[]];
      const label = (peer.command[0] === process.execPath ? peer.command[1] : peer.command[0])
        ?.split("/")
        .at(-1);
      figures.push(toFigure("zoo", `${name}, against ${label}`, "×", ratios(...wall), peer.target));
    }
    const cwd = join(scratch, "all");
    mkdirSync(cwd);
    const { files, lines } = writeZoo(cwd, size, kinds);
    say(`${files.length} files of all kinds, ${lines} lines`);
    const [own] = timeBoth(rounds, cwd, [...command, "check"], undefined);
    figures.push(
      toFigure(
        "zoo",
        `${files.length} files of all kinds`,
        "ms",
        own.map(({ ms }) => ms),
      ),
    );
    return figures;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const toCommand = (peer: Peer | undefined, files: readonly string[]): readonly string[] | undefined =>
  peer && [...peer.command, ...(peer.hasPattern ? [] : files)];

/** Makes one file of a script and the packages that it imports. */
function bundle(from: string, to: string): void {
  const rolldown = fileURLToPath(new URL("../../node_modules/.bin/rolldown", import.meta.url));
  const { status, stderr } = spawnSync(rolldown, [from, "--file", to, "--platform", "node"], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`rolldown ended with ${status}: ${stderr.slice(0, 500)}`);
}

/** The wall time and the CPU time of a process with its children, in milliseconds. */
interface Time {
  ms: number;
  cpu: number;
}

/** Times both in turn: what slows the machine slows both. */
function timeBoth(
  rounds: number,
  cwd: string,
  ours: readonly string[],
  theirs: readonly string[] | undefined,
): [own: Time[], theirs: Time[]] {
  const times: [Time[], Time[]] = [[], []];
  // The first round fills the page cache.
  for (let round = -1; round < rounds; round++)
    for (const [at, command] of [ours, theirs].entries()) {
      if (command === undefined) continue;
      const time = timeOnce(command, cwd);
      if (round >= 0) times[at as 0 | 1].push(time);
    }
  return times;
}

function timeOnce(command: readonly string[], cwd: string): Time {
  const start = performance.now();
  const before = childrenCpu();
  const { status, error, stdout, stderr } = spawnSync(command[0] ?? "", command.slice(1), {
    cwd,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    env: { ...process.env, NODE_NO_WARNINGS: "1" },
  });
  const time = { ms: performance.now() - start, cpu: childrenCpu() - before };
  if (error !== undefined) throw error;
  if (status !== 0)
    throw new Error(`${command[0]} ended with ${status}: ${`${stderr}${stdout}`.slice(0, 500)}`);
  return time;
}

/** proc(5): cutime and cstime, the 16th and 17th field, in ticks of 1/100 s. */
function childrenCpu(): number {
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return (Number(fields[13]) + Number(fields[14])) * 10;
}
