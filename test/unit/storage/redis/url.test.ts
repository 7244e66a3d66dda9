import { describe, expect, test } from "vitest";
import { StoreError } from "../../../../src/storage/errors.ts";
import { parseRedisUrl } from "../../../../src/storage/redis/url.ts";

describe("storage.url", () => {
  test.each([
    ["redis://localhost", { host: "localhost", port: 6379, db: 0 }, "localhost/0"],
    ["redis://10.0.0.1:7000/3", { host: "10.0.0.1", port: 7000, db: 3 }, "10.0.0.1:7000/3"],
    ["redis://[::1]:7000", { host: "::1", port: 7000, db: 0 }, "[::1]:7000/0"],
    ["redis://[fd00::7]/", { host: "fd00::7", port: 6379, db: 0 }, "[fd00::7]/0"],
    ["redis://:s3cret@host", { host: "host", port: 6379, db: 0, password: "s3cret" }, "host/0"],
    [
      "redis://app:s3cret@host/1",
      { host: "host", port: 6379, db: 1, username: "app", password: "s3cret" },
      "host/1",
    ],
    [
      "redis://a%40b:p%3A%2F%25@h",
      { host: "h", port: 6379, db: 0, username: "a@b", password: "p:/%" },
      "h/0",
    ],
    [
      "redis+sentinel://:pw@a,b:26380/main/2",
      {
        sentinels: [
          { host: "a", port: 26_379 },
          { host: "b", port: 26_380 },
        ],
        name: "main",
        password: "pw",
        db: 2,
      },
      "main of a,b:26380/2",
    ],
    [
      "redis+sentinel://s:26379/main?sentinelPassword=deep",
      { sentinels: [{ host: "s", port: 26_379 }], name: "main", sentinelPassword: "deep", db: 0 },
      "main of s:26379/0",
    ],
  ])("%s", (url, options, name) => {
    expect(parseRedisUrl(url)).toEqual({ options, name });
  });

  test("names some servers of a cluster, by IPv6 too", () => {
    expect(parseRedisUrl("rediss+cluster://app:pw@a,b:7001,[fd00::7]:7002/0?ca=/ca")).toEqual({
      options: { host: "a", port: 6379, db: 0, username: "app", password: "pw" },
      cluster: [
        { host: "a", port: 6379 },
        { host: "b", port: 7001 },
        { host: "fd00::7", port: 7002 },
      ],
      tls: { ca: "/ca" },
      name: "the cluster of a,b:7001,[fd00::7]:7002",
    });
    expect(parseRedisUrl("redis+cluster://a").cluster).toEqual([{ host: "a", port: 6379 }]);
  });

  test.each([
    ["rediss://host", {}],
    ["rediss://host:6380/0?ca=/etc/ca.pem", { ca: "/etc/ca.pem" }],
    ["rediss://host?ca=/a%20b.pem&cert=/c&key=/k", { ca: "/a b.pem", cert: "/c", key: "/k" }],
    ["rediss+sentinel://h:26379/main?ca=/ca", { ca: "/ca" }],
  ])("%s uses TLS", (url, tls) => {
    expect(parseRedisUrl(url).tls).toEqual(tls);
  });

  test.each([
    ["", "not a Redis URL"],
    ["localhost:6379", "not a Redis URL"],
    ["http://host", "not a Redis URL"],
    ["redis://", "not a Redis URL"],
    ["redis:///0", "not a Redis URL"],
    ["redis://user:hunter2@", "not a Redis URL"],
    ["redis://user:hun@ter2@host", "not a Redis URL"],
    ["redis://user:hunter2#x@host", "not a Redis URL"],
    ["redis://:hunter2@host/one", "the database is not a number"],
    ["redis://:hunter2@host/1/2", "the database is not a number"],
    ["redis://:hunter2@host/-1", "the database is not a number"],
    ["redis://:hunter2@host:0", "a host or a port is invalid"],
    ["redis://:hunter2@host:70000", "a host or a port is invalid"],
    ["redis://:hunter2@host:6379:1", "a host or a port is invalid"],
    ["redis://:hunter2@::1", "a host or a port is invalid"],
    ["redis://:hunter2@a,b", "only redis+sentinel:// and redis+cluster:// allow several hosts"],
    ["redis+sentinel://:hunter2@a,b", "the name that the sentinels watch is missing"],
    ["redis+sentinel://:hunter2@a//0", "the name that the sentinels watch is missing"],
    ["redis+sentinel://:hunter2@a/main/x", "the database is not a number"],
    ["redis+cluster://:hunter2@a,b/1", "a cluster has only database 0"],
    ["redis+cluster://:hunter2@a,b/main", "the database is not a number"],
    ["redis+cluster://:hunter2@a?sentinelPassword=x", 'the parameter "sentinelPassword" is not known'],
    ["redis://:100%hunter2@host", "a percent sign must be written as %25"],
    ["redis://:hunter2@host?ca=/x", 'the parameter "ca" is not known'],
    ["rediss://:hunter2@host?tls=yes", 'the parameter "tls" is not known'],
    ["rediss://:hunter2@host?cert=/c", "cert and key belong together"],
    ["redis://host?password=hunter2", 'the parameter "password" is not known'],
  ])("%j is refused with the reason and the accepted form, without repeating a password", (url, why) => {
    const error = catchError(() => parseRedisUrl(url));
    expect(error).toBeInstanceOf(StoreError);
    expect(error).toMatchObject({ operation: "open" });
    expect(error.message).toMatch(/^storage\.url cannot be used: .*\. It takes redis:\/\//);
    expect(error.message).toContain(why);
    expect(error.message).not.toContain("hunter2");
    expect(error.message).not.toContain("ter2");
  });
});

function catchError(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error("it was taken");
}
