import { BudgetError } from "../../../lib/budget.ts";
import { OptionFault } from "../../../lib/fault.ts";
import { messageOf } from "../../../lib/jq/evaluate.ts";
import { JqError, JqHalt } from "../../../lib/jq/fault.ts";
import { LimitError, noLimits } from "../../../lib/jq/meter.ts";
import { compileJq, type JqFilter } from "../../../lib/jq/run.ts";
import type { JqValue } from "../../../lib/jq/value.ts";
import { TextTooLong, toText } from "../../../lib/jq/write-json.ts";
import { defineLeaf } from "../command.ts";
import type { Host } from "../host.ts";
import { usageError } from "../usage-error.ts";
import { visible } from "../visible.ts";
import { InputFault } from "./inputs.ts";
import { openSource, type Source } from "./source.ts";
import { variablesOf } from "./variables.ts";
import { toLongOptions } from "./words.ts";

export const jqCommand = defineLeaf({
  description:
    "Run a filter of jq 1.8 on JSON from files or standard input; exit status 0, 1 or 4 (with -e), 2 a bad call or input, 3 a bad filter, 5 an error of the filter.",
  args: {
    filter: { type: "positional", required: false, description: "The filter; . if left out" },
    file: {
      type: "positional",
      required: false,
      description: "Files with JSON values, standard input if none",
    },
    "raw-output": { type: "boolean", description: "Write strings without quotes (-r)" },
    "join-output": { type: "boolean", description: "The same without line ends (-j)" },
    "raw-output0": { type: "boolean", description: "The same as -r, with NUL in the place of each line end" },
    seq: {
      type: "boolean",
      description: "Write the record separator of RFC 7464 before each result, and skip it in the input",
    },
    stream: {
      type: "boolean",
      description: "Run on the events of tostream, a path and a value, in the place of each input",
    },
    "ascii-output": { type: "boolean", description: "Write what is beyond ASCII as escapes (-a)" },
    "compact-output": { type: "boolean", description: "Write each result on one line (-c)" },
    tab: { type: "boolean", description: "Indent with tabs" },
    indent: { type: "string", valueHint: "N", description: "Spaces per level, 0 to 7 (2)" },
    "sort-keys": { type: "boolean", description: "Sort the keys of objects (-S)" },
    slurp: { type: "boolean", description: "Run once, on an array of all inputs (-s)" },
    "null-input": { type: "boolean", description: "Run once, on null; input and inputs read (-n)" },
    "raw-input": { type: "boolean", description: "Each line is a string (-R)" },
    "exit-status": {
      type: "boolean",
      description: "Exit with 1 if the last result is false or null, 4 without results (-e)",
    },
    "from-file": { type: "string", valueHint: "FILE", description: "Read the filter from a file (-f)" },
    arg: { type: "string", valueHint: "NAME VALUE", description: "Set $NAME to a string" },
    argjson: { type: "string", valueHint: "NAME JSON", description: "Set $NAME to a JSON value" },
    slurpfile: {
      type: "string",
      valueHint: "NAME FILE",
      description: "Set $NAME to the array of the values of a file",
    },
    rawfile: { type: "string", valueHint: "NAME FILE", description: "Set $NAME to the text of a file" },
    args: {
      type: "string",
      valueHint: "TEXT ...",
      description: "The words after it are strings in $ARGS.positional",
    },
    jsonargs: { type: "string", valueHint: "JSON ...", description: "The same, as JSON values" },
    "max-steps": {
      type: "string",
      valueHint: "N",
      description: "Most steps of the filter for each input (no limit)",
    },
  },
  many: true,
  repeatable: ["arg", "argjson", "slurpfile", "rawfile", "args", "jsonargs"],
  rewrite: toLongOptions,
  examples: [
    "penknife jq '.items[] | {name, size}' list.json",
    "kubectl get pods -o json | penknife jq -r '.items[].metadata.name'",
    "penknife jq -s 'group_by(.user) | map({user: .[0].user, n: length})' log.ndjson",
  ],
  async run(args, host, raw) {
    const [first, ...more] = raw.slice(raw.indexOf("--") + 1);
    const fromFile = args["from-file"];
    const files = fromFile === undefined ? more : [...(first === undefined ? [] : [first]), ...more];
    const program = fromFile === undefined ? (first ?? ".") : readProgram(fromFile, host);
    const steps = wholeNumber("max-steps", args["max-steps"], 1, Number.MAX_SAFE_INTEGER);
    const indent = wholeNumber("indent", args.indent, 0, 7) ?? 2;
    const variables = variablesOf(raw, host);
    let filter: JqFilter;
    try {
      const limits = steps === undefined ? noLimits : { ...noLimits, steps };
      const environment = new Map<string, JqValue>(
        Object.entries(host.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
      );
      filter = await compileJq(program, { variables, files: true, limits, environment });
    } catch (error) {
      if (!(error instanceof OptionFault)) throw error;
      await host.stderr.write(`penknife: The filter is at fault: ${placed(error, program)}\n`);
      return 3;
    }
    const join = args["join-output"] === true;
    const nul = args["raw-output0"] === true;
    const bare = join || nul || args["raw-output"] === true;
    const end = join ? "" : nul ? "\0" : "\n";
    const start = args.seq === true ? "\x1e" : "";
    const layout = {
      indent: args.tab === true ? "\t" : args["compact-output"] === true ? "" : " ".repeat(indent),
      sortKeys: args["sort-keys"] === true,
      ascii: args["ascii-output"] === true,
    };
    const write = (value: JqValue): string => {
      const plain = bare && typeof value === "string" && !layout.ascii;
      if (plain && nul && value.includes("\0"))
        throw new JqError("Cannot dump a string containing NUL with --raw-output0 option");
      return start + (plain ? value : toText(value, layout)) + end;
    };
    const output = createBuffer(host);
    const source = openSource(files, {
      lines: args["raw-input"] === true,
      slurp: args.slurp === true,
      nothing: args["null-input"] === true,
      separated: args.seq === true,
      events: args.stream === true,
      wait: output.flush,
    });
    const { status, last } = await runAll(filter, source, { host, output, write });
    await output.end();
    if (status !== 0 || args["exit-status"] !== true) return status;
    return last === undefined ? 4 : last === null || last === false ? 1 : 0;
  },
});

interface Running {
  host: Host;
  output: OutputBuffer;
  write(value: JqValue): string;
}

async function runAll(
  filter: JqFilter,
  source: Source,
  { host, output, write }: Running,
): Promise<{ status: number; last: JqValue | undefined }> {
  let status = 0;
  let last: JqValue | undefined;
  const report = async (message: string): Promise<void> => {
    await output.end();
    await host.stderr.write(`penknife: jq: ${visible(message)}\n`);
  };
  const messages: string[] = [];
  const world = {
    input: source.next,
    now: () => host.runtime.now() / 1000,
    message: (text: string) => messages.push(text),
    filename: () => source.filename(),
  };
  try {
    for (let input = source.first(); input !== undefined; input = source.following()) {
      try {
        const results = filter.run(input, world);
        for (let result = results.next(); result !== undefined; result = results.next()) {
          last = result;
          await output.write(write(result));
        }
      } catch (error) {
        if (error instanceof JqError) await report(messageOf(error.value));
        else if (error instanceof LimitError || error instanceof BudgetError || error instanceof TextTooLong)
          await report(error.message);
        else throw error;
        status = 5;
      }
      if (messages.length > 0) await host.stderr.write(messages.splice(0).join(""));
    }
  } catch (error) {
    if (error instanceof JqHalt) {
      await output.end();
      const { value } = error;
      if (value !== undefined)
        await host.stderr.write(typeof value === "string" ? value : `${toText(value)}\n`);
      return { status: error.status, last };
    }
    if (!(error instanceof InputFault)) throw error;
    await report(error.message);
    return { status: 2, last };
  }
  for (const fault of source.faults()) await report(fault);
  return { status: source.faults().length > 0 ? 2 : status, last };
}

interface OutputBuffer {
  write(text: string): Promise<void> | undefined;
  /** Starts to write what is held, before the process waits for input. */
  flush(): void;
  end(): Promise<void>;
}

const heldUnits = 64 * 1024;

function createBuffer({ stdout }: Host): OutputBuffer {
  let held = "";
  let written: Promise<void> = Promise.resolve();
  const flush = (): void => {
    if (held === "") return;
    const text = held;
    held = "";
    written = stdout.write(text);
    // The next write or the end reports it.
    written.catch(() => {});
  };
  const end = async (): Promise<void> => {
    flush();
    await written;
  };
  return {
    write(text) {
      held += text;
      return held.length > heldUnits ? end() : undefined;
    },
    flush,
    end,
  };
}

function readProgram(path: string, { files }: Host): string {
  const text = files.readText(path);
  if (text === undefined)
    throw usageError(`${visible(path)} does not exist; --from-file names a file with a filter.`);
  return text;
}

function wholeNumber(name: string, text: string | undefined, least: number, max: number): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : -1;
  if (value < least || value > max) throw usageError(`--${name} must be a number from ${least} to ${max}.`);
  return value;
}

function placed({ message, index }: OptionFault, program: string): string {
  const sentence = visible(message.replace(/\.$/, ""));
  if (index === undefined) return `${sentence}.`;
  const before = program.slice(0, index).split("\n");
  return `${sentence}, at line ${before.length}, column ${Array.from(before.at(-1) ?? "").length + 1}.`;
}
