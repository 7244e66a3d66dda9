import { joinWords } from "../join-words.ts";
import { isList } from "../data/value.ts";
import { type At, child, isPresent, items, members, quote, scalarOf, textOf } from "../kubernetes/at.ts";
import { nearest } from "../nearest.ts";
import type { Project } from "./project.ts";

/** Checks the settings of a service alone: names, policies, health, and settings that exclude each other. */
export function checkService(service: At, project: Project): void {
  checkValues(service, project);
  checkNetworkMode(service, project);
  checkHealth(child(service, "healthcheck"), project);
  checkCopies(service, project);
  checkLists(service, project);
  for (const at of items(child(service, "develop", "watch"))) {
    const action = project.textAt(child(at, "action"));
    if (action?.startsWith("sync") === true && !isPresent(child(at, "target")))
      project.report("watch", at, `The action ${action} must have target, the path in the container.`);
  }
}

/** Values that the specification lists. The others of such keys are up to the platform. */
const values: readonly (readonly [path: string, pattern: RegExp, words: readonly string[]])[] = [
  ["restart", /^(?:no|always|unless-stopped|on-failure(?::\d{1,9})?)$/, ["no", "always", "on-failure", "unless-stopped"]],
  ["pull_policy", /^(?:always|never|build|if_not_present|missing|refresh|daily|weekly|every_(?:\d+[wdhms])+)$/, ["always", "never", "missing", "build", "daily", "weekly", "every_12h"]],
  ["deploy.mode", /^(?:replicated|global|replicated-job|global-job)$/, ["replicated", "global", "replicated-job", "global-job"]],
  ["deploy.endpoint_mode", /^(?:vip|dnsrr)$/, ["vip", "dnsrr"]],
  ["deploy.restart_policy.condition", /^(?:none|on-failure|any)$/, ["none", "on-failure", "any"]],
  ["deploy.update_config.failure_action", /^(?:continue|pause|rollback)$/, ["continue", "pause", "rollback"]],
  ["deploy.rollback_config.failure_action", /^(?:continue|pause)$/, ["continue", "pause"]],
]; // prettier-ignore

function checkValues(service: At, { report, textAt }: Project): void {
  for (const [path, pattern, words] of values) {
    const at = child(service, ...path.split("."));
    const text = textAt(at);
    if (text === undefined || text === "" || pattern.test(text)) continue;
    const near = nearest(text, words);
    report(
      "value",
      at,
      `${path.slice(path.lastIndexOf(".") + 1)} must be ${joinWords(words)}, not ${quote(text)}.${near === undefined ? "" : ` Did you mean ${near}?`}`,
    );
  }
  const name = child(service, "container_name");
  const text = textAt(name);
  if (text !== undefined && !/^[a-zA-Z0-9][a-zA-Z0-9_.-]+$/.test(text))
    report(
      "name",
      name,
      `container_name must have two or more letters, digits, _, . and -, and begin with a letter or digit; ${quote(text)} does not.`,
    );
  for (const at of items(child(service, "profiles"))) {
    const profile = textAt(at);
    if (profile !== undefined && !/^[a-zA-Z0-9][a-zA-Z0-9_.-]+$/.test(profile))
      report(
        "name",
        at,
        `A profile must have two or more letters, digits, _, . and -, and begin with a letter or digit; ${quote(profile)} does not.`,
      );
  }
}

function checkNetworkMode(service: At, { report, textAt }: Project): void {
  const at = child(service, "network_mode");
  if (!isPresent(at)) return;
  if (isPresent(child(service, "networks")))
    report("conflict", at, "network_mode and networks exclude each other; remove one of the two.");
  if (textAt(at) === "host" && items(child(service, "ports")).length > 0)
    report(
      "conflict",
      child(service, "ports"),
      "With network_mode: host the ports of the container are those of the host; remove ports.",
      "warning",
    );
}

function checkHealth(health: At, { report, textAt }: Project): void {
  const test = child(health, "test");
  if (!isList(test.value ?? null)) return;
  const [first] = items(test);
  if (first === undefined) return report("healthcheck", test, "test must begin with CMD, CMD-SHELL or NONE.");
  const kind = textAt(first);
  if (kind === undefined) return;
  const count = items(test).length;
  if (kind !== "CMD" && kind !== "CMD-SHELL" && kind !== "NONE")
    report(
      "healthcheck",
      first,
      `The first item of test must be CMD, CMD-SHELL or NONE, not ${quote(kind)}.`,
    );
  else if (kind === "CMD-SHELL" && count !== 2)
    report(
      "healthcheck",
      test,
      "CMD-SHELL must have one item after it, the command of the shell.",
      count < 2 ? "error" : "warning",
    );
  else if (kind === "CMD" && count < 2) report("healthcheck", test, "CMD must have the program after it.");
}

/** Several containers of a service cannot have one name, nor one number twice. */
function checkCopies(service: At, { report, textAt }: Project): void {
  const scale = child(service, "scale");
  const replicas = child(service, "deploy", "replicas");
  const numberOf = (at: At): number | undefined => {
    const text = typeof at.value === "string" ? textAt(at) : scalarOf(at);
    return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  };
  const [first, second] = [numberOf(scale), numberOf(replicas)];
  if (first !== undefined && second !== undefined && first !== second)
    report("conflict", scale, `scale is ${first}, and deploy.replicas ${second}; they must be the same.`);
  const [at, count] = (second ?? 1) > 1 ? [replicas, second] : [scale, first];
  if (isPresent(child(service, "container_name")) && (count ?? 1) > 1)
    report("conflict", at, "A service with container_name has one container only; remove one of the two.");
  for (const [kind, words] of [
    ["memory", "mem_limit"],
    ["cpus", "cpus"],
    ["pids", "pids_limit"],
  ] as const) {
    const limit = child(service, "deploy", "resources", "limits", kind);
    const short = child(service, words);
    const [one, two] = [scalarOf(limit), scalarOf(short)];
    if (one !== undefined && two !== undefined && one.toLowerCase() !== two.toLowerCase())
      report(
        "conflict",
        short,
        `${words} and deploy.resources.limits.${kind} must be the same; remove one of the two.`,
        "warning",
      );
  }
}

/** Lists of `name=value` that name something twice, or in the form of a map. */
function checkLists(service: At, { report, textAt }: Project): void {
  for (const key of ["environment", "labels"]) {
    const seen = new Set<string>();
    for (const at of items(child(service, key))) {
      const text = textOf(at);
      if (text === undefined) continue;
      const name = text.split("=", 1)[0] ?? "";
      if (/^[\w.-]+:(?:\s|$)/.test(text) && !text.includes("="))
        report(
          "list-form",
          at,
          `In a list, write ${quote(`${text.slice(0, text.indexOf(":")).slice(0, 60)}=…`)} instead of a colon.`,
          "warning",
        );
      else if (seen.has(name) && !name.includes("$"))
        report("duplicate-name", at, `${quote(name)} is set above, too; the last one counts.`, "warning");
      seen.add(name);
    }
    for (const [label, at] of key === "labels" ? labelsOf(child(service, key)) : [])
      if (label.startsWith("com.docker.compose"))
        report("name", at, `Labels that begin with com.docker.compose are reserved; ${quote(label)} is one.`);
  }
  for (const at of items(child(service, "extra_hosts"))) {
    const text = textAt(at);
    if (text !== undefined && !/^[^:=\s]+[:=]\S+$/.test(text.slice(0, 1024)))
      report("value", at, `extra_hosts must have HOST:IP, not ${quote(text)}.`);
  }
}

const labelsOf = (labels: At): [string, At][] =>
  isList(labels.value ?? null)
    ? items(labels).map((at): [string, At] => [textOf(at)?.split("=", 1)[0] ?? "", at])
    : members(labels);
