import { afterEach, expect, test, vi } from "vitest";
import { revokeAfterLoading } from "../../src/widgets/blob_media";

afterEach(() => vi.restoreAllMocks());

function picture(complete: boolean) {
  return Object.assign(new EventTarget(), { complete }) as unknown as HTMLImageElement;
}

test.each(["load", "error"])("an address outlives the loading of its picture: %s", (end) => {
  const revoke = vi.spyOn(URL, "revokeObjectURL").mockImplementation(() => {});
  const loading = picture(false);
  revokeAfterLoading(loading, "blob:a");
  expect(revoke).not.toHaveBeenCalled();
  loading.dispatchEvent(new Event(end));
  expect(revoke).toHaveBeenCalledWith("blob:a");
});

test("the address of a loaded picture goes at once", () => {
  const revoke = vi.spyOn(URL, "revokeObjectURL").mockImplementation(() => {});
  revokeAfterLoading(picture(true), "blob:a");
  expect(revoke).toHaveBeenCalledWith("blob:a");
});
