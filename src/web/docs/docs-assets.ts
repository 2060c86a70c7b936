import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ASSETS, type Asset } from '../kit/assets/asset.ts';

/** All that a page loads. */
export interface DocsAssets {
  /** The dashboard's style sheet, which the colours and sizes come from. */
  readonly tokens: Asset;
  readonly css: Asset;
  readonly script: Asset;
  readonly icon: Asset;
  /** The search's program, as its package ships it for browsers. */
  readonly engine: Asset;
  /** What it searches. */
  readonly index: Asset;
}

const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

/** The files of every page; `base` is the path that the whole service is under. */
export function readDocsAssets(base: string, index: string): DocsAssets {
  const asset = (name: string, type: string, bytes: Buffer): Asset => {
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
    return { url: `${base}/docs/assets/${hash}/${name}`, type, bytes };
  };
  return {
    tokens: { ...ASSETS.css, url: base + ASSETS.css.url },
    icon: { ...ASSETS.icon, url: base + ASSETS.icon.url },
    css: asset('docs.css', STYLE, read(new URL('assets/docs.css', import.meta.url))),
    script: asset('docs.js', SCRIPT, read(new URL('assets/docs.js', import.meta.url))),
    engine: asset('minisearch.js', SCRIPT, read(new URL(import.meta.resolve('minisearch')))),
    index: asset('search.json', 'application/json; charset=utf-8', Buffer.from(index)),
  };
}

const read = (url: URL): Buffer => readFileSync(fileURLToPath(url));
