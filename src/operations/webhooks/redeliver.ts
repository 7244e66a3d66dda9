import { z } from "zod";
import { toDeliveryView } from "../../services/webhooks/delivery-view.ts";
import { id } from "../fields.ts";
import { defineOperation } from "../operation.ts";
import { deliveryView, findDelivery, servingEndpoint } from "./view.ts";

export const redeliver = defineOperation({
  name: "webhooks.redeliver",
  summary: "Send a delivery again from its first attempt: the same event with the same id.",
  kind: "changes",
  callers: "owner",
  subject: { kind: "delivery", field: "id" },
  input: z.strictObject({ id }),
  output: deliveryView,
  command: {},
  graphql: {
    name: "redeliver",
    text: "Restarts an ended delivery; a waiting one becomes due at once.",
    returns: "Delivery",
  },
  async run(context, args) {
    const queue = await context.store.deliveries();
    const found = await findDelivery(queue, args.id);
    await servingEndpoint(context, found.endpoint);
    return toDeliveryView((await queue.redeliver(args.id)) ?? found);
  },
});
