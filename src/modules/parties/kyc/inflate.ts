import { inflateSync } from 'node:zlib';

/** Decompresses zlib data, as PDFs have it; null where that is none, or more than `bytesMax` comes out. */
export function inflate(bytes: Uint8Array, bytesMax: number): Uint8Array | null {
  if (bytesMax < 1) return null;
  try {
    return inflateSync(bytes, { maxOutputLength: bytesMax });
  } catch {
    return null;
  }
}
