import { joinWords } from "../join-words.ts";
import { nearest } from "../nearest.ts";
import { fixedMembers, needMembers, stepMembers } from "./contexts.ts";
import type { Reference } from "./expression.ts";
import type { Job, Model, Steps } from "./model.ts";
import { child, entriesOf, quote } from "./node.ts";

/** Where an expression stands. */
export interface Scope {
  job?: Job | undefined;
  /** The steps of the job or action. */
  steps: Steps;
  /** How many of them have run. */
  before: number;
}

export interface Fault {
  rule: string;
  message: string;
  /** The member that is at fault, as an index of the path. */
  member: number;
  severity?: "warning";
}

/** Returns what is wrong with a member of a context; undefined if nothing is, or if only GitHub knows. */
export function findReferenceFault(reference: Reference, scope: Scope, model: Model): Fault | undefined {
  const [context, first, second, third] = reference.path;
  if (context === undefined || first === undefined) return undefined;
  if (first === "*" && /^\d+$/.test(reference.written[1] ?? "")) {
    const message = `The context ${context} has names, and no index ${(reference.written[1] ?? "").slice(0, 20)}.`;
    return { rule: "unknown-member", message, member: 1 };
  }
  if (first === "*") return undefined;
  const shown = quote(reference.written[1] ?? "");
  const fixed = fixedMembers.get(context);
  if (fixed !== undefined) {
    if (
      context === "github" &&
      first === "event" &&
      second === "inputs" &&
      model.events.has("workflow_dispatch")
    )
      return findInput(third, reference, 3, model);
    return fixed.includes(first)
      ? findBelowFixed(context, first, second, third, reference)
      : toUnknown("unknown-member", `The context ${context} has no ${shown}.`, first, fixed);
  }
  switch (context) {
    case "inputs":
      return findInput(first, reference, 1, model);
    case "steps":
      return findStep(first, second, reference, scope);
    case "needs":
      return findNeed(reference, scope, model);
    case "matrix":
      return findMatrix(first, second, reference, scope);
    case "jobs":
      return findJob(first, second, third, reference, model);
    case "secrets":
      return findSecret(first, reference, model);
    default:
      return undefined;
  }
}

const containerMembers = ["id", "network"];

/** Members of those that are the same in every workflow: most are texts. */
function findBelowFixed(
  context: string,
  first: string,
  second: string | undefined,
  third: string | undefined,
  { written }: Reference,
): Fault | undefined {
  if (second === undefined || second === "*" || (context === "github" && first === "event")) return undefined;
  const isServices = context === "job" && first === "services";
  if (!isServices && !(context === "job" && first === "container")) {
    const message = `${context}.${first} is a text or number, which has no ${quote(written[2] ?? "")}.`;
    return { rule: "unknown-member", message, member: 2 };
  }
  const known = isServices ? [...containerMembers, "ports"] : containerMembers;
  const [member, place] = isServices ? [third, 3] : [second, 2];
  if (member === undefined || member === "*" || known.includes(member)) return undefined;
  return toUnknown(
    "unknown-member",
    `A container has no ${quote(written[place] ?? "")}.`,
    member,
    known,
    place,
  );
}

function toUnknown(rule: string, message: string, name: string, known: Iterable<string>, member = 1): Fault {
  const names = [...known];
  const near = nearest(name, names);
  const advice =
    near !== undefined
      ? ` Did you mean ${near}?`
      : names.length > 0 && names.length <= 12
        ? ` It has ${joinWords(names, "and")}.`
        : "";
  return { rule, message: message + advice, member };
}

function findInput(
  name: string | undefined,
  reference: Reference,
  member: number,
  { inputs, kind, events }: Model,
): Fault | undefined {
  if (name === undefined || name === "*" || inputs.has(name)) return undefined;
  const shown = quote(reference.written[member] ?? "");
  if (kind === "workflow" && !events.has("workflow_call") && !events.has("workflow_dispatch")) {
    const message = `There is no input ${shown}: only workflow_call and workflow_dispatch have inputs.`;
    return { rule: "unknown-input", message, member };
  }
  const names = [...inputs];
  const near = nearest(name, names);
  const advice =
    near !== undefined
      ? ` Did you mean ${near}?`
      : names.length === 0
        ? " None is declared."
        : names.length <= 12
          ? ` Declared: ${names.join(", ")}.`
          : "";
  return { rule: "unknown-input", message: `There is no input ${shown}.${advice}`, member };
}

function findStep(
  id: string,
  member: string | undefined,
  { written }: Reference,
  { steps, before }: Scope,
): Fault | undefined {
  const at = steps.ids.get(id);
  const shown = quote(written[1] ?? "");
  if (at === undefined) {
    const ids = [...steps.ids.keys()];
    const near = nearest(id, ids);
    const advice =
      near !== undefined
        ? ` Did you mean ${near}?`
        : ids.length === 0
          ? " No step here has an id."
          : ids.length <= 12
            ? ` Ids here: ${ids.join(", ")}.`
            : "";
    return { rule: "unknown-step", message: `There is no step with the id ${shown}.${advice}`, member: 1 };
  }
  if (at >= before) {
    const when = at === before ? "is this step itself" : "comes later";
    return {
      rule: "unknown-step",
      message: `The step ${shown} ${when}, so it has no outputs yet.`,
      member: 1,
    };
  }
  if (member === undefined || member === "*" || stepMembers.includes(member)) return undefined;
  return toUnknown("unknown-member", `A step has no ${quote(written[2] ?? "")}.`, member, stepMembers, 2);
}

function findNeed({ path, written }: Reference, { job }: Scope, { jobs }: Model): Fault | undefined {
  const [, id = "", member, output] = path;
  if (job === undefined) return undefined;
  const shown = quote(written[1] ?? "");
  if (!job.needs.has(id)) {
    const isJob = jobs.has(id);
    const near = nearest(id, job.needs.keys());
    const advice = isJob
      ? ` Add it to needs of ${job.entry.key.text}.`
      : near === undefined
        ? ""
        : ` Did you mean ${near}?`;
    return { rule: "unknown-need", message: `The job does not need ${shown}.${advice}`, member: 1 };
  }
  if (member === undefined || member === "*") return undefined;
  if (!needMembers.includes(member))
    return toUnknown(
      "unknown-member",
      `A needed job has no ${quote(written[2] ?? "")}.`,
      member,
      needMembers,
      2,
    );
  const outputs = jobs.get(id)?.outputs;
  if (member !== "outputs" || output === undefined || output === "*" || outputs === undefined)
    return undefined;
  return outputs.has(output) ? undefined : toUnknownOutput(written, output, outputs);
}

function toUnknownOutput(written: readonly string[], output: string, outputs: ReadonlySet<string>): Fault {
  const advice = outputs.size === 0 ? " It has no outputs." : "";
  const message = `The job ${quote(written[1] ?? "")} has no output ${quote(written[3] ?? "")}.${advice}`;
  return toUnknown("unknown-output", message, output, outputs, 3);
}

function findMatrix(
  name: string,
  member: string | undefined,
  { written }: Reference,
  { job }: Scope,
): Fault | undefined {
  if (job === undefined || job.matrix === "any") return undefined;
  if (job.matrix === undefined) {
    const message = `The job has no matrix, so that matrix.${(written[1] ?? "").slice(0, 80)} is empty.`;
    return { rule: "unknown-matrix", message, member: 1 };
  }
  if (!job.matrix.has(name))
    return toUnknown(
      "unknown-matrix",
      `The matrix of the job has no ${quote(written[1] ?? "")}.`,
      name,
      job.matrix.keys(),
    );
  const members = job.matrix.get(name);
  if (members === undefined || member === undefined || member === "*" || members.has(member))
    return undefined;
  return toUnknown(
    "unknown-matrix",
    `No value of matrix.${(written[1] ?? "").slice(0, 80)} has ${quote(written[2] ?? "")}.`,
    member,
    members,
    2,
  );
}

function findJob(
  id: string,
  member: string | undefined,
  output: string | undefined,
  { written }: Reference,
  { jobs }: Model,
): Fault | undefined {
  const job = jobs.get(id);
  if (job === undefined)
    return toUnknown("unknown-job", `There is no job ${quote(written[1] ?? "")}.`, id, jobs.keys());
  if (member === undefined || member === "*") return undefined;
  if (!needMembers.includes(member))
    return toUnknown("unknown-member", `A job has no ${quote(written[2] ?? "")}.`, member, needMembers, 2);
  if (member !== "outputs" || output === undefined || output === "*" || job.outputs === undefined)
    return undefined;
  return job.outputs.has(output) ? undefined : toUnknownOutput(written, output, job.outputs);
}

const ownSecrets = ["github_token", "actions_runner_debug", "actions_step_debug"];

/** A workflow that only others call has the secrets that it declares, and with `secrets: inherit` those of its caller. */
function findSecret(name: string, { written }: Reference, { events }: Model): Fault | undefined {
  const call = events.get("workflow_call");
  const declared = child(call?.settings, "secrets");
  if (events.size !== 1 || declared === undefined) return undefined;
  const names = [...entriesOf(declared).map(({ key }) => key.text.toLowerCase()), ...ownSecrets];
  if (names.includes(name)) return undefined;
  const message = `The workflow does not declare the secret ${quote(written[1] ?? "")}.`;
  return { ...toUnknown("unknown-secret", message, name, names), severity: "warning" };
}
