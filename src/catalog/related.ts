/** Names of what no tool does, and the tools that are nearest to it in use. */
const rows: readonly (readonly [names: string, slugs: string])[] = [
  [
    "gzip gunzip zip unzip zlib deflate inflate brotli zstd bzip2 xz tar lz4",
    "base64-encoder base64-decoder json-minifier",
  ],
  ["makefile", "secret-scanner unicode-linter yaml-validator"],
  ["base32 base36 base58 base62 base85 ascii85 uuencode bech32", "base64-encoder base64-decoder hex-encoder"],
  [
    "crc crc8 crc16 crc32 crc64 adler adler32 xxhash murmur murmurhash fnv siphash blake3 ssdeep",
    "hash-generator checksum-verifier",
  ],
  ["bcrypt argon2 scrypt pbkdf2 htpasswd", "hash-generator hmac-generator password-generator"],
  ["aes pgp gpg cipher encryption des chacha20 age jwe", "hmac-generator hash-generator x509-parser"],
  ["cuid cuid2 xid typeid", "ulid-generator uuid-generator nanoid-generator"],
  ["pcre perl posix", "regex-tester line-filter text-replacer"],
  [
    "bson msgpack messagepack cbor avro thrift parquet plist hcl hocon ron edn",
    "data-converter json-formatter hex-decoder",
  ],
  ["md asciidoc rst latex bbcode", "html-entity-encoder text-replacer whitespace-normalizer"],
  ["less sass scss jsx htm php ruby golang", "whitespace-normalizer secret-scanner unicode-linter"],
  ["xls xlsx ods", "csv-to-json json-to-csv csv-validator"],
  ["curl wget httpie postman har", "url-parser query-to-json json-to-query"],
  ["whois ping traceroute nmap mx spf dkim dmarc", "cidr-calculator url-parser cidr-matcher"],
  ["idn", "url-parser url-encoder"],
  ["rot13 rot47 morse caesar vigenere braille leet", "string-escaper base64-encoder hex-encoder"],
  ["ean upc datamatrix aztec", "qr-code-generator"],
  ["rgb hsl cmyk palette gradient favicon png jpeg jpg gif webp exif", "base64-encoder hex-decoder"],
  ["lorem ipsum wordcount", "case-converter text-replacer line-filter"],
  ["totp otp 2fa hotp passphrase diceware", "token-generator password-generator"],
  ["roman fraction percentage currency temperature", "number-base-converter byte-size-converter"],
  ["xslt dtd", "xml-validator xml-to-json xml-formatter"],
  ["saml cookie", "jwt-decoder jwt-verifier url-parser"],
  ["asn1 pkcs12 pfx p12 jks", "x509-parser certificate-key-matcher base64-decoder"],
  ["chmod umask stat", "number-base-converter"],
  ["calendar ics ical holiday age countdown stopwatch", "timestamp-converter timezone-converter cron-parser"],
  ["terraform ansible", "yaml-validator yaml-formatter secret-scanner"],
  ["rego opa conftest gatekeeper kyverno sentinel", "policy-checker json-schema-validator"],
  ["fossa scancode blackduck licensee", "license-checker"],
  ["asyncapi raml wsdl grpc", "openapi-validator json-schema-validator graphql-validator"],
  ["wireshark tcpdump pcap", "hex-decoder cidr-matcher"],
  ["luhn isbn", "text-redactor"],
  ["complement", "number-base-converter"],
  ["mongodb redis sqlite", "sql-formatter json-query"],
];

/** The slugs of the nearest tools, the best first, by the names of what no tool does. */
export const related: ReadonlyMap<string, readonly string[]> = new Map(
  rows.flatMap(([names, slugs]) => names.split(" ").map((name) => [name, slugs.split(" ")] as const)),
);
