import { describe, expect, it } from 'vitest';
import {
  writeCamt053,
  type EntryToWrite,
} from '../../../../src/modules/ledger/balances/camt053-writer.ts';
import { linesOf, readAll } from '../../../support/adapters/iso20022/statement-reading.ts';

const STATEMENT = {
  ...{ id: 'live-KWD-2026-11-21', sequence: 20_778, createdAt: '2026-11-22T00:05:00.000Z' },
  ...{ account: 'cus_01k6b7q0e8f1htx9n3r5p7v2ab', currency: 'KWD', date: '2026-11-21' },
  ...{ from: '2026-11-21T00:00:00.000Z', to: '2026-11-22T00:00:00.000Z' },
  ...{ opening: -5n, closing: 1_234n },
};
const entry = (more: Partial<EntryToWrite>): EntryToWrite => ({
  reference: 'btx_01k6b7q0e8f1htx9n3r5p7v2ab',
  amount: 1_240n,
  code: { family: 'RCDT', subFamily: 'OTHR' },
  servicerReference: null,
  endToEndId: null,
  ownerReference: null,
  information: 'Money received',
  ...more,
});
const ENTRIES = [
  entry({}),
  entry({
    ...{ amount: -1n, code: { family: 'ICDT', subFamily: 'CHRG' } },
    ownerReference: '<"&\u0001]]>' + 'x'.repeat(20),
    servicerReference: 'pay_01k6b7q0e8f1htx9n3r5p7v2ab',
  }),
  entry({ amount: -5n, endToEndId: 'CW0123456789', ownerReference: 'y'.repeat(36) }),
  entry({ amount: 5n, code: { family: 'ICDT', subFamily: 'RRTN' }, endToEndId: 'CW0123456789' }),
];

async function written(): Promise<string> {
  let xml = '';
  const entries = (async function* () {
    yield* ENTRIES;
  })();
  for await (const piece of writeCamt053(STATEMENT, entries)) xml += piece;
  return xml;
}

describe('a statement that is written', () => {
  it('is read back by the reader of bank statements as what it was', async () => {
    const parts = await readAll(await written());
    expect(parts.filter(({ kind }) => kind === 'problem')).toEqual([]);
    expect(
      linesOf(parts).map(({ amount, direction, endToEndId, isReturn }) => ({
        ...{ amount, direction, endToEndId, isReturn },
      })),
    ).toEqual([
      { amount: '1.240', direction: 'CRDT', endToEndId: null, isReturn: false },
      { amount: '0.001', direction: 'DBIT', endToEndId: null, isReturn: false },
      { amount: '0.005', direction: 'DBIT', endToEndId: 'CW0123456789', isReturn: false },
      { amount: '0.005', direction: 'CRDT', endToEndId: 'CW0123456789', isReturn: true },
    ]);
    expect(parts.flatMap((part) => (part.kind === 'balance' ? [part] : []))).toMatchObject([
      { type: 'OPBD', amount: '0.005', direction: 'DBIT', date: '2026-11-21' },
      { type: 'CLBD', amount: '1.234', direction: 'CRDT' },
    ]);
  });

  it('leaves out a text that is longer than the format takes, and what XML has no character for', async () => {
    const xml = await written();
    expect(xml).not.toContain('yyy');
    expect(xml).toContain('&lt;"&amp;\ufffd]]&gt;xxx');
  });

  it('is the fixture that is held against the ISO 20022 schema', async () => {
    await expect(await written()).toMatchFileSnapshot(
      '../../../support/adapters/iso20022/fixtures/written-v08.xml',
    );
  });
});
