import { readFileSync } from "node:fs";
import type { MemoryWatch } from "./link.ts";

const lookMs = 25;
/** Bytes of a page: Linux reports pages, which are 4 KiB on every supported platform. */
const pageBytes = 4096;

/**
 * Watches the private memory of a process. V8 bounds its own heap, but neither buffers nor WebAssembly memory. Without
 * /proc, the heap is the only bound.
 */
export function watchResident(pid: number | undefined, limitBytes: number, onAbove: () => void): MemoryWatch {
  const timer = setInterval(() => {
    if (residentBytes(pid) > limitBytes) onAbove();
  }, lookMs);
  return { stop: () => clearInterval(timer) };
}

function residentBytes(pid: number | undefined): number {
  try {
    // Fields: size, resident, shared; the shared part is the executable.
    const [, resident = 0, shared = 0] = readFileSync(`/proc/${pid}/statm`, "latin1").split(" ").map(Number);
    return (resident - shared) * pageBytes;
  } catch {
    return 0;
  }
}
