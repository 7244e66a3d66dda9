import { randomFillSync } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createKey, hashKey, recordIdOf } from "../../src/services/access/key-format.ts";
import { cpuOfCalls } from "./calls.ts";
import { type Figure, median, ratios, toFigure } from "./figures.ts";
import { openPenknife } from "./open.ts";
import type { PartOptions } from "./part.ts";
import { fillFolder, openFolder } from "./scale-stores.ts";

/**
 * The CPU time of a server with files for a call when each call comes with another of many keys, beside calls with one key; the cost of a record
 * that is in no cache; and the disk that the records take.
 */
export async function scaleCalls({ quick, command, say }: PartOptions): Promise<Figure[]> {
  const size = quick ? 2000 : 100_000;
  const rounds = 5;
  const folder = mkdtempSync(join(tmpdir(), "penknife-bench-"));
  const data = join(folder, "data");
  const random = (count: number): Uint8Array => randomFillSync(new Uint8Array(count));
  const keys = Array.from({ length: size }, () => createKey(random));
  try {
    const bytes = fillFolder(data, size, (n) => hashKey(keys[n] ?? ""));
    const disk = toFigure(
      "scale",
      `files, ${size} keys: disk beside the texts`,
      "×",
      [sizeOf(data) / bytes],
      {
        atMost: 3,
      },
    );
    const record = await uncachedRecord(data, keys);
    say(`calls with ${size} keys`);
    const server = await openPenknife(folder, command);
    try {
      const count = size / rounds;
      // Compiles what a call runs.
      await cpuOfCalls(server, count, () => server.key);
      const one: number[] = [];
      const many: number[] = [];
      for (let round = 0; round < rounds; round++) {
        one.push(await cpuOfCalls(server, count, () => server.key));
        many.push(await cpuOfCalls(server, count, (n) => keys[round * count + n] ?? ""));
      }
      const cost = `${median(many).toFixed(0)} µs of CPU, ${median(one).toFixed(0)} with one key`;
      const calls = toFigure("scale", `files, ${size} keys: a call (${cost})`, "×", ratios(many, one), {
        atMost: 1.3,
      });
      return [disk, record, calls];
    } finally {
      await server.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reads each record once, in an order that is not that of the file. */
async function uncachedRecord(data: string, keys: readonly string[]): Promise<Figure> {
  const ids = keys.map((key) => recordIdOf(hashKey(key)));
  const store = await openFolder(data);
  try {
    const rounds: number[] = [];
    const count = ids.length / 10;
    for (let round = 0; round < 10; round++) {
      const since = process.cpuUsage();
      for (const id of ids.slice(round * count, (round + 1) * count))
        if ((await store.keys.get(id)) === undefined) throw new Error(`${id} is not found`);
      const { user, system } = process.cpuUsage(since);
      rounds.push((user + system) / count);
    }
    return toFigure("scale", `files, ${ids.length} keys: a record that is in no cache`, "µs", rounds, {
      atMost: 20,
    });
  } finally {
    await store.close();
  }
}

function sizeOf(folder: string): number {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
