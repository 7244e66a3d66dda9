import { type Guess, shareOf } from "./guess.ts";
import type { Sample } from "./sample.ts";

const scheme =
  /^(?:https?|wss?|ftps?|sftp|ssh|git(?:\+ssh|\+https)?|file|postgres(?:ql)?(?:\+\w+)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|kafka|jdbc:\w+|s3|gs|ldaps?|smtps?|mqtts?|nats|tcp|udp|unix|irc|rtsp|rtmp|chrome|about|vscode|intent|myapp|[a-z][a-z\d+.-]{1,20}):\/\//i;

/** URLs: absolute, relative with a query, and within other text. */
export function detectUrl({ text, line, lines }: Sample): Guess[] {
  const url = line.replace(/^["'<(]|["'>),;]+$/g, "");
  if (line !== "" && scheme.test(url) && !/\s/.test(url)) return ofUrl(url);
  if (line !== "" && /^(?:mailto|tel|sms|urn|magnet|javascript|blob|view-source):\S/i.test(url))
    return [{ kind: "url", confidence: 0.85, reason: "It is a URL." }];
  if (line !== "" && /^(?:git@)?[\w.-]+@[\w.-]+:[\w./~-]+\.git$/.test(url))
    return [{ kind: "url", confidence: 0.7, reason: "It is the address of a repository." }];
  if (/^(?:\.{0,2}\/)[^\s?]*\?[^\s=]+=|^\/\/[\w-]+(?:\.[\w-]+)+\//.test(url))
    return [{ kind: "url-relative", confidence: 0.9, reason: "It is a path with a query." }];
  if (
    /^(?:www\.|(?:[a-z\d-]{1,63}\.)+(?:com|org|net|io|dev|de|eu|uk|co|app|example)(?::\d+)?\/)\S*$/i.test(url)
  )
    return [{ kind: "url-schemeless", confidence: 0.85, reason: "It is a URL without its scheme." }];
  if (/^(?=.{4,253}$)(?=.*\bxn--)(?:[a-z\d-]{1,63}\.)+[a-z\d-]{2,63}\.?$/i.test(url))
    return [{ kind: "url-schemeless", confidence: 0.9, reason: "It is a host name in Punycode." }];
  if (lines.length > 1 && shareOf(lines, (each) => scheme.test(each.trim()) && !/\s/.test(each.trim())) > 0.9)
    return [{ kind: "urls", confidence: 0.85, reason: "Each line is a URL." }];
  const inside = /\bhttps?:\/\/[^\s"'<>)]{4,2000}/.exec(text.slice(0, 8192));
  if (inside === null || line === "") return [];
  return [
    {
      kind: "url",
      confidence: 0.5,
      reason: "It contains a URL.",
      part: { index: inside.index, length: inside[0].length },
    },
  ];
}

function ofUrl(url: string): Guess[] {
  const queried = /\?[^#]*=/.test(url);
  const credentials = /^[a-z][a-z\d+.-]*:\/\/[^/?#\s:@]*:[^/?#\s@]+@/i.test(url);
  const encoded = /%[\da-f]{2}/i.test(url);
  const kind = credentials
    ? "url-credentials"
    : /\P{ASCII}/u.test(url)
      ? "url-international"
      : encoded
        ? "url-encoded"
        : queried
          ? "url-query"
          : "url";
  return [
    {
      kind,
      confidence: 0.96,
      reason: `It is an absolute URL${credentials ? " with a password" : queried ? " with a query" : ""}.`,
    },
  ];
}

/** A query or the body of a form. */
export function detectQuery({ text, line }: Sample): Guess[] {
  const query = line.replace(/^\?/, "").replace(/^["']|["']$/g, "");
  if (query === "" || /\s|^[{[<]/.test(query) || scheme.test(query)) return [];
  const pairs = query.split("&").slice(0, 500);
  const isPair = (pair: string): boolean => /^[\w.[\]%+~*!$'():@-]{1,200}(?:=[^=]*=?=?)?$/.test(pair);
  const assigned = pairs.filter((pair) => pair.includes("=")).length;
  if (assigned === 0 || assigned < pairs.length / 2 || shareOf(pairs, isPair) < 0.9) return [];
  const kind = /\[[^\]]*\]=|%5B[^&]*%5D=/i.test(query) ? "query-brackets" : "query";
  const marked = text.startsWith("?");
  const upper = /^[A-Z_][A-Z\d_]*=/.test(query);
  const confidence =
    pairs.length > 1
      ? 0.96
      : marked
        ? 0.93
        : upper
          ? 0.3
          : /^[\w+/-]+={1,2}$|^[\w-]+=[\w+/-]+={1,2}$/.test(query)
            ? 0.4
            : 0.75;
  return [
    {
      kind,
      confidence,
      reason: `It has ${pairs.length === 1 ? "a pair" : `${pairs.length} pairs`} of a query.`,
    },
  ];
}

const header = /^[A-Za-z][A-Za-z\d]*(?:-[A-Za-z\d]+)*: ?\S/;
const known =
  /^(?:accept|authorization|cookie|set-cookie|host|user-agent|content-|cache-control|x-|location|server|etag|date|referer|origin|access-control|strict-|vary|connection|via|forwarded|if-|www-|proxy-|www)/i;
const signature =
  /^(?:x-hub-signature(?:-256)?|stripe-signature|x-slack-signature|x-gitlab-token|webhook-signature|svix-signature|penknife-signature|x-[\w-]*signature[\w-]*|[\w-]+-signature): ?\S/im;

/** Headers of requests and messages, with those that sign a webhook. */
export function detectHeaders({ text, lines }: Sample): Guess[] {
  const head = text.slice(0, 16_384);
  const request =
    /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) \S+ HTTP\/\d|^HTTP\/\d(?:\.\d)? \d{3}|^[<>] (?:GET|POST|HTTP)/.test(
      text,
    );
  const blank = text.search(/\r?\n\r?\n/);
  const top = blank < 0 ? lines : lines.slice(0, text.slice(0, blank).split("\n").length);
  const isHeader = (line: string): boolean => header.test(line.replace(/^[<>] /, ""));
  const headers = shareOf(top.slice(request ? 1 : 0), isHeader);
  const isSigned = signature.test(head) && (headers > 0.6 || /^\{?\s*"/.test(text));
  if (isSigned)
    return [
      { kind: "webhook-headers", confidence: 0.96, reason: "It has the header of a webhook's signature." },
    ];
  if (/^v[01]=[\da-f]{64}$|^t=\d+,v1=[\da-f]{64}|^sha256=[\da-f]{64}$|^v1,[A-Za-z\d+/]{43}=$/.test(text))
    return [{ kind: "webhook-headers", confidence: 0.93, reason: "It is the signature of a webhook." }];
  if (/^whsec_[A-Za-z\d+/=]{16,}$/.test(text))
    return [{ kind: "webhook-secret", confidence: 0.9, reason: "It is the secret of a webhook." }];
  if (
    /^[\w.-]{1,100}=[^;\n]{1,4000};\s*(?:path|httponly|secure|samesite|domain|max-age|expires)\b/i.test(text)
  )
    return [{ kind: "credentials", confidence: 0.95, reason: "It is a cookie with its attributes." }];
  const isKnown = shareOf(top.slice(request ? 1 : 0), (line) => known.test(line.replace(/^[<>] /, "")));
  if (!request && (headers < 0.9 || isKnown < 0.5)) return [];
  const secret = /^(?:[<>] )?(?:(?:proxy-)?authorization|cookie|set-cookie|x-api-key|x-auth-token):/im.test(
    head,
  );
  return [
    {
      kind: "headers",
      confidence: secret ? 0.95 : 0.7,
      reason: `It has headers of HTTP${secret ? ", with credentials" : ""}.`,
    },
  ];
}

/** Texts that services define to be signed. */
export function detectSigned({ text, line }: Sample): Guess[] {
  const aws = /^AWS4-HMAC-SHA256\s*\n/.test(text);
  const slack = /^v0:\d{9,11}:/.test(text);
  const dated = /^\d{9,13}\.[{[]/.test(text) || /^(?:msg|evt)_\w+\.\d{9,11}\./.test(text);
  const canonical =
    /^(?:GET|POST|PUT|DELETE|HEAD|PATCH)\n\S*\n/.test(text) ||
    /^(?:GET|POST|PUT|DELETE)&https?%3A/.test(line) ||
    text.startsWith("(request-target): ");
  if (!aws && !slack && !dated && !canonical) return [];
  return [
    {
      kind: slack || dated ? "signed-webhook" : "signed-text",
      confidence: 0.97,
      reason: "It is the text that a service signs with HMAC.",
    },
  ];
}
