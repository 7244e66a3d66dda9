import type { JSX } from "preact";
import { Tag } from "../ui/tag.tsx";
import { Text } from "../ui/text.tsx";
import { Time } from "../ui/time.tsx";
import type { Delivery } from "./delivery-changes.ts";

/** The state of a delivery, when it is tried next, and why it failed. */
export const DeliveryState = ({ of }: { of: Delivery }): JSX.Element =>
  of.state === "DELIVERED" ? (
    <>
      <Tag tone="ok">Delivered</Tag> <Time at={of.endedAt} />
    </>
  ) : of.state === "WAITING" ? (
    <>
      <Tag tone="warn">Waiting</Tag>
      {of.nextAt === null ? null : (
        <>
          {" "}
          for an attempt <Time at={of.nextAt} />
        </>
      )}
    </>
  ) : (
    <>
      <Tag tone="bad">Failed</Tag> <Time at={of.endedAt} />
      {of.reason === null ? null : (
        <>
          : <Text>{of.reason}</Text>
        </>
      )}
    </>
  );
