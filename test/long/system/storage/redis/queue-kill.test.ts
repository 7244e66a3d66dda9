import "../../../../system/storage/redis/queue-kill.test.ts";
