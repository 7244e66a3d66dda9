import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readText } from "./files.ts";
import { type Query, readQuery } from "./promql.ts";
import { readScrape, scrapeEverything, scrapeServer, type Scraped } from "./scrape.ts";

interface Rule {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; description: string };
}

interface Panel {
  id: number;
  type: string;
  title: string;
  description?: string;
  gridPos: { h: number; w: number; x: number; y: number };
  datasource?: { uid: string };
  targets?: { refId: string; expr: string; legendFormat: string; datasource: { uid: string } }[];
}

const { groups } = parse(readText("config/alerts.yaml")) as { groups: { name: string; rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(readText("config/dashboard.json")) as {
  uid: string;
  title: string;
  schemaVersion: number;
  panels: Panel[];
  templating: { list: { name: string; type: string; query: string | { query: string } }[] };
};
const charts = dashboard.panels.filter(({ type }) => type !== "row");
const targets = charts.flatMap(({ title, targets: of = [] }) => of.map((target) => ({ title, ...target })));

/** Grafana substitutes these; `$instance` is a pattern. */
const variables = { __rate_interval: "5m", job: "penknife", instance: ".+" };
/** Labels that Prometheus adds to everything it scrapes. */
const ofTargets = ["job", "instance"];

let server: Scraped;
let everything: Scraped;

beforeAll(async () => {
  server = readScrape(await scrapeServer());
  everything = readScrape(await scrapeEverything());
});

/** Returns the names, labels and label values of a query that /metrics does not have. */
function findUnknown({ selectors, grouping }: Query): string[] {
  const labels = new Set([...ofTargets, ...selectors.flatMap(({ metric }) => [...labelsOf(metric).keys()])]);
  return [
    ...selectors.flatMap(({ metric, matchers }) => [
      // Prometheus's own metric: whether the scrape succeeded.
      ...(metric === "up" || server.has(metric) ? [] : [metric]),
      ...matchers.flatMap(({ label, operator, value }) => {
        if (ofTargets.includes(label)) return [];
        const values = [...(labelsOf(metric).get(label) ?? [])];
        if (values.length === 0) return [`${metric}{${label}}`];
        // Every alternative must exist, or it is dead.
        const parts = operator.includes("~") ? value.split("|") : [value];
        const isKnown = (part: string): boolean =>
          values.some((one) => new RegExp(`^(?:${part})$`).test(one));
        return parts.filter((part) => !isKnown(part)).map((part) => `${metric}{${label}="${part}"}`);
      }),
    ]),
    ...grouping.filter((label) => label !== "le" && !labels.has(label)),
  ];
}

const labelsOf = (metric: string): Map<string, Set<string>> => everything.get(metric) ?? new Map();

describe("the check of a query", () => {
  it.each<[string, string[]]>([
    ['sum by (status) (rate(penknife_http_requests_total{status=~"503|504"}[5m])) > 0', []],
    ["penknife_http_request_total", ["penknife_http_request_total"]],
    ['penknife_http_requests_total{code="500"}', ["penknife_http_requests_total{code}"]],
    [
      'penknife_worker_events_total{event=~"crash|crashed"}',
      ['penknife_worker_events_total{event="crashed"}'],
    ],
    ["sum by (slug) (penknife_tool_runs_total)", ["slug"]],
  ])("%s: unknown are %j", (text, unknown) => {
    const query = readQuery(text);
    expect(query.faults).toEqual([]);
    expect(findUnknown(query)).toEqual(unknown);
  });

  it.each([
    "sum(",
    "up{job=}",
    "rate(penknife_auth_total)",
    "histogram_quantile(0.9, up[5m])",
    'up{job="$site"}',
  ])("%s is not PromQL", (text) => expect(readQuery(text).faults).not.toEqual([]));
});

describe("config/alerts.yaml", () => {
  it.each(rules)("$alert queries only what /metrics has", ({ expr }) => {
    const query = readQuery(expr);
    expect(query.faults).toEqual([]);
    expect(findUnknown(query)).toEqual([]);
    for (const { matchers } of query.selectors) {
      expect(matchers).toContainEqual({ label: "job", operator: "=", value: "penknife" });
    }
  });

  it.each(rules)("$alert describes the problem, with labels that it has", (rule) => {
    const query = readQuery(rule.expr);
    const aggregated = /^\s*(?:sum|max|min|count|histogram_quantile)\b/.test(rule.expr);
    const labels = aggregated
      ? query.grouping
      : [...ofTargets, ...query.selectors.flatMap(({ metric }) => [...labelsOf(metric).keys()])];
    const { summary, description } = rule.annotations;
    const used = [...`${summary} ${description}`.matchAll(/\{\{ (.*?) \}\}/g)].map(([, inner = ""]) => inner);
    for (const one of used) {
      const [, label] = /^(?:\$value(?: \| humanize(?:Percentage|Duration)?)?|\$labels\.(\w+))$/.exec(
        one,
      ) ?? [one, one];
      if (label !== undefined) expect(labels, one).toContain(label);
    }
    // The summary is shown on telephones, and alerts of one kind are grouped by it.
    expect(summary).not.toContain("{{");
    expect(summary.length).toBeLessThan(80);
    expect(rule.labels.severity).toMatch(/^(?:critical|warning)$/);
    expect(rule.for ?? "1m").toMatch(/^\d+m$/);
  });

  it("names each alert once, and docs/operations.md says what to do about it", () => {
    const names = rules.map(({ alert }) => alert);
    expect(new Set(names).size).toBe(names.length);
    const rows = [...readText("docs/operations.md").matchAll(/^\| `(Penknife\w+)` \| .{20}/gm)].map(
      ([, name]) => name,
    );
    expect(rows).toEqual(names);
  });

  it("has only the fields of a rule file", () => {
    for (const group of groups) expect(Object.keys(group)).toEqual(["name", "rules"]);
    const fields = new Set(rules.flatMap((rule) => Object.keys(rule)));
    expect([...fields].toSorted()).toEqual(["alert", "annotations", "expr", "for", "labels"]);
  });
});

it("docs/operations.md and the alerts name the same job", () => {
  const blocks = [...readText("docs/operations.md").matchAll(/^```yaml\n([^]*?)^```/gm)].map(
    ([, block = ""]) => block,
  );
  expect(blocks).toHaveLength(2);
  for (const block of blocks) {
    const { scrape_configs: jobs } = parse(block) as { scrape_configs: { job_name: string }[] };
    expect(jobs.map(({ job_name }) => job_name)).toEqual(["penknife"]);
  }
});

describe("config/dashboard.json", () => {
  it.each(targets)("$title queries only what /metrics has ($legendFormat)", ({ expr, legendFormat }) => {
    const query = readQuery(expr, variables);
    expect(query.faults).toEqual([]);
    expect(findUnknown(query)).toEqual([]);
    const labels = [...ofTargets, ...query.grouping];
    for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) expect(labels).toContain(label);
  });

  it("uses only variables that it defines", () => {
    const names = dashboard.templating.list.map(({ name }) => name);
    expect(names).toEqual(["datasource", "job", "instance"]);
    for (const { query } of dashboard.templating.list.slice(1)) {
      const { query: text } = query as { query: string };
      const [, selector = ""] = /^label_values\((.*), (?:job|instance)\)$/.exec(text) ?? [];
      const asked = readQuery(selector, variables);
      expect([...asked.faults, ...findUnknown(asked)]).toEqual([]);
    }
  });

  it("uses the chosen data source in every panel", () => {
    const sources = [
      ...charts.map(({ datasource }) => datasource?.uid),
      ...targets.map((one) => one.datasource.uid),
    ];
    expect(new Set(sources)).toEqual(new Set(["${datasource}"]));
  });

  it("has panels with descriptions, side by side on a grid of 24", () => {
    expect(dashboard).toMatchObject({ uid: "penknife", title: "penknife", schemaVersion: 39 });
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    for (const { title, description = "", targets: of = [] } of charts) {
      expect(description.length, title).toBeGreaterThan(15);
      expect(new Set(of.map(({ refId }) => refId)).size).toBe(of.length);
      expect(of.length).toBeGreaterThan(0);
    }
    const taken = new Set<string>();
    for (const { title, gridPos } of dashboard.panels) {
      expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect(taken.has(`${x},${y}`), `${title} at ${x},${y}`).toBe(false);
          taken.add(`${x},${y}`);
        }
      }
    }
  });
});
