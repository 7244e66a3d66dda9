import { type At, child, items, quote, scalarOf } from "../kubernetes/at.ts";
import { isDictionary } from "../data/value.ts";
import type { Project } from "./project.ts";

type Range = readonly [first: number, last: number];

/** A port of the host that a service is published at. */
export interface Published {
  service: string;
  profiles: readonly string[];
  /** Empty for all addresses. */
  ip: string;
  range: Range;
  protocol: string;
  at: At;
}

/** Returns the published ports of a service, and reports those that are written wrongly. */
export function readPorts(name: string, service: At, project: Project): Published[] {
  const profiles = items(child(service, "profiles")).map((at) => project.textAt(at) ?? "");
  const published: Published[] = [];
  for (const at of items(child(service, "ports"))) {
    const port = isDictionary(at.value ?? null) ? readLong(at, project) : readShort(at, project);
    if (port !== undefined) published.push({ service: name, profiles, at, ...port });
  }
  for (const at of items(child(service, "expose"))) {
    const text = typeof at.value === "string" ? project.textAt(at) : scalarOf(at);
    if (text !== undefined && !/^\d{1,5}(?:-\d{1,5})?(?:\/[a-zA-Z]+)?$/.test(text))
      project.report(
        "port",
        at,
        `${quote(text)} is no port; expose takes the port of the container, such as 8080 or 8000-8010/udp.`,
      );
  }
  return published;
}

type Port = Pick<Published, "ip" | "range" | "protocol">;

function readShort(at: At, { report, textAt }: Project): Port | undefined {
  const text = typeof at.value === "string" ? textAt(at) : scalarOf(at);
  if (text === undefined) return undefined;
  const fail = (message: string): undefined => void report("port", at, message);
  const [, ports = "", protocol = "tcp"] = /^([^/]*)(?:\/(.*))?$/s.exec(text) ?? [];
  if (!/^(?:tcp|udp|sctp)$/i.test(protocol))
    return fail(`The protocol of a port must be tcp, udp or sctp, not ${quote(protocol)}.`);
  const [, ip = "", host = "", container = ""] =
    /^(?:(\[[^\]]*\]|[^[\]]*?):)??(?:([^:]*):)?([^:]*)$/s.exec(ports.slice(0, 256)) ?? [];
  const target = toRange(container);
  if (target === undefined)
    return fail(`${quote(text)} is no port; write HOST:CONTAINER, such as 8080:80, or 127.0.0.1:8080:80.`);
  if (ip !== "" && !isAddress(ip))
    return fail(`${quote(ip)} is no IP address; the form is IP:HOST:CONTAINER.`);
  if (host === "") return undefined;
  const range = toRange(host);
  if (range === undefined)
    return fail(`${quote(host)} is no port of the host; it must be a number from 0 to 65535, or a range.`);
  const sizes = [range[1] - range[0], target[1] - target[0]];
  if (sizes[0] !== sizes[1] && sizes[1] !== 0)
    return fail(`The ranges ${host} and ${container} must have as many ports.`);
  // A range for one port means any free one in it.
  return sizes[0] === sizes[1] ? { ip: bare(ip), range, protocol: protocol.toLowerCase() } : undefined;
}

function readLong(at: At, { report, textAt }: Project): Port | undefined {
  const [target, published, ip, protocol, mode] = ["target", "published", "host_ip", "protocol", "mode"].map(
    (key) => child(at, key),
  ) as [At, At, At, At, At];
  if (target.value === undefined)
    return void report("port", at, "A port in the long form must have target, the port of the container.");
  const known = (one: At): string | undefined =>
    typeof one.value === "string" ? textAt(one) : scalarOf(one);
  const inner = known(target);
  if (inner !== undefined && toRange(inner) === undefined)
    return void report("port", target, `target must be a port, not ${quote(inner)}.`);
  const name = textAt(protocol) ?? "tcp";
  if (!/^(?:tcp|udp|sctp)$/i.test(name))
    return void report("port", protocol, `protocol must be tcp, udp or sctp, not ${quote(name)}.`);
  const wanted = textAt(mode);
  if (wanted !== undefined && wanted !== "host" && wanted !== "ingress")
    report("port", mode, `mode must be host or ingress, not ${quote(wanted)}.`);
  const address = textAt(ip) ?? "";
  if (address !== "" && !isAddress(address))
    report("port", ip, `host_ip must be an IP address, not ${quote(address)}.`);
  const outer = known(published);
  if (outer === undefined || outer === "") return undefined;
  const range = toRange(outer);
  if (range === undefined)
    return void report("port", published, `published must be a port or a range, not ${quote(outer)}.`);
  return range[0] === range[1] ? { ip: bare(address), range, protocol: name.toLowerCase() } : undefined;
}

function toRange(text: string): Range | undefined {
  const [, first, last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text) ?? [];
  const [from, to] = [Number(first ?? -1), Number(last ?? -1)];
  return first !== undefined && to <= 65_535 && from <= to ? [from, to] : undefined;
}

const isAddress = (text: string): boolean => {
  const inner = bare(text);
  return /^\d{1,3}(?:\.\d{1,3}){3}$/.test(inner)
    ? inner.split(".").every((part) => Number(part) < 256)
    : /^[\da-fA-F:.]*:[\da-fA-F:.]*$/.test(inner);
};

const bare = (ip: string): string => ip.replace(/^\[|\]$/g, "");

/** Most published ports that are compared with each other. */
const maxCompared = 2000;

/** Reports ports of the host that two services, or one twice, want to have. */
export function checkClashes(published: readonly Published[], { report }: Project): void {
  if (published.length > maxCompared) return;
  const sorted = published.toSorted((a, b) => a.range[0] - b.range[0]);
  const order = new Map(published.map((one, index) => [one, index]));
  const isBefore = (a: Published, b: Published): boolean => (order.get(a) ?? 0) < (order.get(b) ?? 0);
  const reported = new Set<Published>();
  for (const [index, first] of sorted.entries()) {
    for (let next = index + 1; next < sorted.length; next++) {
      const second = sorted[next] as Published;
      if (second.range[0] > first.range[1]) break;
      const later = isBefore(first, second) ? second : first;
      if (!clash(first, second) || reported.has(later)) continue;
      reported.add(later);
      const other = later === first ? second : first;
      const port = second.range[0];
      report(
        "port-clash",
        later.at,
        later.service === other.service
          ? `The service publishes the port ${port} of the host twice.`
          : `The service ${quote(other.service)} publishes the port ${port} of the host, too; only one can have it.`,
      );
    }
  }
}

const isEverywhere = (ip: string): boolean => ip === "" || ip === "0.0.0.0" || ip === "::";

const clash = (a: Published, b: Published): boolean =>
  a.protocol === b.protocol &&
  (a.ip === b.ip || isEverywhere(a.ip) || isEverywhere(b.ip)) &&
  (a.service === b.service || mayRunTogether(a.profiles, b.profiles));

/** Services of different profiles are alternatives of each other. */
const mayRunTogether = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === 0 || b.length === 0 || a.some((profile) => b.includes(profile));
