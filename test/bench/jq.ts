import { spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Figure, median, ratios, toFigure } from "./figures.ts";
import type { PartOptions } from "./part.ts";

/** Filters over a stream of records; the second of each pair is its name in the table. */
const streamed: readonly [filter: string, name: string][] = [
  [".", "."],
  ["select(.size > 500)", "select"],
  ["[.tags | group_by(length)[] | length]", "group_by"],
  ["to_entries | length", "to_entries"],
  ["[paths] | length", "paths"],
  ['select(.name | test("^user-1[0-9]*5$")) | .id', "test"],
];

const documents = fileURLToPath(new URL("../../../shared/corpora/benchmark/", import.meta.url));

/** CPU time in milliseconds, and the peak of memory in MB, of one process. */
interface Usage {
  cpu: number;
  memory: number;
}

/**
 * CPU time and peak memory of `penknife jq` beside Debian's jq and gojq: filters over a stream of NDJSON, `group_by` over all of
 * it, and the documents of a benchmark of JSON parsers, whose start is measured beside and taken off.
 */
export async function jq({ quick, command, say }: PartOptions): Promise<Figure[]> {
  if (spawnSync("time", ["-f", "%U", "true"]).status !== 0) throw new Error("GNU time is not installed");
  const programs = new Map<string, readonly string[]>([["penknife", [...command, "jq"]]]);
  for (const peer of ["jq", "gojq"]) {
    if (spawnSync(peer, ["--version"]).error === undefined) programs.set(peer, [peer]);
    else say(`${peer} is not installed`);
  }
  const folder = mkdtempSync(join(tmpdir(), "penknife-jq-"));
  try {
    const file = join(folder, "records.ndjson");
    writeRecords(file, quick ? 10_000_000 : 100_000_000);
    const rounds = quick ? 1 : 3;
    const log = join(folder, "usage");
    const measure = (args: readonly string[]): Map<string, Usage[]> =>
      measureAll(programs, args, rounds, log);
    const figures = streamed.flatMap(([filter, name]) => {
      say(name);
      return compare(`${name} on NDJSON`, measure(["-c", filter, file]), { atMost: 1.5 });
    });
    say("group_by -s");
    const slurped = measure(["-sc", "group_by(.name) | length", file]);
    figures.push(
      ...compare("-s group_by on NDJSON", slurped, {}),
      ...memoryOf("-s group_by on NDJSON", slurped),
    );
    const start = measure(["-n", "1"]);
    figures.push(...compare("start", start, {}));
    for (const name of ["twitter", "citm_catalog", "canada"]) {
      const path = join(documents, `${name}.json`);
      if (!existsSync(path)) {
        say(`${path} does not exist`);
        continue;
      }
      figures.push(
        ...compare(`${name}.json, after the start`, without(measure(["-c", ".", path]), start), {
          atMost: 1.5,
        }),
      );
    }
    return figures;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeRecords(path: string, bytes: number): void {
  const file = openSync(path, "w");
  let written = 0;
  for (let id = 0; written < bytes;) {
    let text = "";
    for (const end = id + 1000; id < end; id++)
      text += `${JSON.stringify({
        id,
        name: `user-${(id * 7919) % 5000}`,
        size: (id * 104_729) % 1000,
        tags: ["a", "bb", "cc", `t${id % 17}`],
        at: { lat: (id % 180) - 90 + 0.5, lon: (id % 360) - 180.25, place: "Straße 1" },
        ok: id % 3 === 0,
      })}\n`;
    written += writeSync(file, text);
  }
  closeSync(file);
}

/** The usage of each program in each round, in turn; what slows the machine slows all of a round. */
function measureAll(
  programs: ReadonlyMap<string, readonly string[]>,
  args: readonly string[],
  rounds: number,
  log: string,
): Map<string, Usage[]> {
  const usages = new Map<string, Usage[]>(Array.from(programs.keys(), (name) => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const [name, command] of programs) usages.get(name)?.push(measureOnce([...command, ...args], log));
  return usages;
}

function measureOnce(command: readonly string[], log: string): Usage {
  const { status, stderr } = spawnSync("time", ["-o", log, "-f", "%U %S %M", ...command], {
    stdio: ["ignore", "ignore", "pipe"],
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${command.join(" ")} ended with ${status}: ${stderr.slice(0, 500)}`);
  const [user = 0, system = 0, kilobytes = 0] = readFileSync(log, "utf8").trim().split(" ").map(Number);
  return { cpu: (user + system) * 1000, memory: kilobytes / 1024 };
}

/** Takes the start of each program off its times. */
function without(
  usages: ReadonlyMap<string, Usage[]>,
  start: ReadonlyMap<string, Usage[]>,
): Map<string, Usage[]> {
  return new Map(
    Array.from(usages, ([name, list]) => {
      const off = median((start.get(name) ?? []).map(({ cpu }) => cpu));
      // GNU time counts hundredths of a second.
      return [name, list.map(({ cpu, memory }) => ({ cpu: Math.max(10, cpu - off), memory }))];
    }),
  );
}

function compare(name: string, usages: ReadonlyMap<string, Usage[]>, target: { atMost?: number }): Figure[] {
  const times = (program: string): number[] => (usages.get(program) ?? []).map(({ cpu }) => cpu);
  const own = times("penknife");
  const figures = [toFigure("jq", `${name}, CPU`, "ms", own)];
  for (const peer of ["jq", "gojq"]) {
    if (!usages.has(peer)) continue;
    figures.push(
      toFigure(
        "jq",
        `${name}, CPU against ${peer}`,
        "×",
        ratios(own, times(peer)),
        peer === "jq" ? target : {},
      ),
    );
  }
  return figures;
}

const memoryOf = (name: string, usages: ReadonlyMap<string, Usage[]>): Figure[] =>
  Array.from(usages, ([program, list]) =>
    toFigure(
      "jq",
      `${name}, peak memory of ${program}`,
      "MB",
      list.map(({ memory }) => memory),
    ),
  );
