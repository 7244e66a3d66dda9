import type { Expressions, Place } from "../check-expressions.ts";
import { untrusted } from "../contexts.ts";
import { findExpressions, type Parsed, parseExpression } from "../expression.ts";
import type { Model } from "../model.ts";
import { child, entriesOf, type Node } from "../node.ts";
import { usesAction } from "./calls.ts";

/**
 * Reports values in a script that a stranger chooses: GitHub replaces an expression in it before the shell reads the script, so
 * that a title such as `$(curl …)` runs.
 */
export function checkInjection({ references }: Parsed, place: Place, run: Expressions): void {
  const { node, keys, step } = place;
  const isScript =
    (keys[0] === "step" && keys.length === 2 && keys[1] === "run") ||
    (keys[1] === "with" && keys[2] === "script" && usesAction(step, "actions/github-script"));
  if (!isScript) return;
  for (const { path, written, places, flows, whole } of references) {
    if (!flows) continue;
    const name = written.join(".").slice(0, 80);
    const character = places[0] ?? 0;
    const advice = "pass it as a variable of env, and use that in quotes";
    if (isUntrusted(path, whole))
      run.report(
        "injection",
        node,
        `${name} is chosen by others and becomes code of the script; ${advice}.`,
        { character },
      );
    else if (path[0] === "env" && path.length === 2 && holdsUntrusted(path[1] ?? "", place, run))
      run.report(
        "injection",
        node,
        `${name} has a value that is chosen by others, and becomes code of the script; use the variable of the shell in the place of the expression.`,
        { character },
      );
  }
}

type Path = readonly (string | undefined)[];

/** Whether a path is that of a value that a stranger chooses, or with toJSON of an object that has one. */
const isUntrusted = (path: Path, whole: boolean): boolean =>
  untrusted.some(
    (one) =>
      (path.length === one.length || (whole && path.length < one.length)) &&
      path.every(
        (token, index) => token === one[index] || token === undefined || (token === "*" && index > 1),
      ),
  );

function holdsUntrusted(name: string, place: Place, run: Expressions): boolean {
  const value = variableOf(name, place, run.model);
  if (value?.kind !== "scalar") return false;
  return findExpressions(value.text).some((expression) =>
    parseExpression(run.library, expression)?.references.some(
      ({ path, flows, whole }) => flows && isUntrusted(path, whole),
    ),
  );
}

/** Returns the value of a variable that the environment of a step has by the document. */
function variableOf(name: string, { step, scope }: Place, { root }: Model): Node | undefined {
  for (const holder of [step, scope.job?.node, root]) {
    const entry = entriesOf(child(holder, "env")).find(({ key }) => key.text.toLowerCase() === name);
    if (entry !== undefined) return entry.value;
  }
  return undefined;
}
