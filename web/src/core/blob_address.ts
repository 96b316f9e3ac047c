import { useEffect, useState } from "preact/hooks";

/** An address for fetched bytes. It is revoked when the component no longer shows it. */
export function useBlobAddress(blob: Blob | null): string {
  const [address, setAddress] = useState("");
  useEffect(() => {
    if (!blob) return;
    const made = URL.createObjectURL(blob);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return address;
}
