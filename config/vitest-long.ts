import { defineConfig } from "vitest/config";
import common from "./vitest.ts";

const { projects: _projects, ...test } = common.test ?? {};

/** Tests that take minutes, or gigabytes, the long forms of those that attack, kill and restart, and all cases of which `make test` takes a sample (`test/support/rounds.ts`): run it before a release. */
export default defineConfig({
  ...common,
  test: {
    ...test,
    include: [
      "test/long/*.test.ts",
      "test/system/e2e/large-files.test.ts",
      "test/system/{e2e,services}/**/{kill,queue-kill,webhooks-kill,crash,operator-crash,file-faults,inbox,pool,siege,memory,threads}.test.ts",
      "test/system/e2e/{clock,command-line,documents,elsewhere,exit,hostile-folders,isolation,json-test-suite,keys,matrix,mcp-stdio,nodes,other-sites,pipelines,races,redis,redis-outage,tasks,usage,webhooks}.test.ts",
      "test/system/e2e/browser/*.test.ts",
      "test/{unit,system}/{ci,corpora,cost,fuzz,image,openapi,sarif,tools/regex}/*.test.ts",
      "test/system/storage/deliveries/{laws,torn}.test.ts",
      "test/system/storage/{full-disk,journal,start}.test.ts",
      "test/system/services/transfer/{backup,copy}.test.ts",
      "test/unit/lib/{cron/schedule,json/printer}.test.ts",
      "test/unit/tools/{json/json-query-budget,lint/secret-scanner}.test.ts",
      "test/system/cli/{check-fix-faults,check-process,completion/shells,inbox-process,server,transfer}.test.ts",
      "test/{unit,system}/surfaces/{graphql/subscriptions,mcp/conformance}.test.ts",
    ],
    provide: { ...test.provide, long: true },
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    maxWorkers: 1,
  },
});
