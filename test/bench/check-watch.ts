import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Figure, toFigure } from "./figures.ts";

/** Milliseconds from a save to the report of `penknife check --watch` on it, in a folder whose files have no findings. */
export async function measureWatch(
  cwd: string,
  {
    command: [program = "", ...words],
    files,
    rounds,
  }: { command: readonly string[]; files: number; rounds: number },
): Promise<Figure[]> {
  const watch = spawn(program, [...words, "check", "--watch"], { cwd, stdio: ["ignore", "ignore", "pipe"] });
  try {
    await nextReport(watch);
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      // A person saves while nothing else happens: the round that follows a report has ended.
      await sleep(2000);
      const reported = nextReport(watch);
      const start = performance.now();
      writeFileSync(join(cwd, "part-0/file-0.json"), `{\n  "round": ${round}\n}\n`);
      await reported;
      times.push(performance.now() - start);
    }
    return [
      toFigure("check", `--watch among ${files} JSON files, from a save to the report`, "ms", times, {
        atMost: 100,
      }),
    ];
  } finally {
    watch.kill("SIGINT");
    await once(watch, "exit");
  }
}

async function nextReport({ stderr }: ChildProcess): Promise<void> {
  for (let text = ""; !/ checked.*\n/.test(text);)
    text += String((await once(stderr as NodeJS.ReadableStream, "data"))[0]);
}
