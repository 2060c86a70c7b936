import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A file that pages load. Its URL names its content, so that it may be kept for ever. */
export interface Asset {
  readonly url: string;
  readonly type: string;
  readonly bytes: Buffer;
}

const TYPES = {
  'site.css': 'text/css; charset=utf-8',
  'site.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml; charset=utf-8',
} as const;

function readAsset(name: keyof typeof TYPES): Asset {
  const bytes = readFileSync(fileURLToPath(new URL(name, import.meta.url)));
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  return { url: `/assets/${hash}/${name}`, type: TYPES[name], bytes };
}

/** All that a page loads. Read once, at the start. */
export const ASSETS = {
  css: readAsset('site.css'),
  script: readAsset('site.js'),
  icon: readAsset('icon.svg'),
} as const;
