import { drawMatch, type Draw } from "./pattern.ts";

/** Rules for a text. Lengths are in code points. */
export interface TextRules {
  minLength: number;
  maxLength: number;
  patterns: readonly string[];
  format: string | undefined;
}

/** Writes a text by its rules; for plain texts the key that it belongs to says what it is about. */
export function drawString(
  { minLength, maxLength, patterns, format }: TextRules,
  key: string,
  draw: Draw,
  now: number,
): string {
  const [pattern] = patterns;
  if (pattern !== undefined) {
    // Several attempts, since a pattern says nothing about the length.
    for (let attempt = 0; attempt < 20; attempt++) {
      const text = drawMatch(pattern, draw);
      if (text === undefined) break;
      const length = [...text].length;
      if (length >= minLength && length <= maxLength) return text;
    }
  }
  if (format !== undefined) {
    const text = drawFormat(format, draw, now);
    if (text !== undefined) return text;
  }
  const text = drawWords(key, draw);
  const points = [...text];
  if (points.length > maxLength) return points.slice(0, maxLength).join("").trimEnd().padEnd(minLength, "a");
  return points.length < minLength ? text.padEnd(minLength, "lorem ipsum ") : text;
}

const of = (words: string): readonly string[] => words.split(",");
const firstNames = of(
  "Ada,Alan,Barbara,Claude,Donald,Edsger,Frances,Grace,Hedy,Joan,Katherine,Ken,Margaret,Radia,Tim",
);
const lastNames = of(
  "Allen,Berners,Clarke,Dijkstra,Hamilton,Hopper,Johnson,Keller,Knuth,Liskov,Lovelace,Perlman,Shannon,Turing",
);
const cities = of(
  "Berlin,Bogotá,Hanoi,Kraków,Lagos,Lima,London,Lyon,Nairobi,Osaka,Oslo,Quito,Seoul,Toronto,Wellington",
);
const countries = of("BR,CA,CO,DE,FR,GB,JP,KE,KR,NG,NO,NZ,PE,PL,VN");
const nouns = of(
  "anchor,bridge,candle,delta,engine,forest,garden,harbour,island,journey,kettle,lantern,meadow,needle,orbit,paper,quarry,river,signal,timber",
);

const pick = (list: readonly string[], draw: Draw): string => list[draw(list.length)] as string;
const digitsOf = (count: number, draw: Draw): string =>
  Array.from({ length: count }, () => draw(10)).join("");
const hexOf = (count: number, draw: Draw): string =>
  Array.from({ length: count }, () => draw(16).toString(16)).join("");

function drawWords(key: string, draw: Draw): string {
  const name = key.toLowerCase().replaceAll(/[^a-z]/g, "");
  const person = `${pick(firstNames, draw)} ${pick(lastNames, draw)}`;
  if (/e?mail/.test(name)) return drawFormat("email", draw, 0) ?? "";
  if (/^(?:first|given)/.test(name)) return pick(firstNames, draw);
  if (/^(?:last|sur|family)/.test(name)) return pick(lastNames, draw);
  if (
    /(?:^|full|user|display|customer|author|owner)name$/.test(name) ||
    /^(?:author|owner|customer|person)$/.test(name)
  )
    return person;
  if (/city|town/.test(name)) return pick(cities, draw);
  if (/country/.test(name)) return pick(countries, draw);
  // 555-01XX is reserved for fiction.
  if (/phone|mobile|tel$/.test(name)) return `+1-202-555-01${digitsOf(2, draw)}`;
  if (/zip|post(?:al)?code/.test(name)) return digitsOf(5, draw);
  if (/street|address/.test(name)) return `${1 + draw(200)} ${capital(pick(nouns, draw))} Street`;
  if (/ur[il]$|link|website|homepage/.test(name)) return drawFormat("uri", draw, 0) ?? "";
  if (/description|comment|text|body|summary|message/.test(name))
    return `${capital(Array.from({ length: 5 + draw(5) }, () => pick(nouns, draw)).join(" "))}.`;
  return Array.from({ length: 1 + draw(2) }, () => pick(nouns, draw)).join(" ");
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** A year in milliseconds. */
const year = 31_536_000_000;

/** Writes a text of a format; undefined for one that is unknown. Names and addresses are those for documentation. */
function drawFormat(format: string, draw: Draw, now: number): string | undefined {
  // A time of the year before now, to the second.
  const time = new Date(now - Math.floor((draw(2 ** 24) / 2 ** 24) * (year / 1000)) * 1000).toISOString();
  const host = `${pick(nouns, draw)}.example.com`;
  switch (format) {
    case "date-time":
      return `${time.slice(0, 19)}Z`;
    case "date":
      return time.slice(0, 10);
    case "time":
      return `${time.slice(11, 19)}Z`;
    case "duration":
      return `P${1 + draw(30)}DT${draw(24)}H`;
    case "email":
    case "idn-email":
      return `${pick(firstNames, draw)}.${pick(lastNames, draw)}@example.com`.toLowerCase();
    case "hostname":
    case "idn-hostname":
      return host;
    case "ipv4":
      return `192.0.2.${draw(256)}`;
    case "ipv6":
      return `2001:db8::${(1 + draw(65_535)).toString(16)}`;
    case "uri":
    case "iri":
      return `https://${host}/${pick(nouns, draw)}`;
    case "uri-reference":
    case "iri-reference":
      return `/${pick(nouns, draw)}/${pick(nouns, draw)}`;
    case "uri-template":
      return `/${pick(nouns, draw)}/{id}`;
    case "uuid":
      return `${hexOf(8, draw)}-${hexOf(4, draw)}-4${hexOf(3, draw)}-${pick(of("8,9,a,b"), draw)}${hexOf(3, draw)}-${hexOf(12, draw)}`;
    case "json-pointer":
      return `/${pick(nouns, draw)}/${draw(10)}`;
    case "relative-json-pointer":
      return `${draw(3)}/${pick(nouns, draw)}`;
    case "regex":
      return `^[a-z]{${1 + draw(9)}}$`;
    default:
      return undefined;
  }
}
