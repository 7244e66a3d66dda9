import { openFileInbox } from "../../../../src/services/storage/inbox/file-inbox.ts";
import { makeFolder } from "../drivers.ts";
import { describeInboxStore } from "./conformance.ts";

describeInboxStore("files", async ({ now }) =>
  openFileInbox(makeFolder(), {
    now,
    onError(error) {
      throw error;
    },
  }),
);

describeInboxStore("files, one inbox open at a time", async ({ now }) =>
  openFileInbox(makeFolder(), {
    now,
    openMost: 1,
    onError(error) {
      throw error;
    },
  }),
);
