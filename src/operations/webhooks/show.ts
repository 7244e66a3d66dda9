import { z } from "zod";
import { toInstantOrNull } from "../../catalog/duration.ts";
import { requireSeen } from "../../services/access/incarnation.ts";
import { id } from "../fields.ts";
import { defineOperation } from "../operation.ts";
import { flatEndpoint } from "./options.ts";
import { endpointView, toEndpointView } from "./view.ts";

export const showEndpoint = defineOperation({
  name: "webhooks.show",
  summary: "Show an endpoint and its health. The secret is masked; to replace a lost one, use rotate.",
  kind: "reads",
  callers: "owner",
  subject: { kind: "endpoint", field: "id" },
  input: z.strictObject({ id }),
  /** The endpoint with the number of consecutive failed attempts and the time of the first one. */
  output: endpointView.extend({ failures: z.int(), failingSince: z.string().nullable() }),
  command: { record: flatEndpoint },
  graphql: {
    name: "webhookEndpoint",
    text: "One endpoint. Requires a settings session.",
    returns: "WebhookEndpoint",
  },
  async run(context, args, { owner }) {
    const record = requireSeen(await context.outbox.endpoints.get(args.id), owner);
    const { failures, failingSince } = await (await context.store.deliveries()).health(record.id);
    return {
      ...toEndpointView(context, record),
      failures,
      failingSince: toInstantOrNull(failingSince),
    };
  },
});
