import type { Planted } from "./planted.ts";

export const businessExamples: readonly Planted[] = [
  ["linear-key", "lin_api_{w40}", "lin_api_{w39}"],
  ["notion-token", "ntn_{w46}", "ntn_{w45}"],
  ["figma-token", "figd_{u40}", "figd_{u39}"],
  ["clickup-token", "pk_{d6}_{U32}", "pk_{d6}_{U31}"],
  ["typeform-token", "tfp_{u40}", "tfp_{u39}"],
  ["frameio-token", "fio-u-{u64}", "fio-u-{u63}"],
  ["salesforce-token", "00D{w12}!{w80}", "00D{w12}!{w79}"],
  ["salesforce-refresh-token", "5Aep861{w50}", "5Aep861{w49}"],
  ["adobe-client-secret", "p8e-{l32}", "p8e-{l31}"],
  ["canva-secret", "cnvca{u50}", "cnvca{u49}"],
  ["n8n-key", "n8n_api_{h40}", "n8n_api_{h39}"],
  ["stytch-secret", "secret-live-{u36}", "secret-live-{u35}"],
  ["authress-key", "sc_{l10}.{l5}.acc-{l20}.{w40}", "sc_{l10}.{l5}.acc-{l20}.{w29}"],
  ["intra42-secret", "s-s4t2ud-{h64}", "s-s4t2ud-{h63}"],
  ["intra42-token", "u-s4t2ud-{h64}", "u-s4t2ud-{h63}"],
  ["cal-key", "cal_live_{h32}", "cal_live_{h31}"],
  ["appwrite-key", "standard_{h200}", "standard_{h199}"],
];
