import type { CheckedFile } from "./check-files.ts";

/** What is left of a verdict when it has been printed: many files need no more memory than few. */
export interface Tally {
  add(file: CheckedFile): void;
  /** 0 fine, 1 findings, 3 where a tool gave up. Warnings alone are fine. */
  status(): number;
  /** One line, `4 files checked, 2 findings in 2 files`. */
  sum(): string;
}

export function createTally(): Tally {
  let files = 0;
  let faulty = 0;
  let findings = 0;
  let worst = 0;
  return {
    add({ valid, errors, failed }) {
      files++;
      findings += errors.length;
      if (errors.length > 0) faulty++;
      worst = Math.max(worst, failed === true ? 3 : valid ? 0 : 1);
    },
    status: () => worst,
    sum() {
      const among = `${count(files, "file")} checked`;
      return findings === 0
        ? `${among}, no findings\n`
        : `${among}, ${count(findings, "finding")} in ${count(faulty, "file")}\n`;
    },
  };
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;
