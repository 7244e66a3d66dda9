import type { JSX } from "preact";
import { Text } from "../ui/text.tsx";
import { Time } from "../ui/time.tsx";
import type { Delivery } from "./delivery-changes.ts";

/** The state of a delivery, when it is tried next, and why it failed. */
export const DeliveryState = ({ of }: { of: Delivery }): JSX.Element =>
  of.state === "DELIVERED" ? (
    <>
      Delivered <Time at={of.endedAt} />
    </>
  ) : of.state === "WAITING" ? (
    <>
      Waiting
      {of.nextAt === null ? null : (
        <>
          {" "}
          for an attempt <Time at={of.nextAt} />
        </>
      )}
    </>
  ) : (
    <>
      Failed <Time at={of.endedAt} />
      {of.reason === null ? null : (
        <>
          : <Text>{of.reason}</Text>
        </>
      )}
    </>
  );
