import { createMemoryInbox } from "../../../../src/services/storage/inbox/memory-inbox.ts";
import { describeInboxStore } from "./conformance.ts";

describeInboxStore("memory", async (options) => createMemoryInbox(options));
