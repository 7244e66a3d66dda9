import { joinWords } from "../../join-words.ts";
import {
  type At,
  child,
  isPresent,
  items,
  members,
  quote,
  type ReportAt,
  scalarOf,
  textOf,
  wholeOf,
} from "../at.ts";
import { isConfigKey, isPortName, isQualifiedName } from "../names.ts";
import { nearest } from "../../nearest.ts";
import { compareQuantities, parseQuantity } from "../quantity.ts";
import { checkLeast, checkPort, checkPortOrName, checkRange } from "./numbers.ts";

/** Most volumes whose names are compared with one that is missing. */
const maxCompared = 100;

export interface ContainerScope {
  list: "containers" | "initContainers" | "ephemeralContainers";
  /** Names of the volumes of the pod. */
  volumes: ReadonlySet<string>;
}

/** Checks a container beyond its types. */
export function checkContainer(container: At, { list, volumes }: ContainerScope, report: ReportAt): void {
  checkImage(container, report);
  checkPorts(container, report);
  checkEnvironment(container, report);
  checkMounts(container, volumes, report);
  checkResources(child(container, "resources"), report);
  for (const probe of probes) checkProbe(child(container, probe), probe, container, report);
  for (const hook of ["postStart", "preStop"])
    checkHandler(
      child(container, "lifecycle", hook),
      hook,
      ["exec", "httpGet", "sleep", "tcpSocket"],
      report,
    );
  const isSidecar = textOf(child(container, "restartPolicy")) === "Always";
  if (list === "initContainers" && !isSidecar) {
    for (const field of [...probes, "lifecycle"])
      if (isPresent(child(container, field)))
        report(
          "init-container",
          child(container, field),
          `An init container can have ${field} only with restartPolicy: Always.`,
        );
  }
  const security = child(container, "securityContext");
  checkLeast(security, ["runAsUser", "runAsGroup"], 0, report);
  const escalation = child(security, "allowPrivilegeEscalation");
  if (escalation.value === false && child(security, "privileged").value === true)
    report(
      "security-context",
      escalation,
      "allowPrivilegeEscalation cannot be false where privileged is true.",
    );
}

const probes = ["livenessProbe", "readinessProbe", "startupProbe"] as const;

function checkImage(container: At, report: ReportAt): void {
  const at = child(container, "image");
  const image = textOf(at);
  if (image === undefined) {
    if (!isPresent(at) && container.value instanceof Map)
      report("required", container, "Container must have image.");
  } else if (image.trim() === "") report("image", at, "image must not be empty.");
  else if (image !== image.trim()) report("image", at, "image must not begin or end with white space.");
  else if (/[A-Z]/.test(image.replace(/[:@][^/]*$/, "").replace(/^[^/]*[.:][^/]*\//, "")))
    report("image", at, `The repository of the image ${quote(image)} must be in lower case.`, "warning");
}

function checkPorts(container: At, report: ReportAt): void {
  const names = new Set<string>();
  for (const port of items(child(container, "ports"))) {
    checkPort(child(port, "containerPort"), "containerPort", report);
    checkRange(child(port, "hostPort"), "hostPort", 0, 65_535, report);
    const at = child(port, "name");
    const name = textOf(at);
    if (name === undefined || name === "") continue;
    const fault = isPortName(name);
    if (fault !== undefined) report("port", at, `The name ${quote(name)} of a port ${fault}.`);
    if (names.has(name))
      report("duplicate-name", at, `The name ${quote(name)} is that of another port of this container.`);
    names.add(name);
  }
}

function checkEnvironment(container: At, report: ReportAt): void {
  for (const variable of items(child(container, "env"))) {
    const at = child(variable, "name");
    const name = textOf(at);
    if (name === "" || /[=\0]|[^\x20-\x7e]/.test(name ?? ""))
      report(
        "env",
        at,
        `The name ${quote(name ?? "")} of a variable must be printable ASCII without =, and not be empty.`,
      );
    const from = child(variable, "valueFrom");
    if (!isPresent(from)) continue;
    if ((textOf(child(variable, "value")) ?? "") !== "")
      report("env", from, `The variable ${quote(name ?? "")} has value and valueFrom; keep one.`);
    const sources = members(from).filter(([, source]) => isPresent(source));
    if (sources.length !== 1) report("env", from, "valueFrom must have exactly one source.");
    for (const source of ["configMapKeyRef", "secretKeyRef"]) {
      const key = child(from, source, "key");
      const fault = textOf(key) === undefined ? undefined : isConfigKey(textOf(key) as string);
      if (fault !== undefined) report("config-key", key, `The key ${quote(textOf(key) ?? "")} ${fault}.`);
    }
  }
}

function checkMounts(container: At, volumes: ReadonlySet<string>, report: ReportAt): void {
  const paths = new Set<string>();
  for (const mount of items(child(container, "volumeMounts"))) {
    const at = child(mount, "mountPath");
    const path = textOf(at);
    if (path === "") report("required", at, "mountPath must not be empty.");
    if (path !== undefined && path !== "") {
      if (paths.has(path))
        report("duplicate-mount", at, `${quote(path)} is mounted twice; each mountPath must be unique.`);
      if (path.includes(":")) report("mount-path", at, "mountPath must not contain a colon.");
      paths.add(path);
    }
    const sub = child(mount, "subPath");
    const inner = textOf(sub) ?? "";
    if (inner.startsWith("/") || inner.split("/").includes(".."))
      report("mount-path", sub, "subPath must be relative, without ..");
  }
  for (const list of ["volumeMounts", "volumeDevices"]) {
    for (const mount of items(child(container, list))) {
      const at = child(mount, "name");
      const name = textOf(at);
      if (name === undefined || volumes.has(name)) continue;
      const near = volumes.size > maxCompared ? undefined : nearest(name, volumes);
      const advice = near === undefined ? "Add it to volumes." : `Did you mean ${near}?`;
      report("unknown-volume", at, `No volume of the pod is named ${quote(name)}. ${advice}`);
    }
  }
}

/** Checks that no request is above its limit, and the names of resources. */
export function checkResources(resources: At, report: ReportAt): void {
  const limits = child(resources, "limits");
  for (const [list, kind] of [
    [child(resources, "requests"), "request"],
    [limits, "limit"],
  ] as const) {
    for (const [name, at] of members(list)) {
      if (
        !/^(?:cpu|memory|ephemeral-storage|storage|hugepages-.+)$/.test(name) &&
        (!name.includes("/") || isQualifiedName(name) !== undefined)
      )
        report(
          "resource",
          at,
          `${quote(name)} is no resource: it must be cpu, memory, ephemeral-storage, hugepages-SIZE, or have a domain such as example.com/gpu.`,
        );
      const amount = parseQuantity(scalarOf(at) ?? "");
      if (amount === undefined) continue;
      if (amount.digits < 0n) report("resource", at, `The ${kind} of ${name} must not be negative.`);
      if (scalarOf(at)?.endsWith("m") === true && name === "memory")
        report(
          "resource",
          at,
          `${scalarOf(at)} of memory is in thousandths of a byte; write Mi or M for megabytes.`,
          "warning",
        );
      const limit = kind === "request" ? parseQuantity(scalarOf(child(limits, name)) ?? "") : undefined;
      if (limit !== undefined && compareQuantities(amount, limit) > 0)
        report(
          "request-above-limit",
          at,
          `The request of ${scalarOf(at)} ${name} is above the limit of ${scalarOf(child(limits, name))}; it must be at most that.`,
        );
    }
  }
}

function checkProbe(probe: At, name: string, container: At, report: ReportAt): void {
  if (!isPresent(probe)) return;
  checkHandler(probe, name, ["exec", "grpc", "httpGet", "tcpSocket"], report);
  checkLeast(probe, ["initialDelaySeconds"], 0, report);
  checkLeast(probe, ["periodSeconds", "timeoutSeconds", "successThreshold", "failureThreshold"], 1, report);
  const successes = child(probe, "successThreshold");
  if (name !== "readinessProbe" && (wholeOf(successes) ?? 1) > 1)
    report("probe", successes, `successThreshold of a ${name} must be 1.`);
  checkPort(child(probe, "grpc", "port"), "port", report);
  const ports = new Set(items(child(container, "ports")).map((port) => textOf(child(port, "name"))));
  for (const handler of ["httpGet", "tcpSocket"]) {
    const at = child(probe, handler, "port");
    const port = textOf(at);
    if (port !== undefined && isPortName(port) === undefined && !ports.has(port))
      report(
        "probe",
        at,
        `No port of the container is named ${quote(port)}, so this ${name} fails.`,
        "warning",
      );
  }
}

function checkHandler(at: At, name: string, handlers: readonly string[], report: ReportAt): void {
  if (!isPresent(at)) return;
  const found = handlers.filter((handler) => isPresent(child(at, handler)));
  if (found.length === 0) report("handler", at, `${name} must have ${joinWords(handlers)}.`);
  if (found.length > 1) report("handler", at, `${name} has ${joinWords(found, "and")}; keep one.`);
  for (const handler of ["httpGet", "tcpSocket"]) checkPortOrName(child(at, handler, "port"), "port", report);
}
