import { equalValues } from "../data/equal.ts";
import type { Report } from "./change.ts";
import { childOf, itemsOf, membersOf, objectAt, type Place, textAt } from "./places.ts";
import type { Api } from "./read-api.ts";

/** The schemes that a request has to use together, with their scopes. */
type Requirement = ReadonlyMap<string, ReadonlySet<string>>;

/** A list of requirements of which a request has to meet one; none is the same as one that is empty. */
function readRequirements(place: Place | undefined): { list: Requirement[]; pointers: string[] } {
  const items = itemsOf(place);
  if (items.length === 0) return { list: [new Map()], pointers: [place?.pointer ?? ""] };
  return {
    list: items.map(
      (item) =>
        new Map(
          membersOf(item).map(([name, scopes]) => [
            name,
            new Set(itemsOf(scopes).flatMap(({ value }) => (typeof value === "string" ? [value] : []))),
          ]),
        ),
    ),
    pointers: items.map(({ pointer }) => pointer),
  };
}

const meets = (given: Requirement, wanted: Requirement): boolean =>
  [...wanted].every(([name, scopes]) => {
    const own = given.get(name);
    return own !== undefined && [...scopes].every((scope) => own.has(scope));
  });

const hasSchemes = (given: Requirement, wanted: Requirement): boolean =>
  [...wanted.keys()].every((name) => given.has(name));

/** Alternatives that are compared with one another. */
const maxAlternatives = 200;

/** Compares what a request needs: every way that was enough has to be enough still. */
export function compareSecurity(
  old: Place | undefined,
  now: Place | undefined,
  holders: { old: string; new: string },
  report: Report,
): void {
  const [before, after] = [readRequirements(old), readRequirements(now)];
  if (before.list.length > maxAlternatives || after.list.length > maxAlternatives) return;
  const where = { old: old?.pointer ?? holders.old, new: now?.pointer ?? holders.new };
  const [wasOpen, isOpen] = [before, after].map(({ list }) => list.some((one) => one.size === 0));
  if (wasOpen === true && isOpen === false)
    return report("security-added", where, `a request needs ${show(after.list[0])} now`);
  if (
    wasOpen === false &&
    isOpen === true &&
    before.list.every((one) => after.list.some((other) => meets(one, other)))
  )
    report(
      "security-removed",
      { ...where, isOld: now === undefined },
      "a request needs no credentials any more",
    );
  for (const [at, one] of before.list.entries()) {
    if (after.list.some((other) => meets(one, other))) continue;
    const place = { ...where, old: before.pointers[at] as string };
    if (after.list.some((other) => hasSchemes(one, other)))
      report("security-scope-added", place, `a request with ${show(one)} needs more scopes`);
    else
      report(
        "security-alternative-removed",
        { ...place, isOld: true },
        `${show(one)} is not enough any more`,
      );
  }
  for (const [at, other] of after.list.entries()) {
    if (other.size === 0 || before.list.some((one) => meets(other, one) && meets(one, other))) continue;
    const place = { ...where, new: after.pointers[at] as string };
    if (before.list.some((one) => meets(one, other) && hasSchemes(other, one)))
      report("security-scope-removed", place, `a request with ${show(other)} needs fewer scopes`);
    else if (!before.list.some((one) => hasSchemes(one, other) && hasSchemes(other, one)))
      report("security-alternative-added", place, `${show(other)} is enough now`);
  }
}

const show = (requirement: Requirement = new Map()): string =>
  requirement.size === 0
    ? "no credentials"
    : [...requirement.keys()].map((name) => JSON.stringify(name.slice(0, 80))).join(" and ");

const deciding = ["type", "in", "name", "scheme", "openIdConnectUrl", "flow"];
const urls = ["authorizationUrl", "tokenUrl", "refreshUrl"];

/** Compares the security schemes of the components. */
export function compareSchemes(old: Api, now: Api, report: Report): void {
  for (const [name, place] of old.schemes) {
    const shown = JSON.stringify(name.slice(0, 80));
    const other = now.schemes.get(name);
    const [a, b] = [objectAt(old.side, place), objectAt(now.side, other)];
    if (other === undefined)
      report(
        "security-scheme-removed",
        { old: place.pointer, new: "", isOld: true },
        `the security scheme ${shown} was removed`,
      );
    if (a === undefined || b === undefined) continue;
    const where = { old: a.pointer, new: b.pointer };
    // The names of schemes have no case.
    const valueOf = (one: Place, key: string): string | undefined => textAt(one, key)?.toLowerCase();
    const changed = deciding.filter(
      (key) =>
        valueOf(a, key) !== valueOf(b, key) && (key !== "flow" || old.side.version === now.side.version),
    );
    if (changed.length > 0 && !isBasic(a, b))
      report(
        "security-scheme-changed",
        where,
        `${changed.join(", ")} of the security scheme ${shown} changed`,
      );
    else compareFlows(a, b, shown, report);
  }
  for (const [name, place] of now.schemes)
    if (!old.schemes.has(name))
      report(
        "security-scheme-added",
        { old: "", new: place.pointer },
        `the security scheme ${JSON.stringify(name.slice(0, 80))} was added`,
      );
}

/** `type: basic` of 2.0 is `type: http` with `scheme: basic`. */
const isBasic = (a: Place, b: Place): boolean => {
  const kind = (one: Place): string | undefined =>
    textAt(one, "type") === "http" ? textAt(one, "scheme")?.toLowerCase() : textAt(one, "type");
  return kind(a) === "basic" && kind(b) === "basic";
};

function compareFlows(a: Place, b: Place, shown: string, report: Report): void {
  const flowsOf = (one: Place): [string, Place][] => [["", one], ...membersOf(childOf(one, "flows"))];
  const others = new Map(flowsOf(b));
  for (const [name, flow] of flowsOf(a)) {
    const other = others.get(name);
    if (other === undefined) {
      report(
        "security-scheme-changed",
        { old: flow.pointer, new: b.pointer, isOld: true },
        `the flow ${name} of the security scheme ${shown} was removed`,
      );
      continue;
    }
    for (const url of urls) {
      const [x, y] = [childOf(flow, url), childOf(other, url)];
      if (x !== undefined && !equalValues(x.value, y?.value ?? null))
        report(
          "security-scheme-url-changed",
          { old: x.pointer, new: y?.pointer ?? other.pointer, isOld: y === undefined },
          `${url} of the security scheme ${shown} changed`,
        );
    }
    const [before, after] = [flow, other].map((one) => new Map(membersOf(childOf(one, "scopes")))) as [
      Map<string, Place>,
      Map<string, Place>,
    ];
    for (const [scope, place] of before)
      if (!after.has(scope))
        report(
          "security-scheme-scope-removed",
          { old: place.pointer, new: other.pointer, isOld: true },
          `the scope ${JSON.stringify(scope.slice(0, 80))} of the security scheme ${shown} was removed`,
        );
    for (const [scope, place] of after)
      if (!before.has(scope))
        report(
          "security-scheme-scope-added",
          { old: flow.pointer, new: place.pointer },
          `the scope ${JSON.stringify(scope.slice(0, 80))} of the security scheme ${shown} was added`,
        );
  }
}
