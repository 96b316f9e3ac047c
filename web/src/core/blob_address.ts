import { useEffect, useState } from "preact/hooks";

/** The address of bytes that were fetched with the token; it is given up when it is no longer shown. */
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
