import { getBuiltinModule, platform } from "node:process";
import { executable } from "../../lib/asset.ts";

/** The allocator of the C library. */
export interface Allocator {
  /** Returns to the system the pages that nothing uses any more. Takes about a millisecond for 10 MiB. */
  trim(): void;
}

/** The part of node:ffi that is used here; @types/node does not declare it. */
interface Ffi {
  dlopen<Name extends string>(
    path: null,
    functions: Record<Name, { return: string; arguments: string[] }>,
  ): { functions: Record<Name, (...values: (number | bigint)[]) => number> };
}

/** A setting of `mallopt(3)`. */
const arenaMax = -8;

/**
 * Bounds the free memory that glibc retains, and opens its allocator: by default each thread gets an arena of its own,
 * and glibc returns only the end of an arena to the system. After an hour of large documents some 300 MiB of a server
 * were free and still its own. A lower M_MMAP_THRESHOLD would return large buffers at once, but its page faults take a
 * quarter of the throughput of documents of 5 MB. Undefined on other systems.
 * @throws Error if the C library is not glibc, or Node lacks node:ffi.
 */
export function openAllocator(): Allocator | undefined {
  // In a source tree, Node would warn that node:ffi is experimental.
  if (!executable || platform !== "linux") return undefined;
  const ffi = getBuiltinModule("node:ffi") as Ffi;
  // Held by the closure below: a library that is collected is closed.
  const library = ffi.dlopen(null, {
    mallopt: { return: "int32", arguments: ["int32", "int32"] },
    malloc_trim: { return: "int32", arguments: ["uint64"] },
  });
  library.functions.mallopt(arenaMax, 2);
  return { trim: () => void library.functions.malloc_trim(0n) };
}
