import { readFileSync } from "node:fs";
import type { MemoryWatch } from "./link.ts";

const lookMs = 25;
/** Linux gives its figures in pages, which are 4 KiB wherever penknife is built for. */
const pageBytes = 4096;

/**
 * Looks at the memory that a process alone has, all of it: V8 bounds its own heap, and neither buffers nor
 * WebAssembly memory. Where there is no /proc, that heap is the only bound.
 */
export function watchResident(pid: number | undefined, limitBytes: number, onAbove: () => void): MemoryWatch {
  const timer = setInterval(() => {
    if (residentBytes(pid) > limitBytes) onAbove();
  }, lookMs);
  return { stop: () => clearInterval(timer) };
}

function residentBytes(pid: number | undefined): number {
  try {
    // size, resident, shared: what is shared is the executable.
    const [, resident = 0, shared = 0] = readFileSync(`/proc/${pid}/statm`, "latin1").split(" ").map(Number);
    return (resident - shared) * pageBytes;
  } catch {
    return 0;
  }
}
