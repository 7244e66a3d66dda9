import { defineLeaf, jsonArg } from "./command.ts";
import type { Host } from "./host.ts";
import { writeJson } from "./json.ts";

export const versionCommand = defineLeaf({
  description: "Print version, commit, Node version and platform.",
  args: jsonArg,
  async run({ json }, host) {
    const facts = { ...(await host.program.build()), node: host.node, platform: host.platform };
    if (json === true) return writeJson(host, facts);
    await host.stdout.write(`${versionLine(facts)}\nnode ${facts.node}\nplatform ${facts.platform}\n`);
  },
});

/** `penknife 1.2.3 (0123abcd4567)` */
export const versionLine = ({ version, commit }: Awaited<ReturnType<Host["program"]["build"]>>): string =>
  `penknife ${version}${commit === "" ? "" : ` (${commit})`}`;
