import { isPictureSize, type FoundDocument } from './found-document.ts';

/** Baseline to arithmetic frames: 0xC0 to 0xCF but for tables (C4), extensions (C8) and conditioning (CC). */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7;

const uint16 = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);

/**
 * Walks the segments of a JPEG (ITU-T T.81, annex B) up to its end, which must come; what stands behind
 * that, as phones append it, does not belong to the picture. Nothing is decoded. Null: this is none.
 */
export function readJpeg(bytes: Uint8Array): FoundDocument | null {
  if (uint16(bytes, 0) !== 0xffd8) return null;
  let hasFrame = false;
  let hasScan = false;
  let at = 2;
  while (at < bytes.length) {
    if (bytes[at] !== 0xff) return null;
    while (bytes[at + 1] === 0xff) at += 1;
    const marker = bytes[at + 1] ?? 0;
    at += 2;
    if (marker === 0xd9) {
      return hasFrame && hasScan ? { contentType: 'image/jpeg', length: at } : null;
    }
    const length = uint16(bytes, at);
    if (marker < 0xc0 || marker === 0xd8 || isRestart(marker) || length < 2) return null;
    if (isFrame(marker)) {
      if (!isPictureSize(uint16(bytes, at + 5), uint16(bytes, at + 3))) return null;
      hasFrame = true;
    }
    at += length;
    if (marker !== 0xda) continue;
    hasScan = true;
    at = endOfScan(bytes, at);
  }
  return null;
}

/** Where the marker stands that ends the coded data: neither a stuffed 0xFF nor a restart. */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next === 0xff) continue;
    if (next !== 0 && !isRestart(next)) return at;
  }
  return bytes.length;
}
