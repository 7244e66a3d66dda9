import { createMemoryInbox } from "../../../../src/storage/inbox/memory-inbox.ts";
import { describeInboxStore } from "./conformance.ts";
import { testRuntime } from "../../../support/runtime.ts";

describeInboxStore("memory", async (options) => createMemoryInbox({ runtime: testRuntime(options) }));
