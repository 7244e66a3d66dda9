import type { Expressions, Place } from "../check-expressions.ts";
import type { Call, Parsed } from "../expression.ts";
import { child, quote, textOf } from "../node.ts";

/** Checks calls of functions: the places of `format`, all secrets at once, and texts that are taken for lists. */
export function checkCalls(parsed: Parsed, place: Place, run: Expressions): void {
  const { calls, references, comparisons } = parsed;
  checkObjects(parsed, place, run);
  for (const call of calls) {
    if (call.name === "format") checkFormat(call, place, run);
    if (call.name === "fromjson") checkJson(call, place, run);
    if (call.name === "contains") checkContains(call, place, run);
  }
  for (const { path, whole, places } of references) {
    if (path.length === 1 && path[0] === "secrets" && whole)
      run.report(
        "secrets-in-bulk",
        place.node,
        "toJSON(secrets) passes every secret of the repository on; name those that are needed.",
        { severity: "warning", character: places[0] ?? 0 },
      );
  }
  for (const { path, text, place: character } of comparisons)
    if (
      (path === "github.actor" || path === "github.triggering_actor") &&
      text.endsWith("[bot]") &&
      isPrivileged(run)
    )
      run.report(
        "spoofable-actor",
        place.node,
        `${path} is whoever ran this last, so a stranger can have ${text.slice(0, 40)} be it; compare github.event.pull_request.user.login.`,
        { severity: "warning", character },
      );
}

/** Events that run with the rights of the repository on what strangers propose. */
export const isPrivileged = ({ model: { events } }: Pick<Expressions, "model">): boolean =>
  ["pull_request_target", "workflow_run", "issue_comment", "issues"].some((name) => events.has(name));

function checkFormat({ texts, place: character }: Call, place: Place, run: Expressions): void {
  const [format] = texts;
  if (format === undefined) return;
  const report = (message: string): void => run.report("expression", place.node, message, { character });
  const wanted = new Set<number>();
  for (const [, number] of format.replaceAll(/\{\{|\}\}/g, "").matchAll(/\{(\d{1,6})\}/g))
    wanted.add(Number(number));
  const given = texts.length - 1;
  const missing = [...wanted].find((number) => number >= given);
  if (missing !== undefined)
    report(`format has {${missing}} in its text and no argument for it; it has ${given}.`);
  for (let number = 0; number < Math.min(given, 100); number++)
    if (!wanted.has(number)) return report(`format has an argument that its text lacks: {${number}}.`);
}

function checkJson({ texts, place: character }: Call, place: Place, run: Expressions): void {
  const [text] = texts;
  if (text === undefined) return;
  try {
    JSON.parse(text);
  } catch {
    run.report("expression", place.node, `fromJSON gets a text that is no JSON: ${quote(text)}.`, {
      character,
    });
  }
}

/** `contains('refs/heads/main refs/heads/dev', github.ref)` is true for `refs/heads/m`, too. */
function checkContains({ texts, references, place: character }: Call, place: Place, run: Expressions): void {
  const chosen = ["github.ref", "github.ref_name", "github.head_ref", "github.base_ref", "github.actor"];
  const [list] = texts;
  const name = references[1] ?? "";
  if (list === undefined || !/[\s,|]/.test(list) || !chosen.includes(name)) return;
  const message = `contains looks for a part of a text, so that a part of a name is found, too; use contains(fromJSON('[…]'), ${name}).`;
  run.report("unsound-contains", place.node, message, { severity: "warning", character });
}

const objects = new Set(
  "env github inputs job jobs matrix needs runner secrets steps strategy vars".split(" "),
);

/** Whether a path is that of an object, and not of a text. */
function isObject(path: string): boolean {
  const [context = "", second, third, ...more] = path.split(".");
  if (second === undefined) return objects.has(context);
  if (path === "github.event") return true;
  const hasOutputs = context === "steps" || context === "needs";
  return hasOutputs && second !== "*" && more.length === 0 && (third === undefined || third === "outputs");
}

/** Reports objects where a text is expected: in a script, an argument or a comparison they are the text `Object`. */
function checkObjects(
  { references, calls, compared, alone }: Parsed,
  { node, keys }: Place,
  run: Expressions,
): void {
  const report = (path: string, character: number, what: string): void =>
    run.report("object-as-text", node, `${path.slice(0, 80)} is an object, ${what}.`, { character });
  const isScript = keys[0] === "step" && (keys[1] === "run" || keys[1] === "name");
  for (const { path, places } of references)
    if (isScript && alone && isObject(path.join(".")))
      report(
        path.join("."),
        places[0] ?? 0,
        "which becomes the text Object; use toJSON or one of its members",
      );
  for (const { name, references: given, place } of calls)
    for (const path of ["startswith", "endswith"].includes(name) ? given : [])
      if (path !== undefined && isObject(path))
        report(path, place, `and ${name} takes texts; use one of its members`);
  for (const { path, place } of compared)
    if (isObject(path)) report(path, place, "so that the comparison is never true; use one of its members");
}

/** Whether a step calls an action, whatever its version. */
export const usesAction = (step: Parameters<typeof child>[0], name: string): boolean =>
  (textOf(child(step, "uses")) ?? "").toLowerCase().startsWith(`${name}@`);
