import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Paths in the order in which their files start, the longest first: a long file that starts last keeps a core idle. */
const first = [
  "test/e2e/siege.",
  "test/services/workers/pool.",
  "test/image/",
  "test/e2e/webhooks-kill.",
  "test/e2e/redis-",
  "test/e2e/memory.",
  "test/e2e/threads.",
  "test/chaos/",
  "test/fuzz/",
  "test/cost/",
  "test/e2e/",
  "test/build/",
  "test/storage/",
  "test/services/",
];

/** The same for files that share a process. */
const firstShared = ["test/tools/regex/", "test/surfaces/rest/inbox-", "test/lib/json/", "test/surfaces/"];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => rankOf(a) - rankOf(b) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}

/** Projects stand together, because a process that files share ends when the next file is not of its project. */
const projects = ["own process", "shared by clients", "shared browser", "shared process"];

function rankOf({ project, moduleId }: TestSpecification): number {
  const order = project.name === "shared process" ? firstShared : first;
  const found = order.findIndex((path) => moduleId.includes(`/${path}`));
  return projects.indexOf(project.name) * 100 + (found < 0 ? order.length : found);
}
