import {
  any,
  choice,
  closed,
  each,
  either,
  flag,
  list,
  map,
  near,
  nothing,
  type Shape,
  text,
  whole,
} from "../shape.ts";

const condition = near({
  "type!": choice("header", "cookie", "query", "host"),
  key: text,
  value: either(text, map(any)),
});
const conditions = { has: list(condition), missing: list(condition) };
const optional = (shape: Shape): Shape => either(shape, nothing);

/** vercel.json, whose schema allows no other names. */
export const vercel: Shape = closed({
  $schema: text,
  ...each("buildCommand devCommand ignoreCommand installCommand outputDirectory framework", optional(text)),
  version: whole,
  alias: either(text, list(text)),
  build: closed({ env: map(text) }),
  builds: list(closed({ src: text, "use!": text, config: map(any) })),
  ...each("bunVersion nodeVersion name scope", text),
  ...each("cleanUrls trailingSlash public autoExpose fluid enableAffectedProjectsDeployments", flag),
  crons: list(near({ "path!": text, "schedule!": text })),
  env: map(text),
  functions: map(
    near({
      ...each("excludeFiles includeFiles runtime architecture", text),
      memory: whole,
      maxDuration: either(whole, choice("max")),
      ...each("supportsCancellation experimentalTriggers functionFailoverRegions regions", any),
    }),
  ),
  git: near({ deploymentEnabled: either(flag, map(flag)), exclusivity: any }),
  github: near({ ...each("autoAlias autoJobCancelation enabled silent", flag) }),
  headers: list(
    near({ "source!": text, "headers!": list(near({ "key!": text, "value!": text })), ...conditions }),
  ),
  images: near({
    sizes: list(whole),
    ...each("domains qualities formats localPatterns remotePatterns", list(any)),
    ...each("minimumCacheTTL dangerouslyAllowSVG contentSecurityPolicy contentDispositionType", any),
  }),
  redirects: list(
    near({
      "source!": text,
      "destination!": text,
      permanent: flag,
      statusCode: whole,
      env: list(text),
      ...conditions,
    }),
  ),
  bulkRedirectsPath: optional(text),
  regions: list(text),
  functionFailoverRegions: list(text),
  rewrites: list(
    near({
      "source!": text,
      "destination!": text,
      statusCode: whole,
      respectOriginCacheControl: flag,
      env: any,
      ...conditions,
    }),
  ),
  routes: list(
    near({
      ...each("src dest handle middlewarePath", text),
      headers: map(text),
      methods: list(text),
      status: whole,
      ...each("caseSensitive important user continue override check isInternal", flag),
      ...each("locale middleware transforms mitigate env middlewareRawSrc respectOriginCacheControl", any),
      ...conditions,
    }),
  ),
  wildcard: list(closed({ "domain!": text, "value!": text })),
  ...each("probes customErrorPage microfrontends experimentalServices services relatedProjects", any),
});
