import { liveConnections, maxConnectionsOf } from "../access/max-connections.ts";
import { autoSize, besidesHeapMb } from "../workers/limits.ts";
import { type DoctorDeps, error, type Finding, ok, warning } from "./finding.ts";
import type { Config } from "../../options.ts";

const mebibyte = 1024 * 1024;
/** Memory of a server besides its workers: its own 100 MiB, bodies that arrive, and answers that are being read. */
const ownMib = 350;
/** Files, sockets and pipes of a server besides its connections and workers. */
const ownFiles = 64;
/** Pipes of one worker process. */
const workerFiles = 4;

/** Compares the limits of the system with what the configuration may need. */
export const checkResources = (settings: Config, deps: DoctorDeps): Finding[] => [
  checkMemory(settings, deps),
  ...checkFiles(settings, deps),
];

function checkMemory({ tools }: Config, { processors, readSystem, totalMemory }: DoctorDeps): Finding {
  const workers = tools.workers || autoSize(processors);
  const wanted = workers * (tools.memoryMb + besidesHeapMb) + ownMib;
  const group = limitOfGroup(readSystem);
  const limit = Math.floor(Math.min(group ?? Infinity, totalMemory) / mebibyte);
  const whose = group !== undefined && group < totalMemory ? "this container may use" : "this machine has";
  const message = `${workers} workers of ${tools.memoryMb} MiB and the server may need ${wanted} MiB, and ${whose} ${limit} MiB`;
  if (wanted <= limit) return ok("resources.memory", `${message}.`);
  return warning(
    "resources.memory",
    `${message}: under hostile load the kernel would kill the server.`,
    "Lower tools.workers or tools.memoryMb, or raise the limit.",
  );
}

/** Returns the memory limit of the control group (version 2 or 1) in bytes; undefined without a limit. */
function limitOfGroup(readSystem: DoctorDeps["readSystem"]): number | undefined {
  const own = /^0::(\/.*)$/m.exec(readSystem("/proc/self/cgroup") ?? "")?.[1] ?? "/";
  const paths = [
    `/sys/fs/cgroup${own === "/" ? "" : own}/memory.max`,
    "/sys/fs/cgroup/memory.max",
    "/sys/fs/cgroup/memory/memory.limit_in_bytes",
  ];
  for (const path of paths) {
    const bytes = Number(readSystem(path)?.trim() || Number.NaN);
    // `max`, or a number beyond any memory.
    if (Number.isFinite(bytes) && bytes < Number.MAX_SAFE_INTEGER / 2) return bytes;
  }
  return undefined;
}

function checkFiles(settings: Config, { processors, readSystem }: DoctorDeps): Finding[] {
  const soft = /^Max open files\s+(\d+)/m.exec(readSystem("/proc/self/limits") ?? "")?.[1];
  if (soft === undefined) return [];
  const { maxConcurrency } = settings.server;
  const live = liveConnections(settings);
  const own = ownFiles + workerFiles * (settings.tools.workers || autoSize(processors));
  const running = maxConcurrency + own;
  const waiting = maxConnectionsOf(settings) + own;
  const asked = `server.maxConcurrency is ${maxConcurrency}${live > 0 ? ` and graphql.maxConnections ${live}` : ""}`;
  const message = `A process may have ${soft} files and connections open, and ${asked}`;
  const action = `Raise the limit to ${waiting} (ulimit -n, LimitNOFILE=${waiting}, docker run --ulimit nofile=${waiting}), or lower ${live > 0 ? "one of the two" : "server.maxConcurrency"}.`;
  if (Number(soft) < running)
    return [error("resources.files", `${message}: not all of them can be open at once.`, action)];
  if (Number(soft) < waiting)
    return [warning("resources.files", `${message}: waiting connections may be refused.`, action)];
  return [ok("resources.files", `${message}.`)];
}
