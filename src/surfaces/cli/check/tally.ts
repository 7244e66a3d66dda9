import type { LeftOut, LeftOutReason } from "../../../checks/left-out.ts";
import { countWarnings } from "../../../checks/severity.ts";
import type { CheckedFile } from "../../../checks/verdict.ts";
import { counted } from "../../../lib/counted.ts";
import { showFileName } from "../../../lib/file-name.ts";
import { visible } from "../visible.ts";

/** Counts verdicts, so that none is kept after it is printed. */
export interface Tally {
  add(file: CheckedFile): void;
  /**
   * 0 without errors, 1 with findings, 2 if a file could not be read, 3 if a tool or the machine failed. Warnings count as 0, unless
   * there are too many.
   */
  status(): number;
  /** Returns one line: `4 files checked, 1 fixed, 2 findings in 2 files; 1 not read; left out: 3 files in node_modules`. */
  sum(leftOut: readonly LeftOut[]): string;
}

/** @param maxWarnings More warnings than this are a finding. */
export function createTally(maxWarnings = Infinity): Tally {
  let files = 0;
  // The verdicts of one file follow one another.
  let last: string | undefined;
  let lastFaulty: string | undefined;
  let lastFixed: string | undefined;
  let fixedFiles = 0;
  let faulty = 0;
  let findings = 0;
  let warnings = 0;
  let unread = 0;
  let unchanged = 0;
  const suppressed = { comment: 0, baseline: 0 };
  let worst = 0;
  return {
    add({
      name,
      valid,
      errors,
      suppressed: hidden = [],
      failed,
      fixed,
      patch,
      unread: missing,
      unchanged: others = 0,
    }) {
      const passed = valid && patch === undefined;
      worst = Math.max(worst, failed === true ? 3 : missing === true ? 2 : passed ? 0 : 1);
      if (missing === true) {
        unread++;
        return;
      }
      if (name !== last) files++;
      last = name;
      if (fixed === true && name !== lastFixed) {
        fixedFiles++;
        lastFixed = name;
      }
      findings += errors.length;
      unchanged += others;
      warnings += countWarnings(errors);
      for (const { by } of hidden) suppressed[by]++;
      if (errors.length > 0 && name !== lastFaulty) {
        faulty++;
        lastFaulty = name;
      }
    },
    status: () => Math.max(worst, warnings > maxWarnings ? 1 : 0),
    sum(leftOut) {
      const found =
        findings === 0 ? "no findings" : `${counted(findings, "finding")} in ${counted(faulty, "file")}`;
      const fixed = fixedFiles === 0 ? "" : `, ${fixedFiles} fixed`;
      const parts = [`${counted(files, "file")} checked${fixed}${files === 0 ? "" : `, ${found}`}`];
      if (warnings > maxWarnings)
        parts.push(`${counted(warnings, "warning")}, and ${maxWarnings} are allowed`);
      if (suppressed.comment > 0) parts.push(`${suppressed.comment} ignored by comments`);
      if (unchanged > 0) parts.push(`${unchanged} on unchanged lines`);
      if (suppressed.baseline > 0) parts.push(`${suppressed.baseline} in the baseline`);
      if (unread > 0) parts.push(`${unread} not read`);
      if (leftOut.length > 0) parts.push(`left out: ${leftOut.map(toText).join(", ")}`);
      return parts.join("; ");
    },
  };
}

/** `12 files in node_modules`, `submodule vendor/lib` */
export function toText({ reason, files, atLeast, names }: LeftOut): string {
  const noun = nouns[reason][files === 1 ? 0 : 1];
  if (names !== undefined && files <= maxNamed)
    return `${noun} ${names.map((name) => visible(showFileName(name))).join(", ")}`;
  return `${atLeast === true ? "at least " : ""}${files} ${noun}`;
}

/** More names than this are counted only. */
const maxNamed = 5;

const nouns: Record<LeftOutReason, readonly [one: string, several: string]> = {
  ".git": ["file in .git", "files in .git"],
  node_modules: ["file in node_modules", "files in node_modules"],
  "folder-link": ["link to a folder", "links to a folder"],
  "broken-link": ["broken link", "broken links"],
  link: ["link", "links"],
  "special-file": ["pipe or device", "pipes or devices"],
  submodule: ["submodule", "submodules"],
  "lfs-pointer": ["Git LFS pointer", "Git LFS pointers"],
  ignored: ["ignored file", "ignored files"],
  "ignored-folder": ["ignored folder", "ignored folders"],
  "no-check": ["file without a check", "files without a check"],
  binary: ["binary file", "binary files"],
};
