import "../../../../unit/storage/deliveries/laws.test.ts";
