import { createRedisInbox } from "../../../../src/services/storage/redis/inbox.ts";
import { sharedRedis } from "../drivers.ts";
import { describeInboxStore } from "../inbox/conformance.ts";
import { connect } from "./connection.ts";

let prefixes = 0;

describeInboxStore("Redis", async ({ now }) => {
  const connection = await connect((await sharedRedis()).url, `penknife:inbox${++prefixes}:`);
  return createRedisInbox({ ...connection, time: now });
});
