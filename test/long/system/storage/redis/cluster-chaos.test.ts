import "../../../../system/storage/redis/cluster-chaos.test.ts";
