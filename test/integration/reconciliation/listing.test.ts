import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SourceUnreadable } from '../../../src/domain/payments/connector.ts';
import type { ReconciliationHarness } from '../../support/reconciliation/reconciliation-harness.ts';
import { createReconciliationHarness } from '../../support/reconciliation/reconciliation-harness.ts';
import { statementXml } from '../../support/reconciliation/statement-xml.ts';

let harness: ReconciliationHarness;
beforeEach(async () => {
  harness = await createReconciliationHarness();
});
afterEach(() => harness.close());

const publish = (overrides: { sequence?: bigint; id?: string } = {}) =>
  harness.bank.publish((id) => statementXml({ id, entries: [] }), overrides);
const list = () => harness.activities.listStatements('test');
const stored = () =>
  harness.rows<{ sequence: bigint; problems: { code: string }[] }>(
    'SELECT sequence, problems FROM statements ORDER BY sequence',
  );

/** The ids of all statements, oldest first; the bank is listed until it has no more. */
async function allStored(): Promise<string[]> {
  const read = () =>
    harness.rows<{ id: string }>('SELECT id::text FROM statements ORDER BY sequence');
  for (let before = -1; ;) {
    await list();
    const rows = await read();
    if (rows.length === before) return rows.map(({ id }) => id);
    before = rows.length;
  }
}

describe('listing statements', () => {
  it('stores each once and hands on those with work left', async () => {
    publish();
    publish();
    const refs = await list();
    expect(refs).toHaveLength(2);
    const [first] = refs;
    if (first === undefined) throw new Error('nothing is listed');
    await harness.activities.readStatement(first);
    await harness.activities.reconcileStatement(first);
    expect(await list()).toEqual(refs.slice(1));
    expect(await stored()).toHaveLength(2);
    expect(harness.alarms).toEqual([]);
  });

  it('statements that cannot be fetched keep no later one from being handed on', async () => {
    for (let sequence = 1n; sequence <= 120n; sequence += 1n) publish({ sequence });
    const all = await allStored();
    expect(all).toHaveLength(120);
    const handedOn = new Set<string>();
    for (let look = 0; look < 100 && handedOn.size < all.length; look += 1) {
      const refs = await list();
      expect(refs).toHaveLength(100);
      // The oldest ones each time: theirs is the next step.
      expect(refs.slice(0, 50).map(({ statementId }) => statementId)).toEqual(all.slice(0, 50));
      for (const { statementId } of refs) handedOn.add(statementId);
    }
    expect(handedOn.size).toBe(120);
  });

  it('a gap in the sequence is remembered and raises one alarm; filling it raises none', async () => {
    publish({ sequence: 7n });
    await list();
    publish({ sequence: 10n });
    await list();
    await list();
    expect(await stored()).toEqual([
      { sequence: 7n, problems: [] },
      { sequence: 10n, problems: [{ code: 'SEQUENCE_GAP', after: '7', before: '10' }] },
    ]);
    publish({ sequence: 8n });
    await list();
    expect((await stored()).map(({ sequence }) => sequence)).toEqual([7n, 8n, 10n]);
    expect(harness.alarms).toMatchObject([{ kind: 'SEQUENCE_GAP', after: '7', before: '10' }]);
  });

  it('a gap stays on record when its statement is read', async () => {
    publish({ sequence: 1n });
    publish({ sequence: 3n });
    for (const ref of await list()) await harness.activities.readStatement(ref);
    expect((await stored())[1]?.problems).toMatchObject([{ code: 'SEQUENCE_GAP' }]);
  });

  it('a second statement under the same sequence raises an alarm and replaces nothing', async () => {
    publish({ sequence: 1n, id: 'STMT-A' });
    await list();
    publish({ sequence: 1n, id: 'STMT-B' });
    await list();
    expect(await stored()).toHaveLength(1);
    expect(harness.alarms).toMatchObject([
      { kind: 'STATEMENT_CONFLICT', bankStatementId: 'STMT-B', sequence: '1' },
    ]);
  });

  it('two listings at once store each once and raise one alarm', async () => {
    publish({ sequence: 1n });
    await list();
    publish({ sequence: 3n });
    await Promise.all([list(), list(), list()]);
    expect(await stored()).toHaveLength(2);
    expect(harness.alarms).toHaveLength(1);
  });

  it('a bank that lists one statement at a time is followed to what is new', async () => {
    for (let sequence = 1n; sequence <= 30n; sequence += 1n) publish({ sequence });
    await list();
    const listAll = harness.bank.source.listStatements;
    harness.bank.source.listStatements = async (after) => (await listAll(after)).slice(0, 1);
    publish({ sequence: 31n });
    await list();
    expect(await stored()).toHaveLength(31);
    expect(harness.alarms).toEqual([]);
  });

  it('an environment without a bank has no statements; a bank that is away is tried again', async () => {
    expect(await harness.activities.listStatements('live')).toEqual([]);
    harness.bank.source.listStatements = () => Promise.reject(new SourceUnreadable('TIMEOUT'));
    await expect(list()).rejects.toMatchObject({ code: 'STATEMENT_UNREACHABLE' });
  });
});
