import type { CheckedFile } from "./check-files.ts";
import type { LeftOut } from "./expand-patterns.ts";

/** Counts verdicts, so that none is kept after it is printed. */
export interface Tally {
  add(file: CheckedFile): void;
  /** 0 without errors, 1 with findings, 2 if a file could not be read, 3 if a tool or the machine failed. Warnings count as 0. */
  status(): number;
  /** Returns one line: `4 files checked, 2 findings in 2 files; 1 not read; left out: 3 files in node_modules`. */
  sum(leftOut: readonly LeftOut[]): string;
}

export function createTally(): Tally {
  let files = 0;
  let faulty = 0;
  let findings = 0;
  let unread = 0;
  let worst = 0;
  return {
    add({ valid, errors, failed, unread: missing }) {
      worst = Math.max(worst, failed === true ? 3 : missing === true ? 2 : valid ? 0 : 1);
      if (missing === true) {
        unread++;
        return;
      }
      files++;
      findings += errors.length;
      if (errors.length > 0) faulty++;
    },
    status: () => worst,
    sum(leftOut) {
      const found =
        findings === 0 ? "no findings" : `${count(findings, "finding")} in ${count(faulty, "file")}`;
      const parts = [`${count(files, "file")} checked${files === 0 ? "" : `, ${found}`}`];
      if (unread > 0) parts.push(`${unread} not read`);
      if (leftOut.length > 0) parts.push(`left out: ${leftOut.map(toText).join(", ")}`);
      return `${parts.join("; ")}\n`;
    },
  };
}

/** `12 files in node_modules` */
export function toText({ reason, files, atLeast }: LeftOut): string {
  const number = atLeast === true ? `at least ${files}` : String(files);
  const plural = files === 1 ? "" : "s";
  switch (reason) {
    case "folder-link":
      return `${number} link${plural} to a folder`;
    case "broken-link":
      return `${number} broken link${plural}`;
    case "special-file":
      return `${number} pipe${plural} or device${plural}`;
    default:
      return `${number} file${plural} in ${reason}`;
  }
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;
