import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Milliseconds from exec to the first answered request; `during` receives the server before it is killed. */
export async function timeStart(
  [program = "", ...args]: readonly string[],
  port: number,
  cwd: string,
  {
    env = {},
    during,
  }: { env?: Readonly<Record<string, string>>; during?(child: ChildProcess): Promise<void> } = {},
): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(program, args, { cwd, env: { PATH: process.env["PATH"], ...env }, stdio: "ignore" });
  try {
    while (!(await answers(port))) {
      if (performance.now() - startedAt > 10_000 || child.exitCode !== null)
        throw new Error(`${program} does not answer`);
      await sleep(1);
    }
    const time = performance.now() - startedAt;
    await during?.(child);
    return time;
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
