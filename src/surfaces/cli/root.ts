import { type Command, defineGroup } from "./command.ts";

/** Every command; the file of each is evaluated only when the command runs. */
export const root: Command = defineGroup({
  description: "Developer tools over HTTP and on the command line, in one executable.",
  commands: {
    serve: async () => (await import("./serve.ts")).serveCommand,
    run: async () => (await import("./run.ts")).runCommand,
    check: async () => (await import("./check/check.ts")).checkCommand,
    jq: async () => (await import("./jq/jq.ts")).jqCommand,
    mcp: async () => (await import("./mcp.ts")).mcpCommand,
    lsp: async () => (await import("./lsp.ts")).lspCommand,
    tools: async () => (await import("./tools.ts")).toolsCommand,
    admin: async () => (await import("./admin/admin.ts")).adminCommand,
    inbox: async () => (await import("./inbox/inbox.ts")).inboxCommand,
    doctor: async () => (await import("./doctor.ts")).doctorCommand,
    config: async () => (await import("./config.ts")).configCommand,
    healthcheck: async () => (await import("./healthcheck.ts")).healthcheckCommand,
    completion: async () => (await import("./completion/completion.ts")).completionCommandOf(root),
    version: async () => (await import("./version.ts")).versionCommand,
    licenses: async () => (await import("./licenses.ts")).licensesCommand,
  },
  examples: [
    "penknife serve",
    "penknife run json-formatter --indent 2 < a.json",
    "penknife check json-validator 'src/**/*.json'",
    "penknife admin accounts create ci --plan pro",
  ],
});
