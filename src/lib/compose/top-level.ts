import { parseAddress } from "../ip/parse.ts";
import { type Network, parseNetwork } from "../ip/network.ts";
import { isDictionary } from "../data/value.ts";
import { unlessFault } from "../fault.ts";
import { type At, child, isPresent, items, members, quote } from "../kubernetes/at.ts";
import type { Project } from "./project.ts";

/** Checks the top level: version and name, external resources, sources of secrets and configs, and networks. */
export function checkTopLevel(root: At, project: Project): void {
  const { report, textAt } = project;
  const version = child(root, "version");
  if (isPresent(version)) report("obsolete-version", version, "version has no effect; remove it.", "warning");
  const name = child(root, "name");
  const text = textAt(name);
  if (text !== undefined && !/^[a-z0-9][a-z0-9_-]*$/.test(text))
    report(
      "name",
      name,
      `The name of a project must have lower-case letters, digits, _ and -, and begin with a letter or digit; ${quote(text)} does not.`,
    );
  for (const section of ["networks", "volumes", "secrets", "configs"] as const)
    for (const [key, at] of members(child(root, section))) checkResource(section, key, at, project);
  if (child(root, "services").value === undefined && !project.hasIncludes && project.services.size === 0)
    report(
      "no-services",
      root,
      "The file has no services, so that it is only a part of a project.",
      project.strict ? "error" : "warning",
    );
}

/** The keys that may stand beside `external`. */
const besideExternal = new Set(["external", "name"]);

/** Where the content of a secret or a config comes from. */
const sources = { secrets: ["file", "environment"], configs: ["file", "environment", "content"] } as const;

function checkResource(
  section: "networks" | "volumes" | "secrets" | "configs",
  name: string,
  at: At,
  { report }: Project,
): void {
  const external = child(at, "external");
  if (isDictionary(external.value ?? null))
    report(
      "external-name",
      external,
      "external.name is an old form; write external: true, and name beside it.",
      "warning",
    );
  if (external.value === true || isDictionary(external.value ?? null)) {
    for (const [key, member] of members(at))
      if (!besideExternal.has(key) && !key.startsWith("x-"))
        report(
          "conflict",
          member,
          `${key} has no effect on ${quote(name)}, which is external; remove one of the two.`,
        );
    return;
  }
  if (section !== "secrets" && section !== "configs") return;
  const known: readonly string[] = sources[section];
  const given = known.filter((key) => isPresent(child(at, key)));
  const hasDriver = isPresent(child(at, "driver")) || isPresent(child(at, "template_driver"));
  const kind = section.slice(0, -1);
  if (given.length === 0 && !hasDriver && isDictionary(at.value ?? null))
    report(
      "source",
      at,
      `The ${kind} ${quote(name)} has no source; write ${known.join(", ")} or external: true.`,
    );
  if (given.length > 1)
    report(
      "source",
      child(at, given[1] as string),
      `The ${kind} ${quote(name)} has ${given.join(" and ")}; it must have one source.`,
    );
}

/** The addresses of services, and whether a network has a subnet with them. */
export function checkAddresses(service: At, project: Project): void {
  const { report, textAt, defined } = project;
  for (const [name, at] of members(child(service, "networks"))) {
    const network = defined.networks.get(name);
    for (const [key, version] of [
      ["ipv4_address", 4],
      ["ipv6_address", 6],
    ] as const) {
      const place = child(at, key);
      const text = textAt(place);
      if (text === undefined || text === "") continue;
      const address = unlessFault(() => parseAddress(text));
      if (address?.version !== version) {
        report("address", place, `${key} must be an IPv${version} address, not ${quote(text)}.`);
        continue;
      }
      const subnets = network === undefined ? [] : subnetsOf(network, project);
      if (
        subnets.length > 0 &&
        !subnets.some(({ first, last }) => address.value >= first && address.value <= last)
      )
        report("address", place, `${quote(text)} is in no subnet of the network ${quote(name)}.`);
    }
  }
}

/** Most subnets of a network that an address is compared with. */
const maxSubnets = 100;

const subnetsOf = (network: At, { textAt }: Project): Network[] =>
  items(child(network, "ipam", "config"))
    .slice(0, maxSubnets)
    .flatMap((one) => {
      const text = textAt(child(one, "subnet"));
      return text === undefined ? [] : (unlessFault(() => parseNetwork(text)) ?? []);
    });

/** The subnets of networks. */
export function checkSubnets(network: At, { report, textAt }: Project): void {
  for (const one of items(child(network, "ipam", "config"))) {
    const at = child(one, "subnet");
    const text = textAt(at);
    if (
      text !== undefined &&
      text !== "" &&
      (!text.includes("/") || unlessFault(() => parseNetwork(text)) === undefined)
    )
      report("address", at, `subnet must be a network, such as 172.28.0.0/16, not ${quote(text)}.`);
  }
}
