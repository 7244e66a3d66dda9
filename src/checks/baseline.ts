import { ToolError } from "../catalog/errors.ts";
import { toRuleId } from "./rule-id.ts";
import { passes } from "./severity.ts";
import type { CheckedFile, FileFinding, SuppressedFinding } from "./verdict.ts";

/** A known finding. The fingerprint identifies it; the rest is for people and for pruning. */
export interface KnownFinding {
  /** Relative to the root of the repository. */
  file: string;
  rule: string;
  fingerprint: string;
}

/** Known findings, which are counted but do not fail a check. */
export interface Baseline {
  /** Moves known findings to the suppressed ones. @param path Relative to the root of the repository. */
  apply(file: CheckedFile, path: string): CheckedFile;
  /**
   * Returns, after the last verdict, the known findings that no longer occur, and the text of the pruned file. Findings of files
   * that were not checked are kept, unless the file is gone.
   */
  end(exists: (path: string) => boolean): { stale: readonly KnownFinding[]; text: string };
}

/** @param all Whether every finding becomes a known one, in order to write the file. */
export function createBaseline(entries: readonly KnownFinding[], all: boolean): Baseline {
  const known = new Set(entries.map(({ fingerprint }) => fingerprint));
  const seen = new Map<string, KnownFinding>();
  const checked = new Set<string>();
  return {
    apply(file, path) {
      const { tool, errors, failed, unread } = file;
      // Comments that ignore nothing are to be removed, and not to be known.
      if (tool === undefined || failed === true || unread === true) return file;
      checked.add(keyOf(path, tool.slug));
      const left: FileFinding[] = [];
      const suppressed: SuppressedFinding[] = [];
      for (const finding of errors) {
        const { fingerprint } = finding;
        if (fingerprint === undefined || !(all || known.has(fingerprint))) left.push(finding);
        else {
          seen.set(fingerprint, { file: path, rule: toRuleId(tool, finding.rule), fingerprint });
          suppressed.push({ ...finding, by: "baseline" });
        }
      }
      if (suppressed.length === 0) return file;
      return {
        ...file,
        valid: passes(left),
        errors: left,
        suppressed: [...(file.suppressed ?? []), ...suppressed],
      };
    },
    end(exists) {
      const unseen = entries.filter(({ fingerprint }) => !seen.has(fingerprint));
      const isStale = ({ file, rule }: KnownFinding): boolean =>
        checked.has(keyOf(file, rule.split("/", 1)[0] ?? "")) || !exists(file);
      const stale = unseen.filter(isStale);
      return { stale, text: toText([...seen.values(), ...unseen.filter((entry) => !isStale(entry))]) };
    },
  };
}

const keyOf = (path: string, slug: string): string => `${path}\0${slug}`;

/** A line for each finding, sorted: two branches that add findings merge, and a line is removed when it is fixed. */
const toText = (entries: readonly KnownFinding[]): string =>
  entries
    .map(({ file, rule, fingerprint }) => `${JSON.stringify({ file, rule, fingerprint })}\n`)
    .toSorted()
    .join("");

/** @throws ToolError invalid_input for a line that is not a known finding. */
export function readBaseline(text: string, name: string): KnownFinding[] {
  return text.split("\n").flatMap((line, index) => {
    if (line.trim() === "") return [];
    const entry = parse(line);
    if (entry !== undefined) return [entry];
    throw new ToolError(
      "invalid_input",
      `${name}:${index + 1}: This is no line of a baseline. Make the file with --write-baseline.`,
    );
  });
}

function parse(line: string): KnownFinding | undefined {
  try {
    const { file, rule, fingerprint } = JSON.parse(line) as Record<string, unknown>;
    if (typeof file !== "string" || typeof rule !== "string" || typeof fingerprint !== "string")
      return undefined;
    return { file, rule, fingerprint };
  } catch {
    return undefined;
  }
}
