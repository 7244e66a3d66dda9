import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take longest, in this order; then whole folders; then the rest. A long file begun last would keep the others waiting. */
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
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

function rankOf({ project, moduleId }: TestSpecification): number {
  // The pool runs isolated files before the others.
  if (!project.config.isolate) return first.length + 1;
  const rank = first.findIndex((path) => moduleId.includes(`/${path}`));
  return rank < 0 ? first.length : rank;
}
