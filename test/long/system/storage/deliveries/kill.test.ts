import "../../../../system/storage/deliveries/kill.test.ts";
