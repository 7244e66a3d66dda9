import { type TokenRule, toTokenRules } from "../token-rule.ts";
import { businessRules } from "./business.ts";
import { cloudRules } from "./clouds.ts";
import { codeRules } from "./code.ts";
import { messageRules } from "./messages.ts";
import { modelRules } from "./models.ts";
import { operationsRules } from "./operations.ts";
import { paymentRules } from "./payments.ts";

/** RFC 7519 §3: three parts in base64url, the first two of which are JSON objects. No part begins within another. */
const jwtRules = toTokenRules([
  ["jwt", "a JSON Web Token", "eyJ", String.raw`[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{16,}`],
]);

/** Where two rules have the same prefix, the first that matches names the token. */
export const tokenRules: readonly TokenRule[] = [
  ...cloudRules,
  ...codeRules,
  ...modelRules,
  ...paymentRules,
  ...messageRules,
  ...operationsRules,
  ...businessRules,
  ...jwtRules,
];
