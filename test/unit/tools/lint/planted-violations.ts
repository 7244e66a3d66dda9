export interface Planted {
  rule: string;
  /** A part of the text that occurs once. */
  from: string;
  to: string;
  /** Lines between the finding and the part, where the finding is of an object that lacks something. */
  above?: number;
}

export interface PlantedFile {
  name: string;
  format: string;
  text: string;
  policy: string;
  planted: Planted[];
}

/** Reads lines of "rule | from | to", with an optional "| lines above". */
const plant = (lines: string): Planted[] =>
  lines
    .trim()
    .split("\n")
    .map((line) => {
      const [rule = "", from = "", to = "", above = "0"] = line.split("|").map((part) => part.trim());
      const unescaped = (part: string): string => part.replaceAll("␤", "\n").replaceAll("·", " ");
      return { rule, from: unescaped(from), to: unescaped(to), above: Number(above) };
    });

/** Rules as "id | each | expression". */
const rules = (lines: string): string =>
  `rules:\n${lines
    .trim()
    .split("\n")
    .map((line) => {
      const [id, each, expression] = line.split(" | ").map((part) => part.trim());
      return `  - id: ${id}\n    each: ${each}\n    expression: >-\n      ${expression}\n`;
    })
    .join("")}`;

const manifest: PlantedFile = {
  name: "a manifest of Kubernetes",
  format: "yaml",
  text: `apiVersion: v1
kind: Namespace
metadata:
  name: shop
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
  labels:
    team: store
spec:
  replicas: 3
  strategy:
    type: RollingUpdate
  template:
    spec:
      hostNetwork: false
      serviceAccountName: web
      automountServiceAccountToken: false
      containers:
        - name: app
          image: registry.example.com/web:1.4.2
          imagePullPolicy: IfNotPresent
          ports:
            - containerPort: 8080
          securityContext:
            privileged: false
            runAsUser: 1000
            readOnlyRootFilesystem: true
          env:
            - name: LOG_LEVEL
              value: info
          resources:
            limits:
              memory: 256Mi
`,
  policy: rules(`
name | $.metadata.name | self.matches('^[a-z][a-z0-9-]{2,20}$')
namespace | $.metadata.namespace | self != 'default' && self != 'kube-system'
team | $.metadata.labels.team | self in ['store', 'search', 'billing']
replicas | $.spec.replicas | self >= 2 && self <= 10
strategy | $.spec.strategy.type | self == 'RollingUpdate'
host-network | $..hostNetwork | self == false
account | $..serviceAccountName | self != 'default' && self != ''
token | $..automountServiceAccountToken | !self
registry | $..image | self.startsWith('registry.example.com/')
tag | $..image | self.matches(':[0-9]+([.][0-9]+)*$')
pull | $..imagePullPolicy | self != 'Always'
port | $..containerPort | self > 1024 && self < 65536
privileged | $..privileged | !self
root | $..runAsUser | self > 0
read-only | $..readOnlyRootFilesystem | self
env-name | $..env[*].name | self.matches('^[A-Z][A-Z0-9_]*$')
log-level | $..env[?@.name == 'LOG_LEVEL'].value | self in ['info', 'warn', 'error']
memory | $..limits.memory | self.matches('^[0-9]+Mi$') && int(self.replace('Mi', '')) <= 1024
`),
  planted: plant(`
name | name: web␤··namespace | name: Web␤··namespace
name | name: shop␤--- | name: a␤---
namespace | namespace: shop | namespace: default
namespace | namespace: shop | namespace: kube-system
team | team: store | team: unknown
replicas | replicas: 3 | replicas: 1
replicas | replicas: 3 | replicas: 11
strategy | type: RollingUpdate | type: Recreate
host-network | hostNetwork: false | hostNetwork: true
account | serviceAccountName: web | serviceAccountName: default
account | serviceAccountName: web | serviceAccountName: ""
token | automountServiceAccountToken: false | automountServiceAccountToken: true
registry | registry.example.com/web | docker.io/web
registry | registry.example.com/web | registry.example.com.evil.test/web
tag | :1.4.2 | :latest
tag | :1.4.2 | :1.4.2-rc1
pull | IfNotPresent | Always
port | containerPort: 8080 | containerPort: 80
port | containerPort: 8080 | containerPort: 70000
privileged | privileged: false | privileged: true
root | runAsUser: 1000 | runAsUser: 0
read-only | readOnlyRootFilesystem: true | readOnlyRootFilesystem: false
env-name | name: LOG_LEVEL␤··············value: info | name: log-level␤··············value: info
log-level | value: info | value: debug
memory | memory: 256Mi | memory: 2048Mi
memory | memory: 256Mi | memory: 1Gi
`),
};

const compose: PlantedFile = {
  name: "a file of Compose",
  format: "yaml",
  text: `name: shop
services:
  web:
    image: nginx:1.27
    ports: ["8080:80"]
    restart: unless-stopped
    read_only: true
    networks: [front]
    user: "1000"
    volumes:
      - ./html:/usr/share/nginx/html:ro
    healthcheck:
      test: [CMD, "true"]
  db:
    image: postgres:17
    restart: always
    networks: [back]
    user: "999"
    environment:
      POSTGRES_PASSWORD_FILE: /run/secrets/db
    healthcheck:
      test: [CMD, pg_isready]
`,
  policy: rules(`
image-tag | $.services[*].image | self.matches(':[0-9.]+$')
low-port | $.services[*].ports[*] | int(string(self).split(':')[0]) >= 1024
restart | $.services[*].restart | self in ['always', 'unless-stopped']
read-only | $.services[*].read_only | self
network | $.services[*].networks[*] | self in ['front', 'back']
root | $.services[*].user | self != '0' && self != 'root'
volume | $.services[*].volumes[*] | self.endsWith(':ro') && !self.contains('docker.sock')
healthcheck | $.services[*] | has(self.healthcheck)
password | $.services[*].environment | !self.exists(k, k.endsWith('PASSWORD'))
privileged | $.services[*] | !has(self.privileged) || !self.privileged
project | $.name | self == 'shop'
`),
  planted: plant(`
image-tag | nginx:1.27 | nginx:latest
image-tag | postgres:17 | postgres
low-port | "8080:80" | "80:80"
low-port | "8080:80" | 443
restart | unless-stopped | "no"
restart | restart: always | restart: on-failure
read-only | read_only: true | read_only: false
network | [front] | [host]
network | [back] | [back, public]
root | user: "1000" | user: "0"
root | user: "999" | user: root
volume | html:ro | html
volume | ./html:/usr | /var/run/docker.sock:/usr
healthcheck | ␤····healthcheck:␤······test: [CMD, pg_isready] | | 5
password | POSTGRES_PASSWORD_FILE: /run/secrets/db | POSTGRES_PASSWORD: secret
privileged | user: "1000" | user: "1000"␤····privileged: true | 5
project | name: shop | name: other
`),
};

const packageJson: PlantedFile = {
  name: "a package.json",
  format: "json",
  text: `{
  "name": "@shop/web",
  "version": "1.4.2",
  "private": true,
  "type": "module",
  "license": "MIT",
  "engines": { "node": ">=22" },
  "scripts": {
    "build": "tsc",
    "test": "vitest run"
  },
  "dependencies": {
    "h3": "2.0.8",
    "zod": "4.1.0"
  },
  "devDependencies": {
    "typescript": "5.9.3"
  }
}
`,
  policy: rules(`
scope | $.name | self.startsWith('@shop/') && self == self.lowerAscii()
version | $.version | self.matches('^[0-9]+[.][0-9]+[.][0-9]+$')
private | $.private | self
module | $.type | self == 'module'
license | $.license | self in ['MIT', 'Apache-2.0']
node | $.engines.node | self.startsWith('>=') && int(self.substring(2)) >= 20
no-install-script | $.scripts | !['preinstall', 'install', 'postinstall'].exists(n, n in self)
no-download | $.scripts[*] | !self.matches('curl|wget|npx ')
exact | $['dependencies','devDependencies'][*] | self.matches('^[0-9]+[.][0-9]+[.][0-9]+(-[a-z0-9.]+)?$')
forbidden | $.dependencies | !('request' in self) && !('left-pad' in self)
few | $.dependencies | size(self) <= 3
`),
  planted: plant(`
scope | @shop/web | web
scope | @shop/web | @shop/Web
version | "1.4.2" | "1.4"
private | "private": true | "private": false
module | "module" | "commonjs"
license | "MIT" | "GPL-3.0-only"
node | >=22 | >=18
node | >=22 | 22
no-install-script | "build": "tsc" | "postinstall": "node x.js" | 1
no-install-script | "build": "tsc" | "install": "node-gyp" | 1
no-download | "tsc" | "curl x && tsc"
no-download | vitest run | npx vitest
exact | 2.0.8 | ^2.0.8
exact | 4.1.0 | *
exact | 5.9.3 | next
exact | "4.1.0" | "github:a/b"
forbidden | "h3" | "request" | 1
forbidden | "zod" | "left-pad" | 2
few | "h3": "2.0.8" | "a": "1.0.0", "b": "1.0.0", "h3": "2.0.8" | 1
`),
};

const plan: PlantedFile = {
  name: "a plan of Terraform in JSON",
  format: "json",
  text: `{
  "format_version": "1.2",
  "terraform_version": "1.9.5",
  "resource_changes": [
    {
      "address": "aws_s3_bucket.logs",
      "type": "aws_s3_bucket",
      "change": {
        "actions": ["create"],
        "after": {
          "acl": "private",
          "tags": { "owner": "store" }
        }
      }
    },
    {
      "address": "aws_security_group.web",
      "type": "aws_security_group",
      "change": {
        "actions": ["update"],
        "after": {
          "ingress": [
            { "from_port": 443, "cidr_blocks": ["0.0.0.0/0"] }
          ],
          "tags": { "owner": "store" }
        }
      }
    },
    {
      "address": "aws_db_instance.main",
      "type": "aws_db_instance",
      "change": {
        "actions": ["no-op"],
        "after": {
          "publicly_accessible": false,
          "storage_encrypted": true,
          "backup_retention_period": 7,
          "instance_class": "db.t4g.small"
        }
      }
    }
  ]
}
`,
  policy: rules(`
terraform | $.terraform_version | self.matches('^1[.]9[.]')
acl | $..acl | self == 'private'
owner | $..tags | 'owner' in self && self.owner in ['store', 'search']
open-port | $..ingress[*] | !('0.0.0.0/0' in self.cidr_blocks) || self.from_port in [80, 443]
no-delete | $.resource_changes[*].change.actions[*] | self != 'delete'
public-db | $..publicly_accessible | !self
encrypted | $..storage_encrypted | self
backup | $..backup_retention_period | self >= 7 && self <= 35
class | $..instance_class | self.matches('^db[.]t4g[.]')
kinds | $.resource_changes[*].type | self.startsWith('aws_') && !self.startsWith('aws_iam_')
`),
  planted: plant(`
terraform | 1.9.5 | 1.5.7
acl | "private" | "public-read"
acl | "private" | null
owner | "acl": "private",␤··········"tags": { "owner": "store" } | "acl": "private",␤··········"tags": { "owner": "nobody" } | -1
owner | "acl": "private",␤··········"tags": { "owner": "store" } | "acl": "private",␤··········"tags": {} | -1
open-port | 443, | 22,
open-port | 443, | 8443,
open-port | 443, | "443",
no-delete | "create" | "delete", "create"
no-delete | "no-op" | "delete"
public-db | "publicly_accessible": false | "publicly_accessible": true
encrypted | "storage_encrypted": true | "storage_encrypted": false
backup | "backup_retention_period": 7 | "backup_retention_period": 1
backup | "backup_retention_period": 7 | "backup_retention_period": 36
class | t4g.small | m7i.8xlarge
kinds | "aws_db_instance" | "google_sql_database"
kinds | "aws_db_instance" | "aws_iam_user"
`),
};

const openapi: PlantedFile = {
  name: "a description of OpenAPI",
  format: "yaml",
  text: `openapi: 3.1.0
info:
  title: Shop
  version: 1.0.0
  contact:
    email: api@example.com
servers:
  - url: https://api.example.com/v1
paths:
  /orders/{orderId}:
    get:
      operationId: getOrder
      tags: [orders]
      parameters:
        - name: orderId
          in: path
          required: true
          schema: { type: string, maxLength: 36 }
      responses:
        "200":
          description: An order
        "404":
          description: No such order
components:
  securitySchemes:
    bearer:
      type: http
      scheme: bearer
`,
  policy: rules(`
version | $.openapi | self.startsWith('3.1')
semver | $.info.version | self.matches('^[0-9]+[.][0-9]+[.][0-9]+$')
contact | $.info.contact.email | self.endsWith('@example.com')
https | $.servers[*].url | self.startsWith('https://')
versioned | $.servers[*].url | self.matches('/v[0-9]+$')
kebab | $.paths | self.all(p, p.matches('^(/([a-z][a-z0-9-]*|[{][a-zA-Z]+[}]))+$'))
operation-id | $.paths[*][*].operationId | self.matches('^(get|list|create|update|delete)[A-Z]')
tag | $.paths[*][*].tags[*] | self in ['orders', 'customers']
not-found | $.paths[*].get.responses | '404' in self || 'default' in self
max-length | $.paths[*][*].parameters[*].schema | self.type != 'string' || has(self.maxLength)
path-required | $.paths[*][*].parameters[?@.in == 'path'] | has(self.required) && self.required
description | $..responses[*].description | size(self) > 5
scheme | $.components.securitySchemes[*].type | self in ['http', 'openIdConnect']
bearer | $.components.securitySchemes[*].scheme | self == 'bearer'
`),
  planted: plant(`
version | 3.1.0 | 3.0.3
semver | version: 1.0.0 | version: v1
contact | api@example.com | api@other.test
https | https://api | http://api
versioned | .com/v1 | .com/
kebab | /orders/{orderId}: | /Orders/{orderId}:
kebab | /orders/{orderId}: | /order_items/{orderId}:
operation-id | getOrder | order
operation-id | getOrder | get_order
tag | [orders] | [misc]
not-found | "404" | "400" | 2
max-length | string, maxLength: 36 | string
path-required | required: true | required: false | 2
path-required | ␤··········required: true | | 1
description | An order | OK
description | No such order | None
scheme | type: http | type: apiKey
bearer | scheme: bearer | scheme: basic
semver | version: 1.0.0 | version: 1.0.0-beta
https | https://api | //api
versioned | .com/v1 | .com/v1/
`),
};

export const plantedFiles: readonly PlantedFile[] = [manifest, compose, packageJson, plan, openapi];
