import { isPictureSize, type FoundDocument } from './found-document.ts';

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] as const;
const HEADER_BYTES = 13;

function uint32(bytes: Uint8Array, at: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(at, at + 4);
  return a * 0x1000000 + ((b << 16) | (c << 8) | d);
}

/**
 * Walks the chunks of a PNG (ISO/IEC 15948, section 5) up to IEND, which must come; what stands behind it
 * does not belong to the picture. Nothing is inflated. Null: this is none.
 */
export function readPng(bytes: Uint8Array): FoundDocument | null {
  if (!SIGNATURE.every((byte, index) => bytes[index] === byte)) return null;
  let hasData = false;
  let at: number = SIGNATURE.length;
  while (at + 12 <= bytes.length) {
    const length = uint32(bytes, at);
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const end = at + 12 + length;
    if (end > bytes.length || !/^[A-Za-z]{4}$/.test(name)) return null;
    const isFirst = at === SIGNATURE.length;
    if (isFirst !== (name === 'IHDR')) return null;
    if (isFirst && length !== HEADER_BYTES) return null;
    if (isFirst && !isPictureSize(uint32(bytes, at + 8), uint32(bytes, at + 12))) return null;
    if (name === 'IDAT') hasData = true;
    if (name === 'IEND') {
      return hasData && length === 0 ? { contentType: 'image/png', length: end } : null;
    }
    at = end;
  }
  return null;
}
