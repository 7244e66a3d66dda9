import { joinWords } from "../../join-words.ts";
import { unlessFault } from "../../fault.ts";
import { isNetwork, parseAddress } from "../../ip/parse.ts";
import { parseNetwork } from "../../ip/network.ts";
import { type At, child, isPresent, items, quote, type ReportAt, textOf, wholeOf } from "../at.ts";
import { isLabel, isSubdomain, isWildcardHost } from "../names.ts";
import { checkLabels } from "./metadata.ts";
import { checkPort, checkPortOrName, checkRange } from "./numbers.ts";
import { checkSelector } from "./selectors.ts";

/** Checks a Service beyond its types. */
export function checkService(spec: At, report: ReportAt): void {
  if (!isPresent(spec)) return;
  const type = textOf(child(spec, "type")) ?? "ClusterIP";
  const address = child(spec, "clusterIP");
  const headless = textOf(address) === "None";
  const ports = child(spec, "ports");
  if (items(ports).length === 0 && type !== "ExternalName" && !headless)
    report("required", isPresent(ports) ? ports : spec, "A Service must have at least one port in ports.");
  checkServicePorts(ports, type, report);
  checkLabels(child(spec, "selector"), report);
  if (type === "ExternalName") {
    const name = child(spec, "externalName");
    const fault = textOf(name)
      ? isSubdomain((textOf(name) as string).replace(/\.$/, "").toLowerCase())
      : "must be set for this type";
    if (fault !== undefined)
      report(isPresent(name) ? "name" : "required", isPresent(name) ? name : spec, `externalName ${fault}.`);
    if ((textOf(address) ?? "") !== "")
      report("exclusive", address, "clusterIP must not be set on a Service of type ExternalName.");
  } else if ((type === "NodePort" || type === "LoadBalancer") && headless)
    report("exclusive", address, `clusterIP must not be None on a Service of type ${type}.`);
  if (!headless && (textOf(address) ?? "") !== "") checkAddress(address, "clusterIP", report);
  const policy = child(spec, "externalTrafficPolicy");
  if (
    (textOf(policy) ?? "") !== "" &&
    type !== "NodePort" &&
    type !== "LoadBalancer" &&
    items(child(spec, "externalIPs")).length === 0
  )
    report(
      "exclusive",
      policy,
      `externalTrafficPolicy needs the type NodePort or LoadBalancer, not ${type}.`,
    );
  for (const range of items(child(spec, "loadBalancerSourceRanges")))
    checkCidr(range, "loadBalancerSourceRanges", report);
  for (const at of items(child(spec, "externalIPs"))) checkAddress(at, "externalIPs", report);
  const affinity = child(spec, "sessionAffinityConfig", "clientIP", "timeoutSeconds");
  checkRange(affinity, "timeoutSeconds", 1, 86_400, report);
}

function checkServicePorts(ports: At, type: string, report: ReportAt): void {
  const list = items(ports);
  const [names, numbers, nodes] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const port of list) {
    const number = child(port, "port");
    checkPort(number, "port", report);
    checkPortOrName(child(port, "targetPort"), "targetPort", report);
    const nameAt = child(port, "name");
    const name = textOf(nameAt) ?? "";
    const fault = name === "" ? undefined : isLabel(name);
    if (name === "" && list.length > 1)
      report("required", port, "Each port of a Service with several must have a name.");
    if (fault !== undefined) report("name", nameAt, `The name ${quote(name)} of a port ${fault}.`);
    if (name !== "" && names.has(name))
      report("duplicate-name", nameAt, `The name ${quote(name)} is that of another port of this Service.`);
    names.add(name);
    const protocol = textOf(child(port, "protocol")) ?? "TCP";
    const key = `${wholeOf(number)} ${protocol}`;
    if (wholeOf(number) !== undefined && numbers.has(key))
      report("duplicate-port", number, `The port ${key} occurs twice in this Service.`);
    numbers.add(key);
    const nodeAt = child(port, "nodePort");
    const node = wholeOf(nodeAt) ?? 0;
    if (node === 0) continue;
    if (type === "ClusterIP" || type === "ExternalName")
      report("exclusive", nodeAt, `nodePort needs the type NodePort or LoadBalancer, not ${type}.`);
    else if (node < 0 || node > 65_535) checkRange(nodeAt, "nodePort", 1, 65_535, report);
    else if (node < 30_000 || node > 32_767)
      report(
        "range",
        nodeAt,
        `nodePort ${node} is outside 30000 to 32767, the range of a cluster that does not set another.`,
        "warning",
      );
    if (nodes.has(`${node} ${protocol}`))
      report("duplicate-port", nodeAt, `nodePort ${node} occurs twice in this Service.`);
    nodes.add(`${node} ${protocol}`);
  }
}

/** Checks an Ingress beyond its types. */
export function checkIngress(spec: At, report: ReportAt): void {
  if (!isPresent(spec)) return;
  if (items(child(spec, "rules")).length === 0 && !isPresent(child(spec, "defaultBackend")))
    report("required", spec, "An Ingress must have rules or defaultBackend.");
  checkBackend(child(spec, "defaultBackend"), report);
  for (const rule of items(child(spec, "rules"))) {
    checkHost(child(rule, "host"), report);
    for (const path of items(child(rule, "http", "paths"))) {
      checkBackend(child(path, "backend"), report);
      const at = child(path, "path");
      const type = textOf(child(path, "pathType"));
      const text = textOf(at);
      if (
        type === "ImplementationSpecific"
          ? text === undefined || text === "" || text.startsWith("/")
          : text?.startsWith("/")
      )
        continue;
      if (type === "Exact" || type === "Prefix" || text !== undefined)
        report("path", text === undefined ? path : at, "path must begin with /.");
    }
  }
  for (const tls of items(child(spec, "tls")))
    for (const host of items(child(tls, "hosts"))) checkHost(host, report);
}

function checkHost(at: At, report: ReportAt): void {
  const host = textOf(at);
  if (host === undefined || host === "") return;
  if (isAddress(host)) report("name", at, `host must be a name, not the address ${quote(host)}.`);
  else if (isWildcardHost(host) !== undefined)
    report("name", at, `host ${quote(host)} ${isWildcardHost(host)}.`);
}

function checkBackend(backend: At, report: ReportAt): void {
  if (!isPresent(backend)) return;
  const [service, resource] = [child(backend, "service"), child(backend, "resource")];
  if (isPresent(service) === isPresent(resource))
    return report("required", backend, "A backend must have either service or resource.");
  if (!isPresent(service)) return;
  const port = child(service, "port");
  const [name, number] = [child(port, "name"), child(port, "number")];
  if (isPresent(name) === isPresent(number))
    report(
      "required",
      isPresent(port) ? port : service,
      "The service of a backend must have port.name or port.number, and not both.",
    );
  checkPort(number, "number", report);
}

/** Checks a NetworkPolicy beyond its types. */
export function checkNetworkPolicy(spec: At, report: ReportAt): void {
  checkSelector(child(spec, "podSelector"), report);
  for (const [list, peers] of [
    ["ingress", "from"],
    ["egress", "to"],
  ] as const) {
    for (const rule of items(child(spec, list))) {
      for (const port of items(child(rule, "ports"))) checkPolicyPort(port, report);
      for (const peer of items(child(rule, peers))) checkPeer(peer, report);
    }
  }
}

function checkPolicyPort(port: At, report: ReportAt): void {
  const [first, last] = [child(port, "port"), child(port, "endPort")];
  checkPortOrName(first, "port", report);
  checkPort(last, "endPort", report);
  if (!isPresent(last)) return;
  if (wholeOf(first) === undefined) report("port", last, "endPort needs a number in port.");
  else if ((wholeOf(last) ?? Infinity) < (wholeOf(first) as number))
    report("port", last, "endPort must be at least port.");
}

function checkPeer(peer: At, report: ReportAt): void {
  const block = child(peer, "ipBlock");
  const others = ["podSelector", "namespaceSelector"].filter((name) => isPresent(child(peer, name)));
  for (const name of others) checkSelector(child(peer, name), report);
  if (!isPresent(block)) {
    if (others.length === 0)
      report("required", peer, "A peer must have podSelector, namespaceSelector or ipBlock.");
    return;
  }
  if (others.length > 0)
    report("exclusive", block, `ipBlock must not stand beside ${joinWords(others, "and")}.`);
  const whole = checkCidr(child(block, "cidr"), "cidr", report);
  for (const at of items(child(block, "except"))) {
    const part = checkCidr(at, "except", report);
    if (whole !== undefined && part !== undefined && (part.first < whole.first || part.last > whole.last))
      report("network", at, `except ${quote(textOf(at) ?? "")} must be inside cidr.`);
  }
}

function checkCidr(at: At, name: string, report: ReportAt): { first: bigint; last: bigint } | undefined {
  const text = textOf(at);
  if (text === undefined) return undefined;
  const network = text.includes("/") && isNetwork(text) ? unlessFault(() => parseNetwork(text)) : undefined;
  if (network === undefined)
    report("network", at, `${name} must be a network such as 10.0.0.0/8, not ${quote(text)}.`);
  return network;
}

function checkAddress(at: At, name: string, report: ReportAt): void {
  const text = textOf(at);
  if (text !== undefined && !isAddress(text))
    report("network", at, `${name} must be an IP address, not ${quote(text)}.`);
}

const isAddress = (text: string): boolean =>
  text.length <= 64 && unlessFault(() => parseAddress(text)) !== undefined;

/** Checks the addresses and ports of an EndpointSlice. */
export function checkEndpointSlice(root: At, report: ReportAt): void {
  for (const port of items(child(root, "ports"))) checkPort(child(port, "port"), "port", report);
  const type = textOf(child(root, "addressType"));
  if (type !== "IPv4" && type !== "IPv6") return;
  for (const endpoint of items(child(root, "endpoints")))
    for (const address of items(child(endpoint, "addresses"))) checkAddress(address, "addresses", report);
}
