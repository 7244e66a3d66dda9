import {
  any,
  choice,
  closed,
  each,
  either,
  flag,
  list,
  map,
  near,
  oneOrMore,
  type Shape,
  text,
  whole,
} from "../shape.ts";

const names = list(text);
const updateTypes = list(
  choice("version-update:semver-major", "version-update:semver-minor", "version-update:semver-patch"),
);
const group = near({
  "applies-to": choice("version-updates", "security-updates"),
  "dependency-type": choice("development", "production"),
  "update-types": list(choice("minor", "patch", "major")),
  patterns: names,
  "exclude-patterns": names,
  "group-by": choice("dependency-name"),
});
const cooldown = near({
  ...each("default-days semver-major-days semver-minor-days semver-patch-days", whole),
  include: names,
  exclude: names,
});
const day = choice("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday");
const schedule = closed({
  "interval!": choice("daily", "weekly", "monthly", "quarterly", "semiannually", "yearly", "cron"),
  day,
  time: text,
  timezone: text,
  cronjob: text,
});

const ecosystems = `bazel bun bundler cargo composer conda deno devcontainers docker docker-compose dotnet-sdk elm github-actions gitsubmodule gomod gradle
  helm julia maven mix nix npm nuget opentofu pip pre-commit pub rust-toolchain swift terraform uv vcpkg`;

const update = closed({
  "package-ecosystem!": choice(...ecosystems.split(/\s+/)),
  directory: text,
  directories: names,
  schedule,
  allow: list(
    near({
      "dependency-name": text,
      "dependency-type": choice("direct", "indirect", "all", "production", "development"),
      "update-types": updateTypes,
    }),
  ),
  assignees: names,
  "commit-message": closed({ prefix: text, "prefix-development": text, include: choice("scope") }),
  cooldown,
  "enable-beta-ecosystems": flag,
  groups: map(group),
  ignore: list(
    near({ "dependency-name": text, versions: oneOrMore(either(text, whole)), "update-types": updateTypes }),
  ),
  "insecure-external-code-execution": choice("allow", "deny"),
  labels: names,
  milestone: either(whole, text),
  "multi-ecosystem-group": text,
  patterns: names,
  "exclude-paths": names,
  "open-pull-requests-limit": whole,
  "pull-request-branch-name": closed({ "separator!": choice("-", "_", "/") }),
  "rebase-strategy": choice("auto", "disabled"),
  registries: either(choice("*"), names),
  reviewers: names,
  "target-branch": text,
  vendor: flag,
  "versioning-strategy": choice("auto", "increase", "increase-if-necessary", "lockfile-only", "widen"),
});

/** .github/dependabot.yml, version 2, of which GitHub refuses files with other names. */
export const dependabot: Shape = closed({
  "version!": either(choice(2), choice("2")),
  "updates!": list(update),
  "enable-beta-ecosystems": flag,
  "multi-ecosystem-groups": map(
    near({
      schedule,
      ...each("labels assignees reviewers", names),
      ...each(
        "milestone target-branch commit-message pull-request-branch-name rebase-strategy open-pull-requests-limit",
        any,
      ),
    }),
  ),
  registries: map(
    near({
      "type!": choice(
        "cargo-registry",
        "composer-repository",
        "docker-registry",
        "git",
        "goproxy-server",
        "helm-registry",
        "hex-organization",
        "hex-repository",
        "maven-repository",
        "npm-registry",
        "nuget-feed",
        "pub-repository",
        "python-index",
        "rubygems-server",
        "terraform-registry",
      ),
      ...each(
        "url username password key token organization repo auth-key public-key-fingerprint registry host",
        text,
      ),
      ...each("replaces-base insecure-external-code-execution", any),
    }),
  ),
});
