import { commonKinds, type Grammar, type Kind, type Spec } from "./grammar.ts";
import { version31 } from "./version-3.ts";

/** Returns a kind of 3.1 with fields added or replaced. */
const extend = (name: string, fields: Record<string, Spec>, rest: Partial<Kind> = {}): Kind => {
  const kind = version31[name] as Kind;
  return { ...kind, ...rest, fields: { ...kind.fields, ...fields } };
};

const sequential: Record<string, Spec> = { prefixEncoding: "[Encoding]", itemEncoding: "Encoding" };
const styles = "=matrix|label|form|simple|spaceDelimited|pipeDelimited|deepObject|cookie";

/** OpenAPI 3.2. */
export const version32: Grammar = {
  ...version31,
  Document: extend("Document", { $self: "string" }),
  Server: extend("Server", { name: "string" }),
  Components: extend("Components", { mediaTypes: "{MediaType}" }),
  PathItem: extend("PathItem", { query: "Operation", additionalOperations: "{Operation}" }),
  Parameter: extend("Parameter", { in: "=cookie|header|path|query|querystring!", style: styles }),
  MediaType: extend("MediaType", { itemSchema: "Schema", ...sequential }, { ref: true }),
  Encoding: extend("Encoding", { encoding: "{Encoding}", ...sequential }),
  Response: extend("Response", { summary: "string", description: "string" }),
  Example: extend("Example", { dataValue: "any", serializedValue: "string" }),
  Tag: {
    fields: { ...(commonKinds["Tag"] as Kind).fields, summary: "string", parent: "string", kind: "string" },
  },
  SecurityScheme: extend("SecurityScheme", { deprecated: "boolean", oauth2MetadataUrl: "string" }),
  OAuthFlows: extend("OAuthFlows", { deviceAuthorization: "DeviceFlow" }),
  DeviceFlow: extend("TokenFlow", { deviceAuthorizationUrl: "string!" }),
};
