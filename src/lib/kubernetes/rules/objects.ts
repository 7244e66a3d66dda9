import { joinWords } from "../../join-words.ts";
import { type At, child, isPresent, items, members, quote, type ReportAt, scalarOf, textOf } from "../at.ts";
import { isConfigKey, isLabel } from "../names.ts";
import { compareQuantities, parseQuantity } from "../quantity.ts";
import { checkRange } from "./numbers.ts";
import { checkEndpointSlice, checkIngress, checkNetworkPolicy, checkService } from "./networks.ts";
import { checkDefinition } from "./definitions.ts";
import { checkClaim, checkVolume } from "./workloads.ts";

/** Checks an object of a kind that runs no pods. */
export function checkObject(group: string, kind: string, root: At, report: ReportAt): void {
  checks[`${group} ${kind}`]?.(root, report);
}

type Check = (root: At, report: ReportAt) => void;

const onSpec =
  (check: Check): Check =>
  (root, report) =>
    check(child(root, "spec"), report);

const rbac = "rbac.authorization.k8s.io";

const checks: Record<string, Check> = {
  " ConfigMap": (root, report) => checkKeys(root, ["data", "binaryData"], report),
  " Secret": checkSecret,
  " Service": onSpec(checkService),
  " PersistentVolumeClaim": onSpec(checkClaim),
  " PersistentVolume": onSpec(checkVolume),
  " LimitRange": onSpec(checkLimits),
  "networking.k8s.io Ingress": onSpec(checkIngress),
  "networking.k8s.io NetworkPolicy": onSpec(checkNetworkPolicy),
  "discovery.k8s.io EndpointSlice": checkEndpointSlice,
  "scheduling.k8s.io PriorityClass": checkPriority,
  "apiextensions.k8s.io CustomResourceDefinition": checkDefinition,
  [`${rbac} Role`]: (root, report) => checkRules(root, false, report),
  [`${rbac} ClusterRole`]: (root, report) => checkRules(root, true, report),
  [`${rbac} RoleBinding`]: (root, report) => checkBinding(root, "RoleBinding", report),
  [`${rbac} ClusterRoleBinding`]: (root, report) => checkBinding(root, "ClusterRoleBinding", report),
};

/** Most characters of the data of a ConfigMap or Secret. */
const maxData = 1_048_576;

function checkKeys(root: At, maps: readonly string[], report: ReportAt): void {
  const seen = new Set<string>();
  let length = 0;
  for (const map of maps) {
    for (const [key, at] of members(child(root, map))) {
      const fault = isConfigKey(key);
      if (fault !== undefined) report("config-key", at, `The key ${quote(key)} ${fault}.`);
      if (seen.has(key) && map === "binaryData")
        report("duplicate-name", at, `The key ${quote(key)} is in data and in binaryData; keep one.`);
      seen.add(key);
      length +=
        key.length + (scalarOf(at)?.length ?? 0) * (map === "data" && maps.includes("stringData") ? 0.75 : 1);
    }
  }
  if (length > maxData)
    report("too-large", root, `The data must have at most ${maxData} bytes (1 MiB) together.`);
}

/** The keys that a type of Secret requires. */
const secretKeys: Record<string, string[]> = {
  "kubernetes.io/tls": ["tls.crt", "tls.key"],
  "kubernetes.io/ssh-auth": ["ssh-privatekey"],
  "kubernetes.io/dockerconfigjson": [".dockerconfigjson"],
  "kubernetes.io/dockercfg": [".dockercfg"],
};

function checkSecret(root: At, report: ReportAt): void {
  checkKeys(root, ["data", "stringData"], report);
  const type = child(root, "type");
  const keys = new Set(
    [...members(child(root, "data")), ...members(child(root, "stringData"))].map(([key]) => key),
  );
  const missing = (secretKeys[textOf(type) ?? ""] ?? []).filter((key) => !keys.has(key));
  if (missing.length > 0)
    report("secret-type", type, `A Secret of type ${textOf(type)} must have ${joinWords(missing, "and")}.`);
  if (textOf(type) === "kubernetes.io/basic-auth" && !keys.has("username") && !keys.has("password"))
    report("secret-type", type, "A Secret of type kubernetes.io/basic-auth must have username or password.");
}

function checkLimits(spec: At, report: ReportAt): void {
  for (const limit of items(child(spec, "limits"))) {
    for (const [low, high] of [
      ["min", "max"],
      ["min", "default"],
      ["min", "defaultRequest"],
      ["defaultRequest", "default"],
      ["default", "max"],
      ["defaultRequest", "max"],
    ] as const) {
      for (const [name, at] of members(child(limit, low))) {
        const least = parseQuantity(scalarOf(at) ?? "");
        const most = parseQuantity(scalarOf(child(limit, high, name)) ?? "");
        if (least !== undefined && most !== undefined && compareQuantities(least, most) > 0)
          report("range", at, `${low} of ${name} must be at most ${high}.`);
      }
    }
  }
}

function checkPriority(root: At, report: ReportAt): void {
  const at = child(root, "value");
  const isOwn = textOf(child(root, "metadata", "name"))?.startsWith("system-") === true;
  if (!isOwn) checkRange(at, "value", -2_147_483_648, 1_000_000_000, report);
}

function checkRules(root: At, cluster: boolean, report: ReportAt): void {
  for (const rule of items(child(root, "rules"))) {
    const urls = child(rule, "nonResourceURLs");
    const [groups, resources, verbs] = [
      child(rule, "apiGroups"),
      child(rule, "resources"),
      child(rule, "verbs"),
    ];
    if (isPresent(verbs) && items(verbs).length === 0)
      report("required", verbs, "verbs must have at least one verb.");
    if (items(urls).length > 0) {
      if (!cluster) report("exclusive", urls, "A Role cannot have nonResourceURLs; use a ClusterRole.");
      if (items(resources).length > 0 || items(groups).length > 0)
        report("exclusive", urls, "A rule has nonResourceURLs or resources, not both.");
      continue;
    }
    for (const [name, at] of [
      ["apiGroups", groups],
      ["resources", resources],
    ] as const)
      if (items(at).length === 0)
        report(
          "required",
          isPresent(at) ? at : rule,
          `A rule must have at least one entry in ${name}${name === "apiGroups" ? ' ("" is the core group)' : ""}.`,
        );
  }
}

function checkBinding(root: At, kind: string, report: ReportAt): void {
  const group = child(root, "roleRef", "apiGroup");
  const text = textOf(group);
  if (text !== undefined && text !== "" && text !== rbac)
    report("reference", group, `apiGroup of roleRef must be ${rbac}, not ${quote(text)}.`);
  const role = child(root, "roleRef", "kind");
  if (kind === "ClusterRoleBinding" && textOf(role) === "Role")
    report("reference", role, "A ClusterRoleBinding must refer to a ClusterRole.");
  for (const subject of items(child(root, "subjects"))) checkSubject(subject, kind, report);
}

function checkSubject(subject: At, kind: string, report: ReportAt): void {
  const type = textOf(child(subject, "kind"));
  const group = child(subject, "apiGroup");
  const namespace = child(subject, "namespace");
  const own = textOf(group) ?? "";
  if (type === "ServiceAccount") {
    if (own !== "") report("reference", group, "apiGroup of a ServiceAccount must be empty.");
    if (!isPresent(namespace) && kind === "ClusterRoleBinding")
      report("required", subject, "A ServiceAccount in a ClusterRoleBinding must have namespace.");
    const name = textOf(namespace);
    const fault = name === undefined || name === "" ? undefined : isLabel(name);
    if (fault !== undefined) report("name", namespace, `The namespace ${quote(name ?? "")} ${fault}.`);
  } else if ((type === "User" || type === "Group") && own !== rbac && own !== "")
    report("reference", group, `apiGroup of a ${type} must be ${rbac}.`);
  else if ((type === "User" || type === "Group") && isPresent(namespace))
    report("exclusive", namespace, `A ${type} has no namespace.`);
}
