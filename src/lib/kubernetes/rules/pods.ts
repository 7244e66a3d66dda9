import { joinWords } from "../../join-words.ts";
import { type At, child, isPresent, items, members, quote, type ReportAt, textOf, wholeOf } from "../at.ts";
import { isLabel, isSubdomain } from "../names.ts";
import { checkContainer } from "./containers.ts";
import { checkLabels } from "./metadata.ts";
import { checkLeast, checkRange } from "./numbers.ts";
import { checkSelector } from "./selectors.ts";

export interface PodRules {
  /** Values of `restartPolicy` that the owner of the pods allows; all without it. */
  restart?: readonly string[];
  /** Names of volumes that the owner adds. */
  claims?: readonly string[];
}

/** Checks a PodSpec beyond its types. */
export function checkPodSpec(spec: At, { restart, claims = [] }: PodRules, report: ReportAt): void {
  const volumes = checkVolumes(spec, claims, report);
  const names = new Map<string, string>();
  const lists = ["initContainers", "containers", "ephemeralContainers"] as const;
  if (isPresent(child(spec, "containers")) && items(child(spec, "containers")).length === 0)
    report("required", child(spec, "containers"), "containers must have at least one container.");
  for (const list of lists) {
    for (const container of items(child(spec, list))) {
      checkContainerName(container, list, names, report);
      checkContainer(container, { list, volumes }, report);
    }
  }
  checkHostPorts(spec, report);
  checkRestart(child(spec, "restartPolicy"), restart, report);
  checkScheduling(spec, report);
  checkLeast(spec, ["terminationGracePeriodSeconds"], 0, report);
  checkRange(child(spec, "activeDeadlineSeconds"), "activeDeadlineSeconds", 1, 2_147_483_647, report);
  checkNamed(child(spec, "serviceAccountName"), isSubdomain, report);
  checkNamed(child(spec, "hostname"), isLabel, report);
  checkNamed(child(spec, "subdomain"), isLabel, report);
  if (
    textOf(child(spec, "dnsPolicy")) === "None" &&
    items(child(spec, "dnsConfig", "nameservers")).length === 0
  )
    report(
      "required",
      child(spec, "dnsPolicy"),
      "dnsPolicy None needs at least one server in dnsConfig.nameservers.",
    );
  checkSecurity(spec, report);
}

function checkContainerName(container: At, list: string, names: Map<string, string>, report: ReportAt): void {
  const at = child(container, "name");
  const name = textOf(at);
  if (name === undefined) return;
  const fault = isLabel(name);
  if (fault !== undefined) report("name", at, `The name ${quote(name)} of a container ${fault}.`);
  const before = names.get(name);
  if (before !== undefined) {
    const where = before === list ? "" : ` of ${before}`;
    report(
      "duplicate-name",
      at,
      `The name ${quote(name)} is that of another container${where}; names must be unique in a pod.`,
    );
  } else names.set(name, list);
}

function checkNamed(at: At, rule: (name: string) => string | undefined, report: ReportAt): void {
  const name = textOf(at);
  const fault = name === undefined || name === "" ? undefined : rule(name);
  if (fault !== undefined) report("name", at, `${quote(name ?? "")} ${fault}.`);
}

/** Members of a volume that are no source of it. */
const notSources = new Set(["name"]);

function checkVolumes(spec: At, claims: readonly string[], report: ReportAt): ReadonlySet<string> {
  const names = new Set<string>();
  for (const volume of items(child(spec, "volumes"))) {
    const at = child(volume, "name");
    const name = textOf(at);
    if (name !== undefined) {
      const fault = isLabel(name);
      if (fault !== undefined) report("name", at, `The name ${quote(name)} of a volume ${fault}.`);
      if (names.has(name))
        report(
          "duplicate-name",
          at,
          `The name ${quote(name)} is that of another volume; names must be unique.`,
        );
      names.add(name);
    }
    const sources = members(volume).filter(([key, source]) => !notSources.has(key) && isPresent(source));
    if (sources.length === 0)
      report(
        "volume-source",
        volume,
        `The volume ${quote(name ?? "")} has no source; add one, such as emptyDir: {} or configMap.`,
      );
    if (sources.length > 1)
      report(
        "volume-source",
        volume,
        `The volume ${quote(name ?? "")} has more than one source: ${joinWords(sources.map(([key]) => key).slice(0, 5), "and")}; keep one.`,
      );
    checkModes(volume, report);
  }
  return new Set([...names, ...claims]);
}

/** Checks the permissions of files; YAML reads 0644 as octal, and JSON has them in decimal. */
function checkModes(volume: At, report: ReportAt): void {
  for (const source of ["configMap", "secret", "downwardAPI", "projected"]) {
    const mode = child(volume, source, "defaultMode");
    checkRange(mode, "defaultMode", 0, 0o777, report);
    for (const item of items(child(volume, source, "items")))
      checkRange(child(item, "mode"), "mode", 0, 0o777, report);
  }
}

function checkHostPorts(spec: At, report: ReportAt): void {
  const onHost = child(spec, "hostNetwork").value === true;
  const seen = new Set<string>();
  for (const container of items(child(spec, "containers"))) {
    for (const port of items(child(container, "ports"))) {
      const at = child(port, "hostPort");
      const number = wholeOf(at);
      if (number === undefined || number === 0) continue;
      const key = `${number} ${textOf(child(port, "protocol")) ?? "TCP"} ${textOf(child(port, "hostIP")) ?? ""}`;
      if (seen.has(key)) report("duplicate-port", at, `hostPort ${number} is used twice in this pod.`);
      seen.add(key);
      if (onHost && wholeOf(child(port, "containerPort")) !== number)
        report("port", at, "hostPort must equal containerPort where hostNetwork is true.");
    }
  }
}

function checkRestart(at: At, allowed: readonly string[] | undefined, report: ReportAt): void {
  if (allowed === undefined) return;
  const value = textOf(at);
  const known = value === undefined || ["Always", "Never", "OnFailure"].includes(value);
  if (!known || allowed.includes(value ?? "Always")) return;
  const found = value === undefined ? "is Always without one" : `is ${value}`;
  report("restart-policy", at, `restartPolicy ${found}, but must be ${joinWords(allowed)} here.`);
}

function checkScheduling(spec: At, report: ReportAt): void {
  checkLabels(child(spec, "nodeSelector"), report);
  for (const toleration of items(child(spec, "tolerations"))) {
    const operator = textOf(child(toleration, "operator")) ?? "Equal";
    const value = child(toleration, "value");
    if (operator === "Exists" && (textOf(value) ?? "") !== "")
      report("toleration", value, "A toleration with the operator Exists must have no value.");
    if (operator !== "Exists" && (textOf(child(toleration, "key")) ?? "") === "")
      report("toleration", toleration, "A toleration without key must have the operator Exists.");
    const seconds = child(toleration, "tolerationSeconds");
    if (isPresent(seconds) && textOf(child(toleration, "effect")) !== "NoExecute")
      report("toleration", seconds, "tolerationSeconds needs effect: NoExecute.");
  }
  for (const spread of items(child(spec, "topologySpreadConstraints"))) {
    checkRange(child(spread, "maxSkew"), "maxSkew", 1, undefined, report);
    checkSelector(child(spread, "labelSelector"), report);
  }
  for (const affinity of ["podAffinity", "podAntiAffinity"]) {
    const at = child(spec, "affinity", affinity);
    for (const term of items(child(at, "requiredDuringSchedulingIgnoredDuringExecution")))
      checkSelector(child(term, "labelSelector"), report);
    for (const term of items(child(at, "preferredDuringSchedulingIgnoredDuringExecution"))) {
      checkRange(child(term, "weight"), "weight", 1, 100, report);
      checkSelector(child(term, "podAffinityTerm", "labelSelector"), report);
    }
  }
  for (const term of items(
    child(spec, "affinity", "nodeAffinity", "preferredDuringSchedulingIgnoredDuringExecution"),
  ))
    checkRange(child(term, "weight"), "weight", 1, 100, report);
}

function checkSecurity(spec: At, report: ReportAt): void {
  const pod = child(spec, "securityContext");
  checkLeast(pod, ["runAsUser", "runAsGroup", "fsGroup"], 0, report);
  const scopes = [pod, ...items(child(spec, "containers")).map((one) => child(one, "securityContext"))];
  for (const scope of scopes) {
    const user = child(scope, "runAsUser");
    if (child(scope, "runAsNonRoot").value === true && wholeOf(user) === 0)
      report(
        "security-context",
        user,
        "runAsUser 0 is root, which runAsNonRoot forbids; the container would not start.",
      );
  }
}
