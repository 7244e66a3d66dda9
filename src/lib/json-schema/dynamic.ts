import { isDictionary } from "../data/value.ts";
import type { Scope } from "./evaluation.ts";
import type { Resource, Target } from "./registry.ts";

/**
 * `$dynamicRef` (2020-12, core §8.2.3.2): the outermost resource with a dynamic anchor of that name, if the
 * first target has one.
 */
export function dynamicTarget(target: Target, scope: Scope): Target {
  if (target.dynamic === undefined) return target;
  let found = target;
  for (const resource of outwards(scope)) {
    const schema = resource.dynamicAnchors.get(target.dynamic);
    if (schema !== undefined) found = { schema, resource };
  }
  return found;
}

/**
 * `$recursiveRef` (2019-09, core §8.2.4.2): the outermost resource whose root has `$recursiveAnchor`, if the
 * first target's root has it.
 */
export function recursiveTarget(target: Target, scope: Scope): Target {
  if (!isRecursive(target.resource)) return target;
  let found = target;
  for (const resource of outwards(scope)) {
    if (isRecursive(resource)) found = { schema: resource.root, resource };
  }
  return found;
}

function* outwards(scope: Scope): Generator<Resource> {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) yield at.resource;
}

const isRecursive = ({ root }: Resource): boolean =>
  isDictionary(root) && root.get("$recursiveAnchor") === true;
