import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Paths in the order in which their files start, the longest first: a long file that starts last keeps a core idle. */
const first = [
  "test/system/e2e/siege.",
  "test/system/services/workers/pool.",
  "test/system/image/",
  "test/system/e2e/webhooks-kill.",
  "test/system/e2e/redis-",
  "test/system/e2e/memory.",
  "test/system/e2e/threads.",
  "test/chaos/",
  "test/fuzz/",
  "test/cost/",
  "test/system/e2e/",
  "test/system/build/",
  "test/system/storage/",
  "test/system/services/",
];

/** The same for files that share a process. */
const firstShared = [
  "test/unit/tools/regex/",
  "test/unit/surfaces/rest/inbox-",
  "test/unit/lib/json/",
  "test/unit/surfaces/",
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => rankOf(a) - rankOf(b) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}

/** Projects stand together, because a process that files share ends when the next file is not of its project. */
const projects = ["system", "unit"];

function rankOf({ project, moduleId }: TestSpecification): number {
  const order = project.name === "unit" ? firstShared : first;
  const found = order.findIndex((path) => moduleId.includes(`/${path}`));
  return projects.indexOf(project.name) * 100 + (found < 0 ? order.length : found);
}
