import type { DoctorDeps, Finding } from "../../../../src/services/doctor/finding.ts";
import type { Config } from "../../../../src/options.ts";
import { defaults } from "../../../support/defaults.ts";
import { testRuntime } from "../../../support/runtime.ts";

type Changes = { [Section in keyof Config]?: Partial<Config[Section]> };

/** The defaults of the configuration, with changes. */
export function settings(changes: Changes = {}): Config {
  return {
    ...defaults,
    server: { ...defaults.server, port: 0, ...changes.server },
    auth: { ...defaults.auth, ...changes.auth },
    storage: { ...defaults.storage, driver: "memory", path: "", ...changes.storage },
    graphql: { ...defaults.graphql, ...changes.graphql },
    web: { ...defaults.web, ...changes.web },
    oidc: { ...defaults.oidc, ...changes.oidc },
    tools: { ...defaults.tools, ...changes.tools },
    metrics: { ...defaults.metrics, ...changes.metrics },
  };
}

export const deps = (changes: Partial<DoctorDeps> = {}): DoctorDeps => ({
  runtime: testRuntime({ now: Date.now, monotonic: () => performance.now() }),
  processors: 2,
  totalMemory: 8 * 1024 ** 3,
  readSystem: () => undefined,
  ...changes,
});

/** `level check`, for findings that are not ok. */
export const troubles = (findings: readonly Finding[]): string[] =>
  findings.filter(({ level }) => level !== "ok").map(({ level, check }) => `${level} ${check}`);

export const findingOf = (findings: readonly Finding[], check: string): string =>
  findings
    .filter((finding) => finding.check === check)
    .map(({ message, action }) => `${message} ${action}`)
    .join("\n");
