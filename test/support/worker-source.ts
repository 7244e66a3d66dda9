import { inject } from "vitest";

/**
 * Returns the code of worker threads: beside an executable a bundle, as there, which starts with a seventh of the CPU
 * time, otherwise the source tree.
 */
export const workerSource = (): URL => new URL(inject("worker"));
