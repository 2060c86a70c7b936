import type { KycContentType } from '../kyc-document.ts';

/** A document that bytes begin with. */
export interface FoundDocument {
  readonly contentType: KycContentType;
  /** How many of the bytes it is made of; what comes behind is something else. */
  readonly length: number;
}

/** More than any phone or scanner makes; beyond it a small file may take gigabytes to decode. */
const SIDE_MAX = 30_000;
const PIXELS_MAX = 120_000_000;

/** Is a picture of that width and height, in pixels, one that may be decoded without harm? */
export function isPictureSize(width: number, height: number): boolean {
  const isWithin = (side: number) => side >= 1 && side <= SIDE_MAX;
  return isWithin(width) && isWithin(height) && width * height <= PIXELS_MAX;
}
