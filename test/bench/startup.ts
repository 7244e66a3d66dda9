import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Built } from "../../config/build/executable.ts";
import { penknife } from "../../config/build/penknife.ts";
import { freePort } from "../../config/free-port.ts";
import { writeExecutable } from "../../config/build/sea.ts";
import { parseTarget } from "../../config/build/target.ts";
import { type Figure, ratios, toFigure } from "./figures.ts";
import type { PartOptions } from "./part.ts";
import { buildSmall, codeOf } from "./small-build.ts";
import { timeStart } from "./start-time.ts";

/** The minimum: a single executable that answers HTTP. */
const emptyServer = `require("node:http")
  .createServer((request, response) => response.end("ok"))
  .listen(Number(process.argv[2]), "127.0.0.1");`;

/**
 * The time from exec to the first answered request, alternating between the program, an empty server of the same kind, and the program
 * with the eight tools of the first release, which shows that the start does not pay for the catalogue.
 */
export async function startup({ quick, command, say }: PartOptions): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "penknife-startup-"));
  try {
    const empty = join(folder, "empty");
    const target = parseTarget(undefined);
    writeExecutable({ target, main: emptyServer, assets: {}, output: empty, cache: penknife.cache });
    say("building it with eight tools");
    const small = join(folder, "small");
    const code = codeOf(await buildSmall(target, small));
    const programs: Record<string, (port: number, data: string) => readonly string[]> = {
      empty: (port) => [empty, String(port)],
      small: (port, data) => [small, "serve", "--port", String(port), "--data", data],
      ours: (port, data) => [...command, "serve", "--port", String(port), "--data", data],
    };
    const times: Record<string, number[]> = { empty: [], small: [], ours: [] };
    for (let round = -2; round < (quick ? 5 : 31); round += 1) {
      for (const [name, commandOf] of Object.entries(programs)) {
        const port = await freePort();
        const time = await timeStart(commandOf(port, join(folder, `${name}-${round}`)), port, folder);
        // The first two runs fill the page cache.
        if (round >= 0) times[name]?.push(time);
      }
    }
    const { ours = [], small: eight = [], empty: nothing = [] } = times;
    say(`${ours.length} starts each`);
    const later = ours.map((time, round) => time - (eight[round] ?? Number.NaN));
    return [
      toFigure("startup", "exec to first answer, against an empty executable", "×", ratios(ours, nothing), {
        atMost: 1.25,
      }),
      toFigure("startup", "exec to first answer", "ms", ours),
      toFigure("startup", "the same of an empty executable", "ms", nothing),
      toFigure("startup", "the same with eight tools", "ms", eight),
      toFigure("startup", "later than with eight tools", "ms", later, { atMost: 10 }),
      toFigure("startup", "more code than with eight tools", "MB", [readCode() - code], { atMost: 4 }),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Megabytes of code in the last build. */
function readCode(): number {
  const text = readFileSync(new URL("../../dist/bundle.json", import.meta.url), "utf8");
  return codeOf((JSON.parse(text) as Pick<Built, "scripts">).scripts);
}
