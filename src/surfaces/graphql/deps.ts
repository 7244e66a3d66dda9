import type { Config } from "../../options.ts";
import type { Finding } from "../../services/doctor/finding.ts";
import type { Admin } from "../../operations/admin.ts";
import type { Live } from "../../services/events/live/live.ts";
import type { StoreNode } from "../../storage/storage.ts";
import type { HttpDeps } from "../http/deps.ts";

/** An option of the configuration, as the operator sees it. */
export interface EffectiveOption {
  /** Section and name. */
  option: string;
  /** Masked if it is a secret. */
  value: unknown;
  origin: string;
}

/** This node, for its operator. */
export interface Installation {
  /** The configuration that the process was started with. */
  options(): Promise<readonly EffectiveOption[]>;
  /** Returns the findings of doctor. */
  examine(): Promise<readonly Finding[]>;
  /** The servers that share the store. @throws StoreError */
  nodes(): Promise<readonly StoreNode[]>;
}

/** Dependencies of the GraphQL surface: those of the shell, but for its own, and more. */
export interface GraphqlDeps extends Omit<HttpDeps, "presume" | "clientIp" | "check" | "timeouts"> {
  graphql: Config["graphql"];
  admin(): Promise<Admin>;
  live(): Promise<Live>;
  installation: Installation;
}
