import { type At, child, items, members, quote, textOf } from "../kubernetes/at.ts";
import { isList } from "../data/value.ts";
import { findCircles } from "../find-circles.ts";
import { nearest } from "../nearest.ts";
import { isWhole, type Project, type Section, severityOf } from "./project.ts";

/** Most names among which a similar one is looked for. */
const maxCompared = 200;

const near = (name: string, names: ReadonlyMap<string, unknown>): string => {
  const found = names.size > maxCompared ? undefined : nearest(name, names.keys());
  return found === undefined ? "" : ` Did you mean ${found}?`;
};

/** Names that a service refers to: networks, volumes, secrets, configs, models, and other services. */
export function checkReferences(name: string, service: At, project: Project): void {
  const { report, textAt, strict } = project;
  if (!isWhole(service) && !project.hasIncludes)
    report(
      "no-image",
      service,
      `The service ${quote(name)} has neither image nor build, so that it is only a part of a service that another file has.`,
      strict ? "error" : "warning",
    );
  const networks = child(service, "networks");
  for (const [network, at] of namesOf(networks, project))
    if (network !== "default") checkDefined("networks", network, at, project);
  for (const section of ["secrets", "configs"] as const) {
    for (const at of [
      ...items(child(service, section)),
      ...(section === "secrets" ? items(child(service, "build", section)) : []),
    ]) {
      const source = isText(at) ? at : child(at, "source");
      const text = textAt(source);
      if (text !== undefined && text !== "") checkDefined(section, text, source, project);
    }
  }
  const config = child(service, "credential_spec", "config");
  const configName = textAt(config);
  if (configName !== undefined) checkDefined("configs", configName, config, project);
  for (const [model, at] of namesOf(child(service, "models"), project))
    checkDefined("models", model, at, project);
  for (const [other, at] of linkedServices(service, project)) checkService(other, at, name, project);
}

const isText = ({ value }: At): boolean => typeof value === "string";

/** The names of a list or the keys of an object, with their places. */
export function namesOf(at: At, { textAt }: Pick<Project, "textAt">): [string, At][] {
  if (!isList(at.value ?? null)) return members(at);
  return items(at).flatMap((item): [string, At][] => {
    const text = textAt(item);
    return text === undefined ? [] : [[text, item]];
  });
}

/** Reports a name that no section of the file defines. Without the section, another file may have it. */
export function checkDefined(section: Section, name: string, at: At, project: Project): void {
  const { defined, sections, report, hasIncludes, strict } = project;
  if (defined[section].has(name) || (hasIncludes && !strict)) return;
  const kind = section.slice(0, -1);
  const isElsewhere = !sections.has(section);
  const advice = isElsewhere
    ? `, and the file has no ${section}; Compose refuses it unless another file defines it.`
    : `; add it to ${section} at the top level.${near(name, defined[section])}`;
  report(
    `undefined-${kind}`,
    at,
    `The ${kind} ${quote(name)} is not defined${advice}`,
    isElsewhere && !strict ? "warning" : severityOf(project),
  );
}

/** Other services that a service needs, each with the place where it says so. */
export function linkedServices(service: At, project: Pick<Project, "textAt">): [string, At][] {
  const { textAt } = project;
  const found: [string, At][] = namesOf(child(service, "depends_on"), project);
  for (const at of items(child(service, "links"))) {
    const [name] = textAt(at)?.split(":") ?? [];
    if (name !== undefined && name !== "") found.push([name, at]);
  }
  for (const at of items(child(service, "volumes_from"))) {
    const [name] = textAt(at)?.split(":") ?? [];
    if (name !== undefined && name !== "" && name !== "container") found.push([name, at]);
  }
  for (const key of ["network_mode", "ipc", "pid"]) {
    const at = child(service, key);
    const text = textAt(at);
    if (text?.startsWith("service:") === true) found.push([text.slice("service:".length), at]);
  }
  return found;
}

/** The service that another one extends, if it is in the same file. */
export function extendedService(service: At, { textAt }: Pick<Project, "textAt">): [string, At] | undefined {
  const at = child(service, "extends");
  if (textOf(at) !== undefined) return [textAt(at) ?? "", at];
  if (child(at, "file").value !== undefined) return undefined;
  const name = child(at, "service");
  const text = textAt(name);
  return text === undefined ? undefined : [text, name];
}

function checkService(other: string, at: At, name: string, project: Project): void {
  const { services, report, hasIncludes, strict } = project;
  if (other === name) return report("dependency-cycle", at, `The service ${quote(name)} depends on itself.`);
  if (services.has(other) || (hasIncludes && !strict) || other === "") return;
  const advice = near(other, services);
  if (advice !== "" || strict)
    return report(
      "undefined-service",
      at,
      `There is no service ${quote(other)}.${advice}`,
      severityOf(project),
    );
  const message = `There is no service ${quote(other)}; Compose refuses it unless another file has it.`;
  report("undefined-service", at, message, "warning");
}

/** Services that depend on each other, and those that extend each other, in a circle. */
export function checkCycles(project: Project): void {
  const { services, report } = project;
  const needs = (service: At): [string, At][] => linkedServices(service, project);
  reportCircles(project, needs, "Services depend on each other in a circle");
  const extended = (service: At): [string, At][] => {
    const one = extendedService(service, project);
    return one === undefined ? [] : [one];
  };
  for (const [name, service] of services) {
    const [one] = extended(service);
    if (one !== undefined && one[0] !== name && one[0] !== "" && !services.has(one[0]))
      report(
        "undefined-service",
        one[1],
        `There is no service ${quote(one[0])} to extend.${near(one[0], services)}`,
      );
    else if (one?.[0] === name)
      report("dependency-cycle", one[1], `The service ${quote(name)} extends itself.`);
  }
  reportCircles(project, extended, "Services extend each other in a circle");
}

/** Most names that a message shows. */
const maxShown = 8;

const show = (path: readonly string[]): string =>
  (path.length > maxShown ? [...path.slice(0, maxShown), "…"] : path)
    .map((name) => (name.length > 40 ? `${name.slice(0, 40)}…` : name))
    .join(" → ");

/** Reports each reference that closes a circle of at least two services. */
function reportCircles(
  { services, report, isFull }: Project,
  linksOf: (service: At) => [string, At][],
  message: string,
): void {
  const linksOfName = (name: string): [string, At][] | undefined => {
    const service = services.get(name);
    return service && linksOf(service);
  };
  for (const { names, closing } of findCircles(services.keys(), linksOfName)) {
    if (isFull("error")) return;
    if (names.length > 1)
      report("dependency-cycle", closing, `${message}: ${show([...names, names[0] as string])}.`);
  }
}
