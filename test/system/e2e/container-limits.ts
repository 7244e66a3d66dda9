import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { executable } from "./harness.ts";

/** Limits of the kernel around a process and its children, as a container engine sets them. */
export interface ContainerLimits {
  /** Starts the executable inside the limits, for `serve`. */
  program: readonly string[];
  /** Times the kernel ended a process because the group was out of memory. */
  kills(): number;
  /** Call it when every process has ended. */
  remove(): void;
}

interface Controller {
  folder: string;
  file: string;
  value: number;
}

const root = "/sys/fs/cgroup";

/**
 * Makes control groups (cgroups) with the limits of config/compose.yaml, as version 1 or 2 has them; undefined where
 * this process may not: without root, and in most containers.
 */
export function limitLikeContainer(memoryBytes: number, pids: number): ContainerLimits | undefined {
  const name = `penknife-test-${process.pid}-${Math.round(performance.now())}`;
  const versions: Controller[][] = [
    [
      { folder: `${root}/memory/${name}`, file: "memory.limit_in_bytes", value: memoryBytes },
      { folder: `${root}/pids/${name}`, file: "pids.max", value: pids },
    ],
    [
      { folder: `${root}/${name}`, file: "memory.max", value: memoryBytes },
      { folder: `${root}/${name}`, file: "pids.max", value: pids },
    ],
  ];
  for (const controllers of versions) {
    const folders = [...new Set(controllers.map(({ folder }) => folder))];
    const remove = (): void => {
      for (const folder of folders) {
        try {
          rmdirSync(folder);
        } catch {
          // The control group was never created.
        }
      }
    };
    try {
      for (const folder of folders) mkdirSync(folder);
      for (const { folder, file, value } of controllers) writeFileSync(`${folder}/${file}`, String(value));
      const [memory = ""] = folders;
      const enter = folders.map((folder) => `echo $$ > ${folder}/cgroup.procs`).join(" && ");
      return {
        program: ["/bin/sh", "-c", `${enter} && exec "$0" "$@"`, executable],
        kills: () => countKills(memory),
        remove,
      };
    } catch {
      remove();
    }
  }
  return undefined;
}

/** Version 1 has the count in memory.oom_control, version 2 in memory.events. */
function countKills(folder: string): number {
  for (const file of ["memory.oom_control", "memory.events"]) {
    try {
      const [, count] = /^oom_kill (\d+)$/m.exec(readFileSync(`${folder}/${file}`, "utf8")) ?? [];
      if (count !== undefined) return Number(count);
    } catch {
      // This file exists only in the other version.
    }
  }
  throw new Error(`${folder} does not report how often it ran out of memory`);
}
