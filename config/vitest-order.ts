import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Paths in the order in which their files start, the longest first: a long file that starts last keeps a core idle. */
const first = [
  "test/e2e/siege.",
  "test/image/",
  "test/services/workers/pool.",
  "test/e2e/webhooks-kill.",
  "test/e2e/redis-",
  "test/e2e/memory.",
  "test/e2e/threads.",
  "test/chaos/",
  "test/fuzz/",
  "test/cost/",
  "test/e2e/",
  "test/build/",
  "test/services/storage/",
  "test/services/",
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => rankOf(a) - rankOf(b) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}

function rankOf({ project, moduleId }: TestSpecification): number {
  // The pool runs isolated files before the others.
  if (!project.config.isolate) return first.length + 1;
  const rank = first.findIndex((path) => moduleId.includes(`/${path}`));
  return rank < 0 ? first.length : rank;
}
