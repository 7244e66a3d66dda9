import { toTokenRules } from "../token-rule.ts";

const raw = String.raw;

/** Keys of services for teams, customers, content and identity. */
export const businessRules = toTokenRules([
  ["linear-key", "a Linear key", "lin_api_ lin_oauth_", raw`<w40>|<h64>`],
  ["notion-token", "a Notion token", "ntn_ secret_", raw`<w46>|<w43>`],
  ["figma-token", "a Figma token", "figd_ figo_ figu_", raw`<u40,100>`],
  ["clickup-token", "a ClickUp token", "pk_", raw`\d{6,9}_<U32>`],
  ["typeform-token", "a Typeform token", "tfp_", raw`[\w.=-]{40,64}`],
  ["frameio-token", "a Frame.io token", "fio-u-", raw`[\w=-]{64}`],
  ["salesforce-token", "a Salesforce session", "00D", raw`<w12,15>![\w.]{80,200}`],
  ["salesforce-refresh-token", "a Salesforce refresh token", "5Aep861", raw`[\w.]{50,120}`],
  ["adobe-client-secret", "an Adobe client secret", "p8e-", raw`<l32>`],
  ["canva-secret", "a Canva client secret", "cnvca", raw`<u50,60>`],
  ["n8n-key", "an n8n key", "n8n_api_", raw`<h40,100>`],
  ["stytch-secret", "a Stytch secret", "secret-live- secret-test-", raw`<u36>=?`],
  [
    "authress-key",
    "an Authress key",
    "sc_ ext_ scauth_ authress_",
    raw`<l5,30>\.<l4,6>\.acc[_-][a-z0-9-]{10,32}\.[\w+/=-]{30,120}`,
  ],
  ["intra42-secret", "a 42 client secret", "s-s4t2ud- s-s4t2af-", raw`<h64>`],
  ["intra42-token", "a 42 user token", "u-s4t2ud- u-s4t2af-", raw`<h64>`],
  ["cal-key", "a Cal.com key", "cal_live_", raw`<h32>`],
  ["appwrite-key", "an Appwrite key", "standard_", raw`<h200,280>`],
]);
