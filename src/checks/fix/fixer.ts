import { isUtf8 } from "node:buffer";
import { isFixer } from "../../catalog/change.ts";
import type { Answer } from "../../catalog/execute.ts";
import { toFilePatch } from "../../lib/diff/file-patch.ts";
import { isUsageReason, reasonOf } from "../../lib/system-error.ts";
import { applyIgnores } from "../apply-ignores.ts";
import { type Check, type CheckHooks, type CheckRunner, type FileToCheck, runCheck } from "../check-files.ts";
import type { CheckedFile } from "../verdict.ts";
import { LeftError } from "./left-error.ts";

/** Receives the fixed document. */
export interface FixTarget {
  /** Puts it in the place of the file. @throws LeftError if the file has to stay as it is, or the error of the system */
  write(file: FileToCheck, before: Uint8Array, after: Uint8Array): Promise<void>;
}

interface Seen {
  verdict: CheckedFile;
  /** The tool would change the document. */
  changes: boolean;
}

/**
 * Makes the hooks that fix files. The tools of a file change it in the order of its checks, each the result of the one before.
 * Then all checks see the result: a file whose tools would change it again is left, since no order of them would settle.
 */
export function createFixer(runner: CheckRunner, target: FixTarget): CheckHooks {
  return createHooks(runner, async (file, read, left, changed) => {
    await target.write(file, read, left.bytes);
    const verdicts = left.seen.map(({ verdict }, index): CheckedFile =>
      changed[index] === true ? { ...verdict, fixed: true } : verdict,
    );
    return { verdicts, bytes: left.bytes };
  });
}

/**
 * Makes the hooks that describe what a fixer would do: the verdicts are those of the file as it is, and the first of the tools
 * that would change it has the patch.
 * @param toPath Converts the name of a file to the path in the patch.
 */
export function createDiffer(runner: CheckRunner, toPath: (name: string) => string): CheckHooks {
  return createHooks(runner, async (file, read, left, changed) => {
    const patch = await toFilePatch(toPath(file.name), toText(read), toText(left.bytes));
    const seen = await checkAll(file, read, runner);
    const first = changed.indexOf(true);
    const verdicts = seen.map(({ verdict }, index): CheckedFile => {
      if (changed[index] !== true) return verdict;
      return { ...verdict, fixable: true, ...(index === first && { patch }) };
    });
    return { verdicts, bytes: read };
  });
}

type Finish = (
  file: FileToCheck,
  read: Uint8Array,
  left: { bytes: Uint8Array; seen: readonly Seen[] },
  /** By check: whether it changed the document. */
  changed: readonly boolean[],
) => ReturnType<CheckHooks["afterFile"]>;

function createHooks(runner: CheckRunner, finish: Finish): CheckHooks {
  /** The checks that changed each file on its way through them. */
  const changing = new WeakMap<FileToCheck, Set<Check>>();
  return {
    form: "fix",
    async afterCheck({ file, check, verdict, answer, bytes }) {
      if (!wouldChange(check, answer) || isIgnored(verdict, bytes)) return { verdict, bytes };
      if (!isUtf8(bytes)) return { verdict: withReason(verdict, "it is not UTF-8"), bytes };
      changing.set(file, (changing.get(file) ?? new Set()).add(check));
      return { verdict, bytes: answer.body as Uint8Array };
    },
    async afterFile(file, verdicts, read, left) {
      const checks = changing.get(file);
      if (checks === undefined || Buffer.compare(read, left) === 0) return { verdicts, bytes: read };
      const changed = file.checks.map((check) => checks.has(check));
      const seen = await checkAll(file, left, runner);
      const unsettled = file.checks.filter((_, index) => seen[index]?.changes === true);
      try {
        if (unsettled.length > 0) throw new LeftError(explainUnsettled(unsettled, checks));
        return await finish(file, read, { bytes: left, seen }, changed);
      } catch (error) {
        if (!(error instanceof LeftError || isSystemError(error))) throw error;
        const reason = error instanceof LeftError ? error.message : reasonOf(error);
        const failed = !(error instanceof LeftError || isUsageReason(error));
        const before = await checkAll(file, read, runner);
        const noted = before.map(({ verdict }, index): CheckedFile => {
          if (changed[index] !== true) return verdict;
          return { ...withReason(verdict, reason), ...(failed && { failed }) };
        });
        return { verdicts: noted, bytes: read };
      }
    },
  };
}

async function checkAll(
  { name, checks }: FileToCheck,
  bytes: Uint8Array,
  runner: CheckRunner,
): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (const check of checks) {
    // A worker takes over the bytes that it is given.
    const { verdict, answer } = await runCheck(name, check, new Uint8Array(bytes), runner, formOf(check));
    seen.push({ verdict, changes: wouldChange(check, answer) && !isIgnored(verdict, bytes) });
  }
  return seen;
}

/** The report of a formatter says whether it would change the document; that of another tool may have what it cannot fix. */
const formOf = ({ tool }: Check): "fix" | "report" => (tool.fix === undefined ? "report" : "fix");

const wouldChange = ({ tool }: Check, answer: Answer | undefined): answer is Answer =>
  isFixer(tool) &&
  (tool.fix === undefined ? answer?.report?.valid === false : (answer?.body.length ?? 0) > 0);

/** Whether a comment in the document says that it stays as it is. */
const isIgnored = (verdict: CheckedFile, bytes: Uint8Array): boolean =>
  applyIgnores([verdict], bytes, () => true)[0]?.errors.length === 0;

function explainUnsettled(unsettled: readonly Check[], changing: ReadonlySet<Check>): string {
  const slugs = [...new Set(unsettled.map(({ tool }) => tool.slug))];
  const others = [...new Set([...changing].map(({ tool }) => tool.slug))].filter(
    (slug) => !slugs.includes(slug),
  );
  const result = others.length === 0 ? "its own result" : `the result of ${others.join(" and ")}`;
  return `${slugs.join(" and ")} would change ${result} again`;
}

/** Adds why the file was not fixed. */
const withReason = (verdict: CheckedFile, reason: string): CheckedFile => ({
  ...verdict,
  valid: false,
  errors: [
    ...verdict.errors,
    { message: `The file was left as it is: ${reason}.`, severity: "error", rule: "not-fixed" },
  ],
});

const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && "code" in error && "syscall" in error;

const toText = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
