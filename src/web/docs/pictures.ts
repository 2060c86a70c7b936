import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Asset } from '../kit/assets/asset.ts';
import { PICTURE_FILES } from './guides/picture-list.ts';

/** A drawing that guides show. Its size is known before it is there, so that no text moves. */
export interface Picture extends Asset {
  /** In pixels of the page, as it is drawn. */
  readonly width: number;
  readonly height: number;
}

const VIEW_BOX = /<svg [^>]*viewBox="0 0 ([1-9]\d{1,3}) ([1-9]\d{1,3})"/;

/** Reads the pictures, by their files below `docs/`; `base` is the path that the whole service is under. */
export function readPictures(base: string): ReadonlyMap<string, Picture> {
  return new Map(PICTURE_FILES.map((file) => [file, readPicture(base, file)]));
}

function readPicture(base: string, file: string): Picture {
  const bytes = readFileSync(fileURLToPath(new URL(`../../../docs/${file}`, import.meta.url)));
  const size = VIEW_BOX.exec(bytes.toString());
  if (size === null) throw new Error(`${file} does not say how large it is`);
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  return {
    url: `${base}/docs/assets/${hash}/${posix.basename(file)}`,
    type: 'image/svg+xml; charset=utf-8',
    bytes,
    ...{ width: Number(size[1]), height: Number(size[2]) },
  };
}
