import { readGron } from "../flat/read-gron.ts";
import { fromIni } from "../ini/from-ini.ts";
import { fromProperties } from "../properties/from-properties.ts";
import { lexEnv } from "../env/lex.ts";
import { validateToml } from "../toml/validate.ts";
import { accepts, type Guess, shareOf } from "./guess.ts";
import { cutAtLine, type Sample } from "./sample.ts";

/** Most text that is parsed as a configuration. */
const maxParsed = 16 * 1024;

const section = /^\s*\[\[?[^[\]]{1,200}\]\]?\s*(?:[#;].*)?$/;
const assignment = /^\s*(?:[\w."'-]|\\.)(?:[\w ."'/-]|\\.){0,100}?\s*[=]/;
const variable = /^\s*(?:export\s+)?[A-Za-z_]\w{0,100}=/;

/** Files of assignments: dotenv, TOML, INI and properties. */
export function detectAssignments({ text, lines }: Sample): Guess[] {
  const content = lines.filter((line) => !/^\s*(?:[#;!]|\/\/)/.test(line));
  if (content.length === 0 || /^[<{]/.test(text) || /^[a-z][a-z\d+.-]*:\/\//i.test(text)) return [];
  const sections = content.filter((line) => section.test(line)).length;
  const assigned = content.filter((line) => assignment.test(line)).length;
  const joined = /=\s*(?:"""|''')/.test(text);
  if (sections === 0 && !joined && assigned < content.length * 0.6) return detectColons(text, content);
  if (sections > 0 && assigned === 0 && (content.length > 9 || content.length === 1)) return [];
  if (assigned === 0 && sections < content.length) return [];
  const env = sections === 0 ? detectEnv(text, content) : [];
  return env.length > 0 ? env : detectSections(cutAtLine(text, maxParsed), content, sections, assigned);
}

/** Statements as gron writes them: the root is always `json`. Some may be missing, after grep. */
export function detectGron({ text, lines }: Sample): Guess[] {
  const statements = lines.filter((line) => line !== "--");
  if (statements.length === 0 || !statements.every((line) => /^json[.[ ]/.test(line))) return [];
  // Without semicolons they may as well be TOML.
  if (!statements[0]?.endsWith(";") || !accepts(() => readGron(cutAtLine(text, maxParsed)))) return [];
  const reason = "Its lines assign values to their paths, as gron writes them.";
  return [{ kind: "gron", confidence: 0.97, reason }];
}

function detectEnv(text: string, content: readonly string[]): Guess[] {
  const variables = content.filter((line) => variable.test(line));
  const upper = shareOf(variables, (line) => /^\s*(?:export\s+)?[A-Z\d_]+=/.test(line));
  if (variables.length < content.length * 0.5 || upper < 0.5) return [];
  if (content.length === 1 && /^\S+&\S+=|^[\w+/-]+={1,2}$/.test(text) && !/_/.test(text)) return [];
  const faults: string[] = [];
  const names = new Set<string>();
  const empty: string[] = [];
  let references = false;
  lexEnv(
    cutAtLine(text, maxParsed),
    ({ key, value }) => {
      if (names.has(key)) faults.push(`${key} is set twice`);
      if (!/^[A-Za-z_]\w*$/.test(key)) faults.push(`${key.slice(0, 40)} is not a valid name`);
      names.add(key);
      if (value === "") empty.push(key);
      references ||= /\$\{[A-Za-z_]/.test(value);
    },
    ({ message }) => faults.push(message.replace(/\.$/, "")),
  );
  const known = content.length === 1 ? 0.85 : 0.95;
  const reason = "Its lines assign environment variables, as a dotenv file does.";
  if (faults.length > 0)
    return [
      { kind: "env-broken", confidence: known, reason: `It is a dotenv file with a fault: ${faults[0]}.` },
    ];
  if (content.every((line) => line.trimStart().startsWith("export ")) || references)
    return [{ kind: "env-shell", confidence: known, reason }];
  if (empty.length >= names.size / 2)
    return [{ kind: "env-example", confidence: known, reason: "It is a dotenv file without most values." }];
  return [{ kind: "env", confidence: known, reason }];
}

function detectSections(
  text: string,
  content: readonly string[],
  sections: number,
  assigned: number,
): Guess[] {
  const share = (sections + assigned) / content.length;
  // One statement of a program is no configuration.
  if (content.length === 1 && sections === 0 && !/^[\w.-]+\s*=\s*(?:["'[{]|\d[\d.:TZ_+-]*$)/.test(text))
    return [];
  const faults = validateToml(text, "1.1");
  const quoted = shareOf(content, (line) => /=\s*(?:"|'|\[|\{|\d{4}-\d\d-\d\d)/.test(line)) > 0;
  if (faults.length === 0 && share > 0.3) {
    const known = content.length === 1 ? 0.7 : sections > 0 || quoted ? 0.95 : 0.8;
    return [{ kind: "toml", confidence: known, reason: "It is valid TOML." }];
  }
  const tomlish =
    quoted && (shareOf(content, (line) => /=\s*[[{"']/.test(line)) > 0.3 || text.includes("[["));
  const onlyRepeats = faults.every(({ rule }) => rule === "duplicate-key");
  if (tomlish || onlyRepeats) {
    const toml = tomlBroken(content.length === 1 ? 0.76 : 0.9, faults);
    return onlyRepeats || !accepts(() => fromIni(text)) ? [toml] : [toml, ini(0.75)];
  }
  if (share < 0.6 || /[;{}]$/m.test(text.slice(0, 2000))) return [];
  if (sections > 0 && /^\[(?:package|project|tool\.|dependencies|workspace|build-system)/m.test(text))
    return [ini(0.85), tomlBroken(0.84, faults)];
  if (sections > 0) return [ini(accepts(() => fromIni(text)) ? 0.95 : 0.85)];
  const plain = shareOf(content, (line) => /^\s*(?:[\w.-]|\\.)+\s*=/.test(line));
  return plain > 0.8 && accepts(() => fromProperties(text)) ? [properties(0.9)] : [];
}

/** Properties may have colons too, but so do many other files: only dotted names tell. */
function detectColons(text: string, content: readonly string[]): Guess[] {
  const dotted = shareOf(content, (line) => /^\s*[\w-]+(?:\.[\w-]+)+\s*[:=]\s*\S/.test(line));
  return dotted > 0.8 && content.length > 1 && accepts(() => fromProperties(cutAtLine(text, maxParsed)))
    ? [properties(0.88)]
    : [];
}

const tomlBroken = (confidence: number, faults: readonly { message: string }[]): Guess => ({
  kind: "toml-broken",
  confidence,
  reason: `It looks like TOML, with a fault: ${faults[0]?.message ?? ""}`,
});

const ini = (confidence: number): Guess => ({
  kind: "ini",
  confidence,
  reason: "It has sections in brackets and assignments, as an INI file does.",
});

const properties = (confidence: number): Guess => ({
  kind: "properties",
  confidence,
  reason: "Its lines assign values to names with dots, as a properties file does.",
});
