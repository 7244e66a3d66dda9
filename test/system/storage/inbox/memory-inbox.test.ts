import { createMemoryInbox } from "../../../../src/storage/inbox/memory-inbox.ts";
import { describeInboxStore } from "./conformance.ts";

describeInboxStore("memory", async (options) => createMemoryInbox(options));
