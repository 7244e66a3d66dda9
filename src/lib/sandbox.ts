/**
 * Options of Node for a process that runs calls and can reach nothing but the pipes that it was started with.
 * `--allow-worker` is for one thread that watches over the process; the right is dropped before the first call.
 */
const options: readonly string[] = [
  "--permission",
  "--allow-worker",
  // Neither asks the permission model: node:sqlite opens and writes files under it.
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

/** Whether NODE_OPTIONS are what `sandboxOptions` gives, and nothing more. */
export function isSandboxed(nodeOptions: string | undefined): boolean {
  const memoryMb = /--max-old-space-size=(\d{1,5})\b/.exec(nodeOptions ?? "")?.[1];
  return memoryMb !== undefined && nodeOptions === sandboxOptions(Number(memoryMb)).join(" ");
}
