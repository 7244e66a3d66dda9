import type { Report, Where } from "./change.ts";
import type { SchemaComparer } from "./compare-schemas.ts";
import { compareSecurity } from "./compare-security.ts";
import { endOf, lifetimeOf } from "./lifetime.ts";
import { childOf, itemsOf, type Place, textAt } from "./places.ts";
import type { Api, Body, Media, Operation, Parameter } from "./read-api.ts";
import type { Direction } from "./rules.ts";

export interface OperationDeps {
  old: Api;
  new: Api;
  schemas: SchemaComparer;
  report: Report;
  /** Epoch milliseconds. */
  now: number;
}

/** Compares an operation that both descriptions have. */
export function compareOperation(before: Operation, after: Operation, deps: OperationDeps): void {
  const { old, new: now, report } = deps;
  compareMeta(before, after, report);
  compareLifetime(before.place, after.place, "operation", "the operation", report);
  compareParameters(before, after, deps);
  compareBodies(before, after, deps);
  compareResponses(before, after, deps);
  if (before.security !== undefined || after.security !== undefined)
    compareSecurity(
      before.security ?? old.security,
      after.security ?? now.security,
      { old: before.place.pointer, new: after.place.pointer },
      report,
    );
}

/** Compares what is sent to a client: a request of a webhook or a callback is for it what a response is elsewhere. */
export function compareCallback(before: Operation, after: Operation, deps: OperationDeps): void {
  if (before.body !== undefined && after.body !== undefined)
    compareContent("response", before.body, after.body, "body of the callback", deps);
  for (const [status, a] of before.responses) {
    const b = after.responses.get(status);
    if (b !== undefined) compareContent("request", a, b, `answer ${status} to the callback`, deps);
  }
}

function compareMeta(before: Operation, after: Operation, report: Report): void {
  const [a, b] = [before, after].map(({ place }) => childOf(place, "operationId"));
  const holders = { old: before.place.pointer, new: after.place.pointer };
  if (a !== undefined && a.value !== b?.value)
    report(
      "operation-id-changed",
      { ...holders, old: a.pointer, ...(b && { new: b.pointer }), isOld: b === undefined },
      `the operationId ${show(a)} was ${b === undefined ? "removed" : `replaced by ${show(b)}`}`,
    );
  else if (a === undefined && b !== undefined)
    report("operation-id-added", { ...holders, new: b.pointer }, `the operationId ${show(b)} was added`);
  const [tags, others] = [before, after].map(({ place }) => itemsOf(childOf(place, "tags"))) as [
    Place[],
    Place[],
  ];
  const has = (list: readonly Place[], { value }: Place): boolean => list.some((one) => one.value === value);
  for (const tag of tags.filter((one) => !has(others, one)))
    report("tag-removed", { ...holders, old: tag.pointer, isOld: true }, `the tag ${show(tag)} was removed`);
  for (const tag of others.filter((one) => !has(tags, one)))
    report("tag-added", { ...holders, new: tag.pointer }, `the tag ${show(tag)} was added`);
}

const show = ({ value }: Place): string => JSON.stringify(String(value).slice(0, 80));

function compareLifetime(
  before: Place,
  after: Place,
  kind: "operation" | "parameter",
  subject: string,
  report: Report,
): void {
  const [a, b] = [lifetimeOf(before), lifetimeOf(after)];
  const where = { old: before.pointer, new: childOf(after, "deprecated")?.pointer ?? after.pointer };
  if (!a.deprecated && b.deprecated) report(`${kind}-deprecated`, where, `${subject} is deprecated`);
  if (a.deprecated && !b.deprecated)
    report(
      `${kind}-reactivated`,
      { ...where, old: `${before.pointer}/deprecated` },
      `${subject} is not deprecated any more`,
    );
  if (!b.deprecated) return;
  const dates: Where = { old: a.sunset?.pointer ?? before.pointer, new: b.sunset?.pointer ?? after.pointer };
  const isNew = b.sunset !== undefined && b.sunset.value !== a.sunset?.value;
  if (isNew && b.ends === undefined) report("sunset-invalid", dates, `x-sunset of ${subject} is no date`);
  else if (a.deprecated && a.sunset !== undefined && b.sunset === undefined)
    report("sunset-removed", { ...dates, isOld: true }, `x-sunset of ${subject} was removed`);
  else if (a.deprecated && a.ends !== undefined && b.ends !== undefined && b.ends < a.ends)
    report("sunset-earlier", dates, `x-sunset of ${subject} is earlier, ${textAt(after, "x-sunset")}`);
}

const removals = {
  announced: "deprecated-parameter-removed",
  early: "parameter-removed-before-sunset",
  sudden: "parameter-removed",
};

function compareParameters(before: Operation, after: Operation, deps: OperationDeps): void {
  const { report, now } = deps;
  for (const [key, a] of before.parameters) {
    const b = after.parameters.get(key);
    const name = nameOf(a);
    if (b === undefined) {
      const how = endOf(lifetimeOf(a.place), now);
      report(
        removals[how],
        { old: a.place.pointer, new: after.parametersPointer, isOld: true },
        how === "early"
          ? `${name} was removed before its sunset, ${textAt(a.place, "x-sunset")}`
          : `${name} was removed`,
      );
      continue;
    }
    const where = { old: a.place.pointer, new: b.place.pointer };
    if (a.required !== b.required)
      report(
        b.required ? "parameter-became-required" : "parameter-became-optional",
        { ...where, ...(b.required && { new: `${b.place.pointer}/required` }) },
        `${name} became ${b.required ? "required" : "optional"}`,
      );
    if (a.style !== b.style && a.content === undefined && b.content === undefined && !isPlain(a, b))
      report("parameter-style-changed", where, `${name} is written in another way`);
    compareLifetime(a.place, b.place, "parameter", name, report);
    compareValue("request", a, b, name, deps);
  }
  for (const [key, b] of after.parameters) {
    if (before.parameters.has(key)) continue;
    const where = { old: before.parametersPointer, new: b.place.pointer };
    if (b.required) report("required-parameter-added", where, `${nameOf(b)} was added and is required`);
    else report("optional-parameter-added", where, `${nameOf(b)} was added`);
  }
}

/** A type that has changed to a list is compared as a type. */
const isPlain = (a: Parameter, b: Parameter): boolean =>
  a.style.startsWith("plain") !== b.style.startsWith("plain");

const nameOf = ({ name, in: where }: Parameter): string =>
  `the ${where} parameter ${JSON.stringify(name.slice(0, 80))}`;

/** Compares what a parameter or a header may be. */
function compareValue(
  direction: Direction,
  a: Parameter,
  b: Parameter,
  label: string,
  { schemas, report }: OperationDeps,
): void {
  const where = { old: a.place.pointer, new: b.place.pointer };
  if (a.content === undefined && b.content === undefined)
    return schemas.compare(
      {
        direction,
        isText: direction === "request" && a.in !== "body",
        old: a.schema,
        new: b.schema,
        where,
        label,
      },
      report,
    );
  const first = ({ content }: Parameter): Media | undefined => content?.values().next().value;
  const [x, y] = [first(a), first(b)];
  schemas.compare(
    { direction, old: x?.schema ?? a.schema, new: y?.schema ?? b.schema, where, label },
    report,
  );
}

function compareBodies(before: Operation, after: Operation, deps: OperationDeps): void {
  const { body: a } = before;
  const { body: b } = after;
  const { report } = deps;
  if (a === undefined && b !== undefined)
    report(
      b.required ? "required-request-body-added" : "optional-request-body-added",
      { old: before.place.pointer, new: b.pointer },
      `${b.required ? "a required" : "an optional"} body was added to the request`,
    );
  if (a !== undefined && b === undefined)
    report(
      "request-body-removed",
      { old: a.pointer, new: after.place.pointer, isOld: true },
      "the body of the request was removed",
    );
  if (a === undefined || b === undefined) return;
  if (a.required !== b.required)
    report(
      b.required ? "request-body-became-required" : "request-body-became-optional",
      { old: a.pointer, new: b.required ? `${b.pointer}/required` : b.pointer },
      `the body of the request became ${b.required ? "required" : "optional"}`,
    );
  compareContent("request", a, b, "request body", deps);
}

/** Compares the media types of a message, and the schemas of those that both have. */
function compareContent(
  direction: Direction,
  before: Pick<Body, "content" | "pointer">,
  after: Pick<Body, "content" | "pointer">,
  label: string,
  { report, schemas }: OperationDeps,
): void {
  const rest = new Map(after.content);
  for (const [type, a] of before.content) {
    const b = after.content.get(type);
    rest.delete(type);
    if (b === undefined) {
      const where = { old: a.pointer, new: after.pointer, isOld: true };
      // A wider range takes the same documents.
      if (direction === "request" && [...after.content.keys()].some((range) => isInRange(type, range)))
        continue;
      report(
        `${direction}-media-type-removed`,
        where,
        `${label}: the media type ${JSON.stringify(type.slice(0, 80))} was removed`,
      );
    } else
      schemas.compare(
        { direction, old: a.schema, new: b.schema, where: { old: a.pointer, new: b.pointer }, label },
        report,
      );
  }
  for (const [type, b] of rest)
    report(
      `${direction}-media-type-added`,
      { old: before.pointer, new: b.pointer },
      `${label}: the media type ${JSON.stringify(type.slice(0, 80))} was added`,
    );
}

const isInRange = (type: string, range: string): boolean =>
  range === "*/*" || (range.endsWith("/*") && type.startsWith(range.slice(0, -1)));

const isSuccess = (status: string): boolean => /^[23]/.test(status) || status === "DEFAULT";

function compareResponses(before: Operation, after: Operation, deps: OperationDeps): void {
  const { report } = deps;
  for (const [status, a] of before.responses) {
    const b = after.responses.get(status);
    if (b === undefined) {
      report(
        isSuccess(status) ? "success-response-removed" : "error-response-removed",
        { old: a.pointer, new: after.responsesPointer, isOld: true },
        `the response ${status} was removed`,
      );
      continue;
    }
    const label = `response ${status}`;
    for (const [name, x] of a.headers) {
      const y = b.headers.get(name);
      const shown = `${label}: the header ${JSON.stringify(x.name.slice(0, 80))}`;
      if (y === undefined)
        report(
          `${x.required ? "required" : "optional"}-response-header-removed`,
          { old: x.place.pointer, new: b.pointer, isOld: true },
          `${shown} was removed`,
        );
      else {
        if (x.required && !y.required)
          report(
            "response-header-became-optional",
            { old: x.place.pointer, new: y.place.pointer },
            `${shown} became optional`,
          );
        compareValue("response", x, y, shown, deps);
      }
    }
    for (const [name, y] of b.headers)
      if (!a.headers.has(name))
        report(
          "response-header-added",
          { old: a.pointer, new: y.place.pointer },
          `${label}: the header ${JSON.stringify(y.name.slice(0, 80))} was added`,
        );
    compareContent("response", a, b, label, deps);
  }
  for (const [status, b] of after.responses)
    if (!before.responses.has(status))
      report(
        isSuccess(status) ? "success-response-added" : "error-response-added",
        { old: before.responsesPointer, new: b.pointer },
        `the response ${status} was added`,
      );
}
