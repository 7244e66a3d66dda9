import { rankTools } from "../../src/tools/rank-detected.ts";
import { cpuTime } from "../cost/start-cost.ts";
import { detectionInputs } from "./detection-documents.ts";
import { type Figure, median, toFigure } from "./figures.ts";
import type { PartOptions } from "./part.ts";

/** Inputs of which most CPU time is reported. */
const shown = 8;

/** The CPU time of the detector on a mebibyte: of all inputs those that take the most. */
export async function detection({ quick, say }: PartOptions): Promise<Figure[]> {
  const rows: { name: string; times: number[] }[] = [];
  for (const [name, input] of detectionInputs()) {
    // The first run loads libraries and compiles.
    await rankTools(input, 10);
    const times: number[] = [];
    for (let round = 0; round < (quick ? 3 : 11); round++) {
      const before = cpuTime();
      await rankTools(input, 10);
      times.push(cpuTime() - before);
    }
    say(name);
    rows.push({ name, times });
  }
  return rows
    .toSorted((a, b) => median(b.times) - median(a.times))
    .slice(0, shown)
    .map(({ name, times }) => toFigure("detection", `${name}, 1 MiB`, "ms", times, { atMost: 100 }));
}
