/** A syntax in which a value is assigned to a name, given as lower-case words. */
export interface Syntax {
  name: string;
  /** Returns the text and the value as it stands in it. */
  write(words: readonly string[], value: string): { text: string; written: string };
}

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const toCamel = (words: readonly string[]): string =>
  words.map((word, at) => (at === 0 ? word : capitalize(word))).join("");
const toSnake = (words: readonly string[]): string => words.join("_");
const toUpper = (words: readonly string[]): string => toSnake(words).toUpperCase();

const quote = (
  name: string,
  write: (words: readonly string[], written: string) => string,
  escape: (value: string) => string = (value) => value,
): Syntax => ({
  name,
  write: (words, value) => ({ text: write(words, escape(value)), written: escape(value) }),
});

const escapeDollar = (value: string): string => value.replaceAll("$", "\\$");
const escapeXml = (value: string): string =>
  value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Values hold neither quotes nor backslashes nor spaces. */
export const syntaxes: readonly Syntax[] = [
  quote("JSON", (words, value) => `{ "user": "ann", "${toCamel(words)}": "${value}" }`),
  quote("YAML", (words, value) => `app:\n  ${toSnake(words)}: '${value}'\n  port: 80`),
  quote("TOML", (words, value) => `[app]\n${toSnake(words)} = "${value}"\nport = 80`),
  quote("environment", (words, value) => `PORT=80\n${toUpper(words)}=${value}\nHOST=x`),
  quote("JavaScript", (words, value) => `const ${toCamel(words)} = "${value}";`),
  quote("Python", (words, value) => `connect(user="ann", ${toSnake(words)}="${value}")`),
  quote("Go", (words, value) => `cfg := Config{${words.map(capitalize).join("")}: "${value}"}`),
  quote("Java", (words, value) => `private static final String ${toUpper(words)} = "${value}";`),
  quote("Ruby", (words, value) => `config = { :${toSnake(words)} => '${value}' }`),
  quote("PHP", (words, value) => `$config['${toSnake(words)}'] = '${value}';`),
  quote("C#", (words, value) => `var ${toCamel(words)} = @"${value}";`),
  quote("Rust", (words, value) => `const ${toUpper(words)}: &str = "${value}";`),
  quote("shell", (words, value) => `export ${toUpper(words)}='${value}'`),
  quote("XML", (words, value) => `<${toCamel(words)}>${value}</${toCamel(words)}>`, escapeXml),
  quote("Kotlin", (words, value) => `val ${toCamel(words)}: String = "${value}"`, escapeDollar),
  quote(
    "HCL",
    (words, value) => `resource "x" "y" {\n  ${toSnake(words)} = "${value}"\n}`,
    (value) => value.replaceAll("${", "$${").replaceAll("%{", "%%{"),
  ),
];
