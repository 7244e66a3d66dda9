import { spawnSync } from "node:child_process";

/** Whether a program of the operating system can be used; where TEST_MACHINE is `required`, a test without it fails. */
export const atHand = (program: string): boolean =>
  process.env.TEST_MACHINE === "required" || isInstalled(program);

/** Whether a program is installed: one that is too large for `config/debian-packages.sh`, so that no machine requires it. */
export const isInstalled = (program: string): boolean =>
  spawnSync("sh", ["-c", 'command -v "$1"', "sh", program]).status === 0;
