/** The part of vitest's report as JSON that this needs. */
export interface Results {
  numTotalTestSuites: number;
  numPassedTestSuites: number;
  numFailedTestSuites: number;
  numPendingTestSuites: number;
  numTotalTests: number;
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  success: boolean;
  testResults: {
    /** Absolute path of the file. */
    name: string;
    status: "passed" | "failed";
    /** Milliseconds since the epoch. */
    startTime: number;
    endTime: number;
    /** The error outside of its tests. */
    message: string;
    assertionResults: {
      fullName: string;
      ancestorTitles: string[];
      status: string;
      failureMessages: string[];
    }[];
  }[];
}

/**
 * Returns the results of a run in which failed files have been run again: those files have the results of their second run.
 * `flaky` lists the ones that passed then.
 */
export function mergeResults(first: Results, again: readonly Results[]): Results & { flaky: string[] } {
  const replaced = new Map(
    again.flatMap(({ testResults, success }) =>
      testResults.map((one) => [one.name, success ? one : { ...one, status: "failed" as const }] as const),
    ),
  );
  const testResults = first.testResults.map((one) => replaced.get(one.name) ?? one);
  const failedAgain = testResults.filter(({ status }) => status === "failed");
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const count = (...statuses: string[]): number =>
    tests.filter(({ status }) => statuses.includes(status)).length;
  const suites = first.testResults.reduce(
    (total, one) => total + suitesOf(replaced.get(one.name) ?? one) - suitesOf(one),
    first.numTotalTestSuites,
  );
  const failedSuites = failedAgain.reduce(
    (total, { name }) =>
      total +
      Math.max(
        1,
        again.find((one) => one.testResults.some((file) => file.name === name))?.numFailedTestSuites ?? 1,
      ),
    0,
  );
  return {
    ...first,
    numTotalTestSuites: suites,
    numFailedTestSuites: failedSuites,
    numPassedTestSuites: suites - failedSuites - first.numPendingTestSuites,
    numTotalTests: tests.length,
    numPassedTests: count("passed"),
    numFailedTests: count("failed"),
    numPendingTests: count("pending", "skipped", "disabled"),
    numTodoTests: count("todo"),
    success: failedAgain.length === 0,
    testResults,
    flaky: first.testResults
      .filter(({ name, status }) => status === "failed" && replaced.get(name)?.status === "passed")
      .map(({ name }) => name),
  };
}

/** The file itself and the `describe` blocks with tests. */
function suitesOf({ assertionResults }: Results["testResults"][number]): number {
  const paths = assertionResults.flatMap(({ ancestorTitles }) =>
    ancestorTitles.map((_, index) => JSON.stringify(ancestorTitles.slice(0, index + 1))),
  );
  return 1 + new Set(paths).size;
}
