import "../../../../system/storage/deliveries/laws.test.ts";
