import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../config/build/rehearse.ts";
import { writeExecutable } from "../../config/build/sea.ts";
import { parseTarget } from "../../config/build/target.ts";
import { type Figure, toFigure } from "./figures.ts";
import type { PartOptions } from "./part.ts";

/** The least that a single executable which answers HTTP can be. */
const emptyServer = `require("node:http")
  .createServer((request, response) => response.end("ok"))
  .listen(Number(process.argv[2]), "127.0.0.1");`;

/** From exec to the first answered request, beside an empty server of the same kind, in turns. */
export async function startup({ quick, command, say }: PartOptions): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "penknife-startup-"));
  try {
    const empty = join(folder, "empty");
    const cache = new URL("../../dist/cache", import.meta.url).pathname;
    writeExecutable({ target: parseTarget(undefined), main: emptyServer, assets: {}, output: empty, cache });
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = -2; round < (quick ? 5 : 31); round += 1) {
      const data = join(folder, `data-${round}`);
      const [own, other] = [await freePort(), await freePort()];
      const a = await timeOf([empty, String(other)], other, folder);
      const b = await timeOf([...command, "serve", "--port", String(own), "--data", data], own, folder);
      // The first two fill the page cache.
      if (round >= 0) {
        theirs.push(a);
        ours.push(b);
      }
    }
    say(`${ours.length} starts each`);
    const ratios = ours.map((time, index) => time / (theirs[index] ?? Number.NaN));
    return [
      toFigure("startup", "exec to first answer, against an empty executable", "×", ratios, { atMost: 1.25 }),
      toFigure("startup", "exec to first answer", "ms", ours),
      toFigure("startup", "the same of an empty executable", "ms", theirs),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function timeOf(
  [program = "", ...args]: readonly string[],
  port: number,
  cwd: string,
): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(program, args, { cwd, env: { PATH: process.env["PATH"] }, stdio: "ignore" });
  try {
    while (!(await answers(port))) {
      if (performance.now() - startedAt > 10_000 || child.exitCode !== null)
        throw new Error(`${program} does not answer`);
      await sleep(1);
    }
    return performance.now() - startedAt;
  } finally {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"));
    socket.once("data", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
