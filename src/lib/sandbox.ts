/**
 * Options of Node for a process that runs calls and can reach only the pipes it was started with.
 * `--allow-worker` is for one thread that watches the process; the permission is dropped before the first
 * call.
 */
const options: readonly string[] = [
  "--permission",
  "--allow-worker",
  // Disables node:sqlite, which opens and writes files without asking the permission model.
  "--no-experimental-sqlite",
  "--no-experimental-ffi",
  "--no-addons",
  "--no-warnings",
];

/** The first argument of a worker process. */
export const sandboxWord = "--penknife-worker";

/** `memoryMb` bounds V8's heap; above it V8 aborts the process. */
export const sandboxOptions = (memoryMb: number): string[] => [
  ...options,
  `--max-old-space-size=${memoryMb}`,
  `--max-semi-space-size=${Math.max(4, Math.min(16, Math.ceil(memoryMb / 12)))}`,
];

/** Reports whether NODE_OPTIONS equals `sandboxOptions`, with nothing added. */
export function isSandboxed(nodeOptions: string | undefined): boolean {
  const memoryMb = /--max-old-space-size=(\d{1,5})\b/.exec(nodeOptions ?? "")?.[1];
  return memoryMb !== undefined && nodeOptions === sandboxOptions(Number(memoryMb)).join(" ");
}
