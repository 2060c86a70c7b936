import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../support/docs/markdown.ts';

const KIND = /readonly kind: '([A-Z_]+)'/g;

/** The kinds of a union of alarms, as its file writes them. */
function kindsOf(file: string, union: string): string[] {
  const source = readFileSync(join(ROOT, file), 'utf8');
  const [, declared = ''] = source.split(
    new RegExp(`export (?:type ${union} =|interface ${union} )`),
  );
  const [text = ''] = declared.split('\n\n');
  return [...text.matchAll(KIND)].map(([, kind = '']) => kind);
}

it.each([
  ['src/modules/onchain/chain-deps.ts', 'ChainAlarm', 20],
  ['src/modules/onchain/deposits/reader-deps.ts', 'ReaderAlarm', 7],
  ['src/server/runtime/tell-lag.ts', 'LagAlarm', 1],
])(
  'each kind of alarm in %s says in docs/how-to/operate-networks.md what to do',
  (file, union, count) => {
    const kinds = kindsOf(file, union);
    expect(kinds).toHaveLength(count);
    const page = readFileSync(join(ROOT, 'docs/how-to/operate-networks.md'), 'utf8');
    const rows = new Set([...page.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, kind]) => kind));
    expect(kinds.filter((kind) => !rows.has(kind))).toEqual([]);
  },
);
