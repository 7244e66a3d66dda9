#!/bin/bash
# Fifty everyday tasks, each in one line as a person types it.
#
# What a line prints follows it: #> marks its standard output, #! its standard error, and #? its exit status if that is not 0.
# test/system/e2e/tasks.test.ts runs each line and compares. To run them all, with penknife on the path and in an empty folder:
# bash tasks.sh

# The files of the tasks.

cat > tsconfig.json <<'END'
{
    // What the compiler may assume
    "compilerOptions": {"strict": true, "lib": ["ES2024", "DOM"],},
}
END
cat > pods.json <<'END'
{"items": [{"name": "web-1", "restarts": 0}, {"name": "web-2", "restarts": 7}], "updatedAt": "2026-01-05"}
END
cat > pods-later.json <<'END'
{"items": [{"name": "web-1", "restarts": 0}, {"name": "web-2", "restarts": 9}], "updatedAt": "2026-01-06"}
END
cat > default.conf.template <<'END'
server {
  listen ${PORT};
  proxy_set_header Host $host;
  proxy_pass http://${UPSTREAM:-127.0.0.1:3000};
}
END
cat > .env <<'END'
PORT=9090
DATABASE_URL=postgres://db.internal/shop
END
cat > .env.example <<'END'
PORT=8080
DATABASE_URL=postgres://localhost/shop
MAIL_FROM=shop@example.org
END
cat > compose.yaml <<'END'
services:
    web: {image: "nginx:1.29", ports: ["80:80"]} # public
END
cat > notes.yaml <<'END'
about: >
    Folded by hand,
    as its author likes it.
END
cat > bucket.yaml <<'END'
Bucket: !Ref Assets
END
cat > users.csv <<'END'
name, address.city
Ann, Oslo
Bob, Kraków
END
printf 'hello\n' > greeting.txt
cat > SHA256SUMS <<'END'
5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03  greeting.txt
e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  empty.txt
END
printf 'red\ngreen\n' > old.txt
printf 'red\nblue\n' > new.txt
cat > access.log <<'END'
203.0.113.7 GET /login 200
203.0.113.9 GET /admin 403
203.0.113.7 POST /login 500
END
cat > requests.log <<'END'
203.0.113.7 - - [15/Jan/2024:10:30:00 +0000] "GET / HTTP/1.1" 200 512
203.0.113.9 - - [15/Jan/2024:10:31:00 +0000] "GET /a HTTP/1.1" 200 512
END
printf 'a-string-secret-at-least-256-bits-long' > jwt.key
cat > token.txt <<'END'
Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiYWRtaW4iOnRydWUsImlhdCI6MTUxNjIzOTAyMn0.KMUFsIDTnFmyG3nMiGM6H9FNFUROf3wh7SmqJp-QV30
END
cat > subgraph.graphql <<'END'
type Product @key(fields: "id") { id: ID! }
type Query { product: Product }
END
cat > api.yaml <<'END'
openapi: 3.2.0
info: {title: Shop, version: "1"}
paths: {}
END

# The tasks: finding a tool.

# Find a tool by its name in it-tools
penknife tools base64-string-converter | head -2
#> base64-decoder	Decode base64 or base64url to text or bytes.
#> base64-encoder	Encode text or bytes as base64 or base64url.

# Find a tool by what it computes
penknife tools md5 | head -1
#> hash-generator	Compute the SHA-2, SHA-3, BLAKE2, MD5 or other digest of text or bytes.

# Find a tool by two words
penknife tools 'json prettify' | head -1
#> json-formatter	Indent a JSON document without changing a single value.

# Type the name of another program as a command
penknife epoch
#! penknife: Unknown command epoch. Did you mean penknife run timestamp-converter?
#? 2

# Ask which tool reads a text
penknife run input-detector --limit 1 --text 'curl -H "Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.aaaa" https://x' | penknife run json-query --query '$.items[*].tool' --output raw
#> jwt-decoder

# Decoding and encoding.

# Decode base64 that has lost its padding
penknife run base64-decoder --text aGVsbG8
#> hello

# Decode a data: URL
penknife run base64-decoder --text 'data:text/plain;base64,aGVsbG8sIHdvcmxk'
#> hello, world

# Encode the credentials of HTTP Basic
penknife run base64-encoder --text ann:secret
#> YW5uOnNlY3JldA==

# Decode hexadecimal bytes with 0x
penknife run hex-decoder --text '0x68 0x65 0x6c 0x6c 0x6f'
#> hello

# Decode the bytes of a debugger
penknife run hex-decoder --text 68:65:6c:6c:6f
#> hello

# Decode a parameter of a URL
penknife run url-decoder --text 'q%3Da%20b%26lang%3Dpl'
#> q=a b&lang=pl

# Convert the date of a commit
penknife run timestamp-converter --to iso --text 'Mon Jan 15 10:30:00 2024 +0100'
#> 2024-01-15T09:30:00Z

# Convert the times of a web server's log, one a line
cut -d' ' -f4-5 requests.log | penknife run timestamp-converter --to unix
#> 1705314600
#> 1705314660

# Convert a time of Windows
penknife run timestamp-converter --to iso --text 133500000000000000
#> 2024-01-17T21:20:00Z

# Quote a text for the shell
penknife run string-escaper --language shell --text "it's \$5"
#> 'it'\''s $5'

# JSON.

# Prettify a tsconfig.json and keep its comments
penknife run json-formatter --dialect jsonc tsconfig.json
#> {
#>   // What the compiler may assume
#>   "compilerOptions": {
#>     "strict": true,
#>     "lib": [
#>       "ES2024",
#>       "DOM"
#>     ]
#>   }
#> }

# Learn which option a refused document needs
penknife run json-formatter tsconfig.json
#! penknife: tsconfig.json:2:5: Expected a key in double quotes or '}'; found '/'. Comments are not JSON; remove it. To accept it, set dialect to jsonc.
#! 2 |     // What the compiler may assume
#!         ^
#? 1

# Learn how to process several files
penknife run json-formatter pods.json pods-later.json
#! penknife: Unexpected argument "pods-later.json": this command takes one file. To check them: penknife check json-formatter pods.json pods-later.json. Run it once for each file: for file in pods.json pods-later.json; do penknife run json-formatter "$file"; done
#? 2

# Indent with tabs
penknife run json-formatter --use-tabs --text '{"a":[1]}'
#> {
#> 	"a": [
#> 		1
#> 	]
#> }

# Indent, with what fits on one line
penknife run json-formatter --width 80 pods.json
#> {
#>   "items": [
#>     { "name": "web-1", "restarts": 0 },
#>     { "name": "web-2", "restarts": 7 }
#>   ],
#>   "updatedAt": "2026-01-05"
#> }

# Make JSON with comments small
penknife run json-minifier --dialect jsonc tsconfig.json
#> {"compilerOptions":{"strict":true,"lib":["ES2024","DOM"]}}

# Print strings without quotes, as jq -r does
penknife run json-query --query '$.items[*].name' --output raw pods.json
#> web-1
#> web-2

# Select from a file with comments
penknife run json-query --dialect jsonc --query '$.compilerOptions.lib[0]' --output raw tsconfig.json
#> ES2024

# Comparing.

# Compare two texts
penknife run text-differ old.txt new.txt
#> --- a
#> +++ b
#> @@ -1,2 +1,2 @@
#>  red
#> -green
#> +blue

# Compare two JSON documents, without their times
penknife run json-differ --ignore-paths '$..updatedAt' --format text pods.json pods-later.json
#> ~ "/items/1/restarts": 7 -> 9

# Stop a script if two documents differ
penknife run json-differ --check pods.json pods-later.json > report.json || echo 'They differ.'
#> They differ.

# Find the variables that .env lacks
penknife run env-comparer --keys-only .env .env.example | penknife run json-query --query '$.errors[*].message' --output raw
#> MAIL_FROM is missing; the other file has it.

# Converting.

# Format YAML with spaces in braces
penknife run yaml-formatter --bracket-spacing compose.yaml
#> services:
#>   web: { image: "nginx:1.29", ports: ["80:80"] } # public

# Format YAML and keep the lines of folded text
penknife run yaml-formatter notes.yaml
#> about: >
#>   Folded by hand,
#>   as its author likes it.

# Convert YAML to JSON and keep the tags of CloudFormation
penknife run yaml-to-json --tags keep --indent 0 bucket.yaml
#> {"Bucket":{"!Ref":"Assets"}}

# Split a network for four teams
penknife run cidr-calculator --split 26 --text 10.0.0.0/24
#> 10.0.0.0/26
#> 10.0.0.64/26
#> 10.0.0.128/26
#> 10.0.0.192/26

# Convert JSON5 to YAML
penknife run data-converter --from json5 --to yaml --text '{retries: 3, /* s */ wait: .5}'
#> retries: 3
#> wait: 0.5

# Convert CSV to nested JSON
penknife run csv-to-json --trim --unflatten --indent 0 users.csv
#> [{"name":"Ann","address":{"city":"Oslo"}},{"name":"Bob","address":{"city":"Kraków"}}]

# Convert nested JSON to variables
penknife run json-to-env --flatten --text '{"db":{"host":"localhost","port":5432}}'
#> db_host=localhost
#> db_port=5432

# Render the template of an nginx container
penknife run template-renderer --syntax envsubst --missing keep --variables '{"PORT":8080}' default.conf.template
#> server {
#>   listen 8080;
#>   proxy_set_header Host $host;
#>   proxy_pass http://127.0.0.1:3000;
#> }

# Format SQL
penknife run sql-formatter --keyword-case upper --text 'select id from users where age > 18'
#> SELECT
#>   id
#> FROM
#>   users
#> WHERE
#>   age > 18

# Indent XML with tabs
penknife run xml-formatter --use-tabs --text '<a><b>1</b></a>'
#> <a>
#> 	<b>1</b>
#> </a>

# Hashes, tokens and secrets.

# Compute a digest by any spelling of its name
penknife run hash-generator --algorithm SHA-256 greeting.txt
#> 5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03

# Check a download against SHA256SUMS
penknife run checksum-verifier --expected-file SHA256SUMS greeting.txt > report.json && echo intact
#> intact

# Verify the token of an Authorization header, and read its claims
penknife run jwt-verifier --algorithms HS256 --key-file jwt.key --subject 1234567890 token.txt | penknife run json-query --query '$.claims.name' --output raw
#> John Doe

# Remove credentials before a text is shared
penknife run text-redactor --text 'curl -H "Authorization: Bearer 9f8e7d6c5b4a" -d password=hunter2'
#> curl -H "Authorization: Bearer [auth]" -d password=[assignment]

# Find a password in code
penknife run secret-scanner --text 'const dbPass = "p@ssW0rd123!"' > report.json || echo 'Revoke it.'
#> Revoke it.

# Validate a description of OpenAPI 3.2
penknife check openapi-validator api.yaml
#! 1 file checked, no findings

# Validate a subgraph of Apollo Federation
penknife check graphql-validator subgraph.graphql
#! 1 file checked, no findings

# Texts and numbers.

# Show a line of a log with the line before it
penknife run line-filter --pattern ' 403' --before 1 access.log
#> 203.0.113.7 GET /login 200
#> 203.0.113.9 GET /admin 403

# Count the requests of each address
cut -d ' ' -f 1 access.log | penknife run line-sorter --counts --order desc
#> 2	203.0.113.7
#> 1	203.0.113.9

# Remove the colours of a log
penknife run ansi-stripper --text $'\e[31mfailed\e[0m'
#> failed

# Aggregate a list of networks
printf '10.0.0.0/24\n10.0.1.0/24\n10.0.2.0/23\n' | penknife run ip-range-to-cidr --merge
#> 10.0.0.0/22

# Find the newest version in a range
printf '1.2.0\n1.4.1\n2.0.0\n' | penknife run semver-comparer --op max --range '^1.2'
#> 1.4.1

# Convert a fraction to binary digits
penknife run number-base-converter --to 2 --digits 8 --text 0.1
#> 0.0001101
