/**
 * The rules with the names that other linters have for them: hadolint's numbers, those of ShellCheck, and BuildKit's build checks.
 * `ignore` and comments accept each of them. A rule with numbers for several programs reports the one that fits.
 */
export const dockerfileRules = {
  "add-archive": ["DL3010"],
  "add-local": ["DL3020"],
  apt: ["DL3027"],
  arguments: [],
  cd: ["DL3003"],
  "cmd-repeated": ["DL4003", "MultipleInstructionsDisallowed"],
  "consecutive-runs": ["DL3059"],
  "copy-destination": ["DL3021"],
  "copy-own-stage": ["DL3023"],
  "copy-relative": ["DL3045"],
  directive: [],
  "duplicate-stage": ["DL3024", "DuplicateStageName"],
  "empty-continuation": ["NoEmptyContinuation"],
  "entrypoint-repeated": ["DL4004", "MultipleInstructionsDisallowed"],
  "env-self-reference": ["DL3044"],
  flag: [],
  "healthcheck-repeated": ["DL3012", "MultipleInstructionsDisallowed"],
  "heredoc-end": [],
  "image-digest": [],
  "image-latest": ["DL3007"],
  "image-name": ["InvalidDefaultArgInFrom"],
  "image-tag": ["DL3006"],
  "instruction-order": ["DL3061"],
  "json-form": [],
  "label-key": ["DL3048"],
  "label-missing": ["DL3049"],
  "label-value": ["DL3051", "DL3052", "DL3053", "DL3054", "DL3055", "DL3056", "DL3058"],
  "last-user-root": ["DL3002"],
  "legacy-pair": ["LegacyKeyValueFormat"],
  maintainer: ["DL4000", "MaintainerDeprecated"],
  "missing-from": [],
  "no-break-space": ["SC1018"],
  "onbuild-trigger": ["DL3043"],
  "open-quote": ["SC1078"],
  "package-cache": ["DL3009", "DL3019", "DL3032", "DL3036", "DL3040", "DL3042", "DL3060"],
  "package-pin": [
    "DL3008",
    "DL3013",
    "DL3016",
    "DL3018",
    "DL3028",
    "DL3033",
    "DL3037",
    "DL3041",
    "DL3062",
    "DL3068",
  ],
  "package-recommends": ["DL3015"],
  "package-update-alone": [],
  "package-upgrade": ["DL3005", "DL3035"],
  "package-yes": ["DL3014", "DL3030", "DL3034", "DL3038"],
  pipefail: ["DL4006"],
  "platform-constant": ["DL3029", "FromPlatformFlagConstDisallowed"],
  "platform-redundant": ["DL3065", "RedundantTargetPlatform"],
  port: ["DL3011", "ExposeInvalidFormat"],
  "reserved-stage": ["DL3063", "ReservedStageName"],
  "secret-variable": ["DL3064", "SecretsUsedInArgOrEnv"],
  "shell-form": ["DL3025", "JSONArgsRecommended"],
  "shell-link": ["DL4005"],
  "stray-ampersand": ["SC1045"],
  sudo: ["DL3004"],
  "trusted-registry": ["DL3026"],
  "undefined-argument": ["UndefinedArgInFrom"],
  "unknown-instruction": [],
  "unknown-stage": ["DL3022"],
  "useless-command": ["DL3001"],
  "useradd-log": ["DL3046"],
  "wget-and-curl": ["DL4001"],
  "wget-progress": ["DL3047"],
  "workdir-relative": ["DL3000", "WorkdirRelativePath"],
} as const satisfies Record<string, readonly string[]>;

export type DockerfileRule = keyof typeof dockerfileRules;

const all = Object.entries(dockerfileRules) as [DockerfileRule, readonly string[]][];

const known = new Set(all.flatMap(([rule, names]) => [rule, ...names]).map((name) => name.toLowerCase()));

export const ruleNames: readonly string[] = Object.keys(dockerfileRules);

/** The number that hadolint or ShellCheck has for a finding. */
export const numberOf = (rule: DockerfileRule, code: string | undefined): string | undefined =>
  code ?? dockerfileRules[rule].find((name) => /^(?:DL|SC)\d/.test(name));

/** Whether a name is that of a rule here or elsewhere; all numbers of hadolint and ShellCheck are. */
export const isRuleName = (name: string): boolean =>
  known.has(name.toLowerCase()) || /^(?:DL|SC)\d{4}$/i.test(name);

/**
 * The names that a finding has, in lower case.
 * @param code The number of hadolint that fits it, of a rule with several
 */
export function namesOf(rule: DockerfileRule, code: string | undefined): string[] {
  const others = dockerfileRules[rule].filter((name) => code === undefined || !name.startsWith("DL"));
  return [rule, ...others, code ?? rule].map((name) => name.toLowerCase());
}
