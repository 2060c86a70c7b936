import type { FoundDocument } from './found-document.ts';
import { readJpeg } from './read-jpeg.ts';
import { readPdf, type Inflate } from './read-pdf.ts';
import { readPng } from './read-png.ts';

/** Where browsers, servers and PDF readers look for what a file might be. */
const LOOKED_AT_BYTES = 4_096;

/** Beginnings of pages, programs, archives and PDFs: a picture that holds one is meant to be taken for it. */
const OTHER_KINDS = ['<!doctype', '<html', '<script', '<svg', '<?php', '%pdf-', 'pk\x03\x04'];

/**
 * What a file is, by its bytes alone: a whole JPEG or PNG picture of a reasonable size, or a PDF that can
 * only be looked at. A caller who keeps it keeps its `length` first bytes: another file behind a picture is cut
 * off. No picture is decompressed, and of a PDF only objects, within a bound, so that nothing can burst. Null: anything
 * else, damaged ones included.
 */
export function readDocument(bytes: Uint8Array, inflate: Inflate): FoundDocument | null {
  const picture = readJpeg(bytes) ?? readPng(bytes);
  if (picture === null) return readPdf(bytes, inflate);
  const decoder = new TextDecoder('latin1');
  const looked = bytes.subarray(0, Math.min(picture.length, LOOKED_AT_BYTES));
  const beginning = decoder.decode(looked).toLowerCase();
  return OTHER_KINDS.some((kind) => beginning.includes(kind)) ? null : picture;
}
