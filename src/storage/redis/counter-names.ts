import type { Tag } from "./client.ts";

/** The digits of a /48 of IPv6, whose counter is counted together with those of its networks. */
const widest = 12;

/**
 * Returns the name of a counter below `count:`. In a cluster the counters of an account lie beside its record, and those of an IPv6 address beside
 * those of its wider networks.
 */
export function counterName(tag: Tag, id: string): string {
  const [kind = "", name = "", ...rest] = id.split(":");
  if (kind === "account") return [kind, tag(name), ...rest].join(":");
  if (kind === "ip" && name.length >= widest) return `ip:${tag(name.slice(0, widest))}${name.slice(widest)}`;
  return id;
}

/** Returns the id of a counter by its name. */
export const idOfCounter = (name: string): string => name.replaceAll(/[{}]/g, "");
