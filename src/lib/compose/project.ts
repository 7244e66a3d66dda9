import type { BoundedFindings } from "../bounded-findings.ts";
import type { Dictionary } from "../data/value.ts";
import { type At, child, members, type ReportAt, type Severity, textOf } from "../kubernetes/at.ts";

/** The definitions in the documents of a Compose file, and the functions that report about them. */
export interface Project {
  /** Services by name; those of later documents replace earlier ones. */
  services: ReadonlyMap<string, At>;
  /** The top-level networks, volumes and so on, by name. */
  defined: Readonly<Record<Section, ReadonlyMap<string, At>>>;
  /** Sections that the file has. */
  sections: ReadonlySet<string>;
  /** Whether other files belong to the project: one is included, or a service is only a part of one. */
  isPart: boolean;
  hasIncludes: boolean;
  /** Whether names that another file may define must be defined here. */
  strict: boolean;
  report: ReportAt;
  isFull: BoundedFindings<unknown>["isFull"];
  /** The text of a value with its variables replaced, undefined if it is none or not known. */
  textAt(at: At): string | undefined;
}

export type Section = "configs" | "models" | "networks" | "secrets" | "volumes";

/** Collects what documents define. */
export function toProject(
  roots: readonly At[],
  {
    strict,
    report,
    isFull,
    resolve,
  }: Pick<Project, "strict" | "report" | "isFull"> & { resolve(text: string): string | undefined },
): Project {
  const all = (section: string): Map<string, At> =>
    new Map(roots.flatMap((root) => members(child(root, section))));
  const services = all("services");
  const hasIncludes = roots.some((root) => child(root, "include").value !== undefined);
  const textAt = (at: At): string | undefined => {
    const text = textOf(at);
    return text === undefined ? undefined : resolve(text);
  };
  return {
    services,
    defined: {
      configs: all("configs"),
      models: all("models"),
      networks: all("networks"),
      secrets: all("secrets"),
      volumes: all("volumes"),
    },
    sections: new Set(
      roots.flatMap((root) => (root.value instanceof Map ? [...(root.value as Dictionary).keys()] : [])),
    ),
    isPart: hasIncludes || [...services.values()].some((service) => !isWhole(service)),
    hasIncludes,
    strict,
    report,
    isFull,
    textAt,
  };
}

/** Whether a service says what it runs; otherwise another file has the rest of it. */
export const isWhole = (service: At): boolean =>
  ["image", "build", "extends", "provider"].some((key) => (child(service, key).value ?? null) !== null);

/** The severity of something that another file of the project may define. */
export const severityOf = ({ strict, isPart }: Project): Severity =>
  !strict && isPart ? "warning" : "error";
