import { isNat64Prefix } from "./lib/ip/nat64.ts";
import { isNetwork } from "./lib/ip/parse.ts";
import { isPortRange } from "./lib/ip/ports.ts";
import { type AnyOption, boolean, choice, integer, type Option, string, strings } from "./lib/option.ts";

const network = {
  pattern: { test: isNetwork },
  expected: "an address or a network, such as 192.0.2.7, 10.0.0.0/8 or fd00::/8",
};

const header = { pattern: /^[A-Za-z0-9-]*$/, expected: "nothing, or the name of a header" };

/** Every option with its default. `config/penknife.yaml` describes each. */
export const sections = {
  server: {
    host: string("127.0.0.1"),
    port: integer(8787, { min: 0, max: 65_535 }),
    basePath: string("", {
      pattern: /^(?:\/[A-Za-z0-9._~-]+)*$/,
      expected: "nothing, or a path such as /penknife without a slash at its end",
    }),
    allowedHosts: strings({
      pattern: /^(?:\*|(?:(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[\da-f:.]+\])(?::\d{1,5})?)$/i,
      expected:
        "a host name such as tools.example.com, *.example.com for all below it, or * for every name, without a scheme or a path",
    }),
    trustedProxies: strings({ ...network, pattern: { test: (text) => text === "unix" || isNetwork(text) } }),
    proxyHeader: string("X-Forwarded-For", { pattern: /^[A-Za-z0-9-]+$/, expected: "the name of a header" }),
    bodyLimit: integer(10_485_760, { min: 1024, max: 1_073_741_824 }),
    maxConcurrency: integer(512, { min: 1, max: 100_000 }),
    connectionsPerAddress: integer(1024, { min: 8, max: 100_000 }),
    corsOrigins: strings({
      pattern: /^(?:\*|[a-z][a-z0-9+.-]*:\/\/[^\s/?#]+)$/,
      expected: "* or an origin such as https://tools.example.com, without a slash or a path",
    }),
    tlsCert: string(""),
    tlsKey: string(""),
    hstsSeconds: integer(0, { min: 0, max: 63_072_000 }),
  },
  auth: {
    anonymous: boolean(true),
    staleMinutes: integer(15, { min: 0, max: 1440 }),
    maxKeyDays: integer(0, { min: 0, max: 36_500 }),
  },
  limits: {
    freePerMinute: integer(6000, { min: 60, max: 10_000_000 }),
    ipv6Factor: integer(4, { min: 1, max: 256 }),
    onStoreError: choice("share", ["share", "open", "closed"]),
  },
  storage: {
    driver: choice("file", ["file", "redis", "memory"]),
    path: string("./penknife-data", { pattern: /./s, expected: "the path of a folder" }),
    minFreeMb: integer(16, { min: 0, max: 1_048_576 }),
    strictModes: boolean(false),
    url: secret("", {
      pattern: /^(?:rediss?(?:\+sentinel|\+cluster)?:\/\/.+)?$/,
      expected: "an URL that begins with redis://, rediss://, redis+sentinel:// or redis+cluster://",
    }),
    unknownKeyMs: integer(1000, { min: 100, max: 10_000 }),
    prefix: string("penknife:", {
      pattern: /^[A-Za-z0-9_.-]+:$/,
      expected: "letters, digits, _ . - and a colon at the end, such as penknife:",
    }),
    encryptionKey: secret("", {
      pattern: /^(?:[0-9A-Fa-f]{64}|[A-Za-z0-9+/_-]{43}=?)?$/,
      expected: "32 bytes as 64 hex digits or as base64, such as openssl rand -hex 32 prints",
    }),
  },
  webhooks: {
    enabled: boolean(true),
    allowCidrs: strings(network),
    allowPorts: strings({
      pattern: { test: isPortRange },
      expected: 'a port or a range of ports in quotes, such as "443" or "8000-8999"',
    }),
    nat64Prefixes: strings({
      pattern: { test: isNat64Prefix },
      expected: "a network of IPv6 with 32, 40, 48, 56, 64 or 96 bits, such as 2001:db8:64::/96",
    }),
    timeoutMs: integer(5000, { min: 3000, max: 5000 }),
    attempts: integer(12, { min: 2, max: 100 }),
    firstDelaySeconds: integer(5, { min: 1, max: 86_400 }),
    factor: integer(3, { min: 1, max: 10 }),
    maxDelayHours: integer(12, { min: 1, max: 72 }),
    concurrency: integer(64, { min: 1, max: 1024 }),
    perEndpoint: integer(8, { min: 1, max: 256 }),
    keepDays: integer(30, { min: 1, max: 365 }),
  },
  inbox: {
    enabled: boolean(true),
    maxBytes: integer(1_048_576, { min: 1024, max: 1_048_576 }),
    maxMessages: integer(500, { min: 1, max: 10_000 }),
    maxMb: integer(64, { min: 2, max: 1_048_576 }),
    maxMbPerAccount: integer(256, { min: 2, max: 1_048_576 }),
    maxMbTotal: integer(1024, { min: 2, max: 16_777_216 }),
    keepDays: integer(7, { min: 1, max: 365 }),
  },
  graphql: {
    enabled: boolean(true),
    introspection: boolean(true),
    graphiql: boolean(true),
    maxBytes: integer(1_048_576, { min: 1024, max: 10_485_760 }),
    maxDepth: integer(10, { min: 2, max: 100 }),
    maxAliases: integer(30, { min: 0, max: 1000 }),
    maxCost: integer(5000, { min: 100, max: 1_000_000 }),
    maxConnections: integer(1024, { min: 1, max: 100_000 }),
    maxSubscriptions: integer(32, { min: 1, max: 1000 }),
  },
  mcp: {
    enabled: boolean(true),
    maxBytes: integer(1_048_576, { min: 1024, max: 10_485_760 }),
  },
  web: {
    enabled: boolean(true),
    publicUrl: string("", {
      pattern: /^(?:https?:\/\/[^\s/?#@*]+(?:\/[A-Za-z0-9._~-]+)*)?$/,
      expected: "nothing, or a URL such as https://tools.example.com/penknife without a slash at its end",
    }),
    insecureCookies: boolean(false),
    contact: string("", { pattern: /^[^\r\n]{0,200}$/, expected: "one line of at most 200 characters" }),
  },
  oidc: {
    issuer: string("", {
      pattern: /^(?:(?=[!$-~]{1,200}$)https?:\/\/[^/?@]+(?:\/[^?]*)?)?$/,
      expected:
        "nothing, or the issuer URL of a provider in at most 200 ASCII characters, such as https://id.example.com/realms/staff",
    }),
    name: string("", { pattern: /^[^\r\n]{0,60}$/, expected: "one line of at most 60 characters" }),
    clientId: string(""),
    clientSecret: secret(""),
    scopes: strings({ pattern: /^[\x21\x23-\x5b\x5d-\x7e]+$/, expected: "a scope, such as groups" }, [
      "profile",
    ]),
    caFile: string(""),
    accountClaim: string("", {
      pattern: /^[^\s=]*$/,
      expected: "nothing, or the name of a claim, such as groups",
    }),
    accountMap: strings({
      pattern: /^.+=[a-z0-9][a-z0-9-]{0,62}$/s,
      expected: "a value of the claim, an equals sign and an account, such as /teams/payments=payments",
    }),
    operatorRule: strings({
      pattern: /^[^\s=]+=.+$/s,
      expected: "the name of a claim, an equals sign and a value, such as groups=penknife-operators",
    }),
  },
  proxyAuth: {
    header: string("", header),
    secretHeader: string("X-Penknife-Proxy-Secret", header),
    secret: secret("", {
      pattern: /^(?:[!-~]{32,200})?$/,
      expected: "nothing, or 32 to 200 printable ASCII characters without spaces (openssl rand -hex 24)",
    }),
    groupsHeader: string("", header),
    accountClaim: choice("", ["", "groups", "user"]),
    accountMap: strings({
      pattern: /^.+=[a-z0-9][a-z0-9-]{0,62}$/s,
      expected: "a group or a user, an equals sign and an account, such as payments-team=payments",
    }),
    operatorRule: strings({
      pattern: /^(?:groups|user)=.+$/s,
      expected: "groups or user, an equals sign and a value, such as groups=penknife-operators",
    }),
  },
  tools: {
    deadlineMs: integer(5000, { min: 10, max: 600_000 }),
    memoryMb: integer(160, { min: 16, max: 4096 }),
    workers: integer(0, { min: 0, max: 256 }),
    inlineBytes: integer(65_536, { min: 0, max: 1_048_576 }),
    disabled: strings(),
  },
  log: {
    level: choice("info", ["debug", "info", "warn", "error", "silent"]),
    format: choice("auto", ["auto", "json", "text"]),
  },
  metrics: {
    enabled: boolean(true),
    token: secret(""),
  },
} as const;

type Sections = typeof sections;

/** The value of every option, by section and name. */
export type Config = {
  readonly [Name in keyof Sections]: { readonly [Key in keyof Sections[Name]]: ValueOf<Sections[Name][Key]> };
};

type ValueOf<T> = T extends Option<infer Value> ? Value : never;

/** Whether an option, as `section.name`, has a value that is never shown. */
export function isSecret(option: string): boolean {
  const [section = "", name = ""] = option.split(".");
  const one = (sections as Record<string, Record<string, AnyOption>>)[section]?.[name];
  return one !== undefined && "secret" in one;
}

function secret(...args: Parameters<typeof string>): Option<string> {
  return Object.assign(string(...args), { secret: true });
}
