import { loadYaml } from "../yaml/parse.ts";
import { validateYaml } from "../yaml/validate.ts";
import { type Guess, shareOf } from "./guess.ts";
import { cutAtLine, type Sample } from "./sample.ts";

/** Most text that is parsed: the library takes microseconds for each token. */
const maxParsed = 8 * 1024;

const entry = /^\s*(?:- +)*(?:[\w$./@*-][\w $./@*()-]{0,80}|"[^"]{0,80}"|'[^']{0,80}')\s*:(?:\s|$)/;
const item = /^\s*-(?:\s|$)/;

export async function detectYaml({ text, lines, whole }: Sample): Promise<Guess[]> {
  const content = lines.filter((line) => !/^\s*#/.test(line));
  if (/^[[<"`*|]|^\{(?!\{)/.test(text) || content.length === 0) return [];
  const marked =
    /^(?:---|%YAML|\? \S)/.test(text) && !/^--- \S+\n\+\+\+ /.test(text) && !text.startsWith("-----");
  const entries = content.filter((line) => entry.test(line)).length;
  const items = content.filter((line) => item.test(line)).length;
  const nested = content.some((line) => /^\s+\S/.test(line) || /:\s*[[{|>]/.test(line)) || items > 0;
  if (!marked && (entries + items === 0 || content.length === 1)) return detectOne(text, content);
  // Prose and headers have colons too.
  const share = shareOf(content, (line) => entry.test(line) || item.test(line) || /^\s+\S|^[\]}]/.test(line));
  if (!marked && (share < 0.7 || (entries === 0 && items < content.length * 0.7))) return [];
  if (isOther(text, content)) return [];
  const sample = cutAtLine(text, maxParsed);
  const yaml = await loadYaml();
  const faults = validateYaml(yaml, sample, { version: "1.2", duplicateKeys: "error", lint: [] });
  const cut = !whole || sample.length < text.length;
  const fault = faults.find(({ at }) => !cut || (at.index ?? 0) < sample.length - 400);
  if (fault !== undefined) {
    const reason = `It looks like YAML, with a fault: ${fault.message}`;
    const known = entries > 1 || marked || (entries > 0 && items > 0) ? 0.9 : 0.55;
    const kind = lines.some((line) => /^ *\t/.test(line)) ? "yaml-tabs" : "yaml-broken";
    return [{ kind, confidence: known, reason }];
  }
  const known = marked || nested ? (entries > 0 ? 0.88 : 0.72) : entries > 2 ? 0.75 : 0.6;
  const reason = cut ? "Its beginning is valid YAML." : "It is valid YAML.";
  return [{ kind: "yaml", confidence: known, reason }, ...shapesOf(text, known)];
}

/** One line is YAML only if it has a collection; otherwise it is more likely a sentence. */
function detectOne(text: string, content: readonly string[]): Guess[] {
  if (content.length === 1 && /^[\w-]+: +[\w-]+: +\S/.test(text))
    return [
      { kind: "yaml-broken", confidence: 0.6, reason: "It has two names in one line, which YAML refuses." },
    ];
  if (content.length === 1 && /^[a-z_][\w-]*: \S+$/.test(text))
    return [{ kind: "yaml", confidence: 0.56, reason: "It has a name and a value, as YAML does." }];
  if (content.length !== 1 || !/^[\w-]+: +[[{].*[\]}]$/.test(text)) return [];
  return [{ kind: "yaml", confidence: 0.7, reason: "It has a name and a collection, as YAML does." }];
}

/** Returns whether a text has the form of YAML, but is something else. */
function isOther(text: string, content: readonly string[]): boolean {
  const headers = shareOf(content, (line) =>
    /^(?:[A-Z][a-z]+(?:-[A-Z][A-Za-z\d]*)+|Host|Cookie|Accept|Date|Subject|From|To): \S/.test(line),
  );
  return (
    headers > 0.3 ||
    /^Traceback |^[ \t]+File "|^[ \t]+at \S/m.test(text.slice(0, 2000)) ||
    /^(?:certificate|public-key):\n\s+Data:/i.test(text) ||
    /;\s*$/m.test(text.slice(0, 500))
  );
}

function shapesOf(text: string, known: number): Guess[] {
  const head = text.slice(0, 4000);
  const guesses: Guess[] = [];
  if (/^["']?(?:openapi|swagger)["']?: *["']?[\d.]+["']?\s*$/m.test(head))
    guesses.push({
      kind: "openapi-yaml",
      confidence: 0.97,
      reason: "Its member openapi or swagger makes it an OpenAPI description.",
    });
  if (/^services:\s*(?:#.*)?$/m.test(head) && isCompose(head))
    guesses.push({
      kind: "compose",
      confidence: 0.96,
      reason: "Its services with images make it a Compose file.",
    });
  if (/^["']?\$schema["']?: *["']?https?:\/\/json-schema\.org/m.test(head))
    guesses.push({
      kind: "json-schema-yaml",
      confidence: 0.95,
      reason: "Its member $schema names a draft of JSON Schema.",
    });
  const [isWorkflow, isAction] = [
    /^["']?on["']?:/m.test(head) && /^jobs:\s*(?:#.*)?$/m.test(text),
    /^runs:\s*(?:\{|$|#)/m.test(text) && /\busing: *["']?(?:node\d|composite|docker)/.test(text),
  ];
  if (isWorkflow || isAction)
    guesses.push({
      kind: isWorkflow ? "github-workflow" : "github-action",
      confidence: known * 1.06,
      reason: isWorkflow
        ? "Its members on and jobs make it a workflow of GitHub Actions."
        : "Its member runs makes it the metadata of an action of GitHub.",
    });
  const kind = /^kind: *(\w+)/m.exec(head)?.[1];
  if (kind !== undefined && kind !== "Secret" && /^apiVersion: *[\w./-]+\s*(?:#.*)?$/m.test(head))
    guesses.push({
      kind: "kubernetes-yaml",
      confidence: known * 1.05,
      reason: "Its members apiVersion and kind make it a manifest of Kubernetes.",
    });
  if (kind === "Secret" && /^(?:data|stringData):/m.test(text))
    guesses.push({
      kind: "yaml-secret",
      confidence: known * 0.98,
      reason: "It is a Secret of Kubernetes: its data is base64.",
    });
  return guesses;
}

/** A Compose file has services with keys that its specification has; a name at the top level belongs to other formats. */
const isCompose = (head: string): boolean =>
  /^ {1,8}[\w.-]+:[ \t]*(?:&\w+[ \t]*)?(?:#.*)?\n(?:[ \t]*(?:#.*)?\n)*[ \t]{2,16}(?:image|build|container_name|command|environment|env_file|ports|volumes|depends_on|restart|networks|extends|platform|profiles|hostname|labels|healthcheck):/m.test(
    head,
  ) && !/^(?:apiVersion|openapi|swagger|jobs|stages|on):/m.test(head);
