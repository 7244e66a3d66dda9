import { z } from "zod";
import { isolateOver } from "../catalog/inline.ts";
import { invalidField } from "../catalog/input.ts";
import type { ToolContext } from "../catalog/tool.ts";
import { type Network, parseNetwork } from "../lib/ip/network.ts";
import { widthOf } from "../lib/ip/parse.ts";
import { partsOf } from "../lib/ip/range.ts";
import { refusing } from "./refusing.ts";

/** The fields of cidr-calculator that list parts of a network. */
export const partFields = {
  split: z
    .int()
    .min(0)
    .max(128)
    .optional()
    .describe("Prefix length into which the network is split; the result is then a list, one per line"),
  exclude: z
    .array(z.string().max(100))
    .max(1000)
    .default([])
    .describe("Networks to take out; the result is then the list of what is left"),
};

/** Lists the parts of a network, one per line; undefined if no field asks for them. @throws ToolError */
export function listParts(
  network: Network,
  { data, split, exclude }: { data: string; split?: number | undefined; exclude: readonly string[] },
  context: ToolContext,
): string | undefined {
  if (split === undefined && exclude.length === 0) return undefined;
  const { prefix, address } = network;
  const width = widthOf(address.version);
  if (split !== undefined && (split < prefix || split > width))
    throw invalidField("split", `Must be ${prefix} to ${width} for this network.`);
  const others = exclude.map((text) => refusing(text, () => parseNetwork(text), "exclude"));
  isolateOver(split === undefined ? others.length : 2 ** Math.min(split - prefix, 20), 1000, context);
  return refusing(data, () => partsOf(network, { split, exclude: others }).join("\n"));
}
