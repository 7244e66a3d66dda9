import "../../../../unit/storage/deliveries/torn.test.ts";
