import type { CatalogTool } from "../catalog/catalog.ts";
import { type ErrorPlace, errorCodes, ToolError, toShownPlace } from "../catalog/errors.ts";
import type { Answer, AnswerForm, Body, ToolCall } from "../catalog/execute.ts";
import { isBinary } from "./is-binary.ts";
import { replaceMisfits } from "./misfit.ts";
import { stepOf } from "../catalog/step-error.ts";
import { OldVersionFault, type OldVersions, prepareComparison, toUncompared } from "./old-version.ts";
import type { ReadSettings } from "./settings-above.ts";
import { applyLevels, passes, type SeverityRules } from "./severity.ts";
import type { CheckedFile, FileFinding } from "./verdict.ts";

/** A tool with its options, as one entry of the checks of a file. */
export interface Check extends SeverityRules {
  tool: CatalogTool;
  /** Pairs of text, or parsed values; the document is not among them. */
  options: Extract<Body, { kind: "raw" }>["options"];
  /** The old versions that the files are compared with, for a tool that compares versions and has no other document. */
  against?: OldVersions;
  /** Whether it can run only with old versions. */
  needsVersion?: true;
  /** Converts the refusal of an option, which holds for every file and ends the run. */
  toRefusal(error: ToolError): ToolError;
}

/** A file with the checks that it has to pass, in their order. */
export interface FileToCheck {
  /** See `CheckedFile.name`. */
  name: string;
  checks: readonly Check[];
  /** Reads the file, once for all checks: from the work tree, from the index of Git, from standard input. */
  read(): Promise<ReadFile>;
  /** Returns the file before the change that selects it; undefined if it is new. */
  before?(): Promise<Uint8Array | undefined>;
}

/** Bytes; why there are none; or that the file turned out to be none to check. */
export type ReadFile = { bytes: Uint8Array } | { unread: string; failed?: true } | "skipped";

/** A check that has ended, and the document that it saw. */
export interface EndedCheck {
  file: FileToCheck;
  check: Check;
  verdict: CheckedFile;
  /** The answer of the tool; undefined if it refused the document or failed. */
  answer?: Answer;
  bytes: Uint8Array;
}

/** Functions that are called between the checks of a file. The files are independent of one another and run concurrently. */
export interface CheckHooks {
  /** The form of the answers; "report" by default. It must have the report. */
  form?: AnswerForm;
  /**
   * Called when a check of a file has ended. The next check sees the bytes that it returns: a fixer returns the fixed
   * document, and the verdict that remains. It must not change the bytes it receives.
   */
  afterCheck(ended: EndedCheck): Promise<{ verdict: CheckedFile; bytes: Uint8Array }>;
  /**
   * Called after the last check, with the bytes as read and as the hooks have left them. Returns the verdicts to report, and the
   * document that they are about.
   */
  afterFile(
    file: FileToCheck,
    verdicts: readonly CheckedFile[],
    read: Uint8Array,
    left: Uint8Array,
  ): Promise<{ verdicts: readonly CheckedFile[]; bytes: Uint8Array }>;
}

/** Verdicts of files that have not changed since an earlier run. */
export interface VerdictMemory {
  get(file: FileToCheck): readonly CheckedFile[] | undefined;
  set(file: FileToCheck, verdicts: readonly CheckedFile[]): void;
}

/** Runs tools on files. */
export interface CheckRunner {
  run(call: ToolCall): Promise<Answer>;
  /** Finds files of settings, for the tools that have some. */
  readSettings: ReadSettings;
}

export interface CheckFilesOptions extends CheckRunner {
  files: Iterable<FileToCheck>;
  /** Files that are checked at once. */
  width: number;
  hooks?: CheckHooks;
  /** Called last for each file that was read, with its verdicts and the document that they are about. */
  finish?(
    file: FileToCheck,
    verdicts: readonly CheckedFile[],
    bytes: Uint8Array,
  ): readonly CheckedFile[] | Promise<readonly CheckedFile[]>;
  memory?: VerdictMemory | undefined;
  /** Called for each binary file that checks of any text leave out. */
  onBinary?(name: string): void;
  /** Called when all checks of a file have ended. */
  onFile?(): void;
}

/**
 * Checks files concurrently and yields a verdict for each file and check, in the order of the files and then of the checks,
 * however long each of them takes.
 * @throws ToolError if a call itself is invalid, which holds for every file.
 */
export async function* checkFiles(options: CheckFilesOptions): AsyncGenerator<CheckedFile> {
  const { width, onFile } = options;
  const files = Iterator.from(options.files);
  const running: Promise<readonly CheckedFile[]>[] = [];
  for (;;) {
    while (running.length < width) {
      const next = files.next();
      if (next.done === true) break;
      const one = checkOrRecall(next.value, options);
      // A rejection is handled when its turn comes; until then it must not count as unhandled.
      one.catch(() => undefined);
      running.push(one);
    }
    const first = running.shift();
    if (first === undefined) return;
    const verdicts = await first;
    onFile?.();
    yield* verdicts;
  }
}

async function checkOrRecall(file: FileToCheck, options: CheckFilesOptions): Promise<readonly CheckedFile[]> {
  const { memory } = options;
  const known = memory?.get(file);
  if (known !== undefined) return known;
  const verdicts = await checkFile(file, options);
  // A binary file has none, and is to be counted in each run. The settings of others are in files beside them, which may change.
  if (verdicts.length > 0 && file.checks.every(({ tool }) => tool.settings === undefined))
    memory?.set(file, verdicts);
  return verdicts;
}

async function checkFile(given: FileToCheck, options: CheckFilesOptions): Promise<readonly CheckedFile[]> {
  const { hooks, finish, onBinary } = options;
  const found = await given.read();
  const file = typeof found === "object" && "bytes" in found ? withoutBinary(given, found.bytes) : given;
  const { name, checks } = file;
  if (checks.length < given.checks.length) onBinary?.(name);
  if (checks.length === 0) return [];
  if (found === "skipped") return [];
  if ("unread" in found) {
    const [only, ...others] = checks;
    return [
      toUnread(name, found.unread, "unreadable", {
        ...(only !== undefined && others.length === 0 && { tool: only.tool }),
        ...(found.failed === true && { failed: true }),
      }),
    ];
  }
  const verdicts: CheckedFile[] = [];
  let { bytes } = found;
  for (const check of checks) {
    // A worker takes over the bytes that it is given.
    const ended = await runCheck(name, check, new Uint8Array(bytes), options, hooks?.form);
    if (hooks === undefined) verdicts.push(ended.verdict);
    else {
      const after = await hooks.afterCheck({ file, check, ...ended, bytes });
      verdicts.push(after.verdict);
      bytes = after.bytes;
    }
  }
  const left = (await hooks?.afterFile(file, verdicts, found.bytes, bytes)) ?? { verdicts, bytes };
  const fitting = replaceMisfits(left.verdicts, checks, left.bytes);
  return (await finish?.(file, fitting, left.bytes)) ?? fitting;
}

/** Leaves out the checks that read any text where there is none; a validator of a format has to report it. */
function withoutBinary(file: FileToCheck, bytes: Uint8Array): FileToCheck {
  const isForText = ({ tool }: Check): boolean => tool.accepts === "text" && tool.runBytes === undefined;
  if (!file.checks.some(isForText) || !isBinary(bytes)) return file;
  return { ...file, checks: file.checks.filter((check) => !isForText(check)) };
}

/** Runs one check of a document. @throws ToolError if the call itself is invalid, which holds for every file. */
export async function runCheck(
  name: string,
  check: Check,
  bytes: Uint8Array,
  runner: CheckRunner,
  form: AnswerForm = "report",
): Promise<Pick<EndedCheck, "verdict" | "answer">> {
  if (check.against === undefined) return runOnce(name, check, bytes, runner, form);
  const { against, ...rest } = check;
  const prepared = await prepareComparison(name, rest, against, bytes);
  if ("verdict" in prepared) return prepared;
  try {
    const { verdict, answer } = await runOnce(name, prepared, bytes, runner, form);
    return { verdict: { ...verdict, compared: "changed" }, ...(answer && { answer }) };
  } catch (error) {
    if (!(error instanceof OldVersionFault)) throw error;
    return { verdict: toUncompared(name, check, against.revision, error.message) };
  }
}

/** Runs a check once all its options are known. */
async function runOnce(
  name: string,
  check: Check,
  bytes: Uint8Array,
  { run, readSettings }: CheckRunner,
  form: AnswerForm,
): Promise<Pick<EndedCheck, "verdict" | "answer">> {
  const { tool, options } = check;
  try {
    const { settings } = tool;
    const above = settings && (await readSettings(name, settings.file));
    const fitting = {
      ...tool.fileOptions?.(name),
      ...(above && settings?.toOptions(above.path, above.found)),
    };
    const answer = await run({
      tool,
      body: {
        kind: "raw",
        bytes,
        text: tool.runBytes === undefined,
        options: withFileOptions(options, fitting),
      },
      form,
      check: true,
    });
    const { report } = answer;
    if (report === undefined) throw new Error("A check answered without a report");
    const lastStep = (tool.steps?.length ?? 1) - 1;
    const errors = report.errors.map((finding) => toOwnPlace(finding, tool, lastStep));
    return { verdict: toVerdict(name, check, errors), answer };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    if (concernsOptions(error, tool)) throw check.toRefusal(error);
    const errors = toFindings(error).map((finding) => toOwnPlace(finding, tool, stepOf(error) ?? 0));
    if (errorCodes[error.code].exit !== 3) return { verdict: toVerdict(name, check, errors) };
    return { verdict: { name, tool, valid: false, errors, failed: true } };
  }
}

/** Adds the options that fit the file; those of the caller win. */
function withFileOptions(
  options: Check["options"],
  fitting: Readonly<Record<string, boolean | string>> = {},
): Check["options"] {
  if (!Array.isArray(options)) return { ...fitting, ...options };
  const given = new Set(options.map(([name]) => name));
  const more = Object.entries(fitting).filter(([name]) => !given.has(name));
  return [...options, ...more.map(([name, value]): [string, string] => [name, String(value)])];
}

function toVerdict(name: string, check: Check, found: readonly FileFinding[]): CheckedFile {
  const errors = applyLevels(found, check);
  return { name, tool: check.tool, valid: passes(errors), errors };
}

/** Whether a refusal is about the options, a second document among them, and so holds for every file. */
function concernsOptions({ code, details }: ToolError, tool: CatalogTool): boolean {
  const [first] = details.errors ?? [];
  if (first?.field !== undefined) return tool.steps === undefined;
  return (
    errorCodes[code].exit === 2 && code !== "body_too_large" && !/^\/data(?:\/|$)/.test(first?.pointer ?? "")
  );
}

/** Makes the entry for a file that could not be read, and for an argument that selects none. */
export const toUnread = (
  name: string,
  message: string,
  rule: "no-match" | "unreadable",
  more: Pick<CheckedFile, "tool" | "failed"> = {},
): CheckedFile => ({
  name,
  valid: false,
  errors: [{ message, severity: "error", rule }],
  unread: true,
  ...more,
});

/** Moves the place of a finding of a later pipeline step into its message: its lines are not those of the file. */
function toOwnPlace(finding: FileFinding, { steps }: CatalogTool, step: number): FileFinding {
  if (steps === undefined || step === 0) return finding;
  const { message, severity, rule, line, column } = finding;
  const where = line === undefined ? "" : ` (line ${line}, column ${column} of its input)`;
  return { message: `Step ${step + 1} (${steps[step]?.tool}): ${message}${where}`, severity, rule };
}

function toFindings(error: ToolError): FileFinding[] {
  const places: readonly ErrorPlace[] = error.details.errors ?? [{ message: error.message }];
  return places.map((place) =>
    Object.assign({ severity: "error" as const, rule: error.code }, toShownPlace(place)),
  );
}
