import { defineLeaf, jsonArg } from "./command.ts";
import { writeJson } from "./json.ts";
import { versionLine } from "./version-line.ts";

export const versionCommand = defineLeaf({
  description: "Print version, commit, Node version and platform.",
  args: jsonArg,
  async run({ json }, host) {
    const facts = { ...(await host.program.build()), node: host.node, platform: host.platform };
    if (json === true) return writeJson(host, facts);
    await host.stdout.write(`${versionLine(facts)}\nnode ${facts.node}\nplatform ${facts.platform}\n`);
  },
});
