import { expect, it } from "vitest";
import { deviceParts } from "../../../src/pages/profile/device_time";

const use = {
  total: 100,
  computing: 40,
  communication: 30,
  communication_alone: 20,
  copy_alone: 5,
  idle: 35,
  idle_causes: { for_host: 30, between_kernels: 0, other: 5 },
};

it("a device's time adds up to its total, idle time by cause", () => {
  const parts = deviceParts(use);
  expect(parts.reduce((sum, part) => sum + part.time, 0)).toBe(use.total);
  expect(parts.map((part) => part.name)).toEqual([
    "computing",
    "communicationAlone",
    "copyAlone",
    "idleForHost",
    "idleOther",
  ]);
});

it("without launches, its idle time has no cause", () => {
  const parts = deviceParts({ ...use, idle_causes: null });
  expect(parts.map((part) => part.name)).toContain("deviceIdle");
  expect(parts.reduce((sum, part) => sum + part.time, 0)).toBe(use.total);
});
