import "../../../../system/storage/deliveries/torn.test.ts";
