import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toTemporalFailure } from '../../../activities/failures.ts';
import { SourceUnreadable } from '../../../src/domain/payments/connector.ts';
import type { ReconciliationHarness } from '../../support/reconciliation/reconciliation-harness.ts';
import { createReconciliationHarness } from '../../support/reconciliation/reconciliation-harness.ts';
import { statementXml } from '../../support/reconciliation/statement-xml.ts';

let harness: ReconciliationHarness;
beforeAll(async () => {
  harness = await createReconciliationHarness();
});
afterAll(() => harness.close());

/** Holds a reader in the middle of its statement until the test lets it go on. */
function createGate() {
  const gate = new EventEmitter();
  return {
    arrival: () => once(gate, 'arrived'),
    async pass(): Promise<void> {
      const opened = once(gate, 'open');
      gate.emit('arrived');
      await opened;
    },
    open: () => gate.emit('open'),
  };
}

describe('what a bank sent in two tries is never mixed', () => {
  const lines = (amount: string) => Array.from({ length: 1_500 }, () => ({ amount }));
  const stored = (ref: { statementId: string }) =>
    harness.rows<{ amount: string; lines: bigint }>(
      `SELECT trim_scale(amount)::text AS amount, count(*) AS lines FROM statement_lines
       WHERE statement_id = $1 GROUP BY amount`,
      [ref.statementId],
    );

  it('a try that broke off leaves nothing of itself', async () => {
    let tries = 0;
    harness.bank.publish(
      (id) =>
        async function* () {
          tries += 1;
          yield Buffer.from(statementXml({ id, entries: lines(String(tries)) }).slice(0, -20));
          if (tries === 1) throw new SourceUnreadable('RESET');
          yield Buffer.from(statementXml({ id, entries: [] }).slice(-20));
        },
    );
    const ref = await harness.newestListed();
    await expect(harness.activities.readStatement(ref)).rejects.toMatchObject({
      code: 'STATEMENT_UNREACHABLE',
    });
    expect(await stored(ref)).toEqual([{ amount: '1', lines: 1_000n }]);
    await harness.activities.readStatement(ref);
    expect(await stored(ref)).toEqual([{ amount: '2', lines: 1_500n }]);
  });

  it('a try that was given up for dead and goes on stores nothing more', async () => {
    let tries = 0;
    const gate = createGate();
    harness.bank.publish(
      (id) =>
        async function* () {
          tries += 1;
          const isFirst = tries === 1;
          const xml = Buffer.from(statementXml({ id, entries: lines(String(tries)) }));
          yield xml.subarray(0, xml.length / 2);
          if (isFirst) await gate.pass();
          yield xml.subarray(xml.length / 2);
        },
    );
    const ref = await harness.newestListed();
    const arrived = gate.arrival();
    const slow = harness.activities.readStatement(ref).catch((error: unknown) => error);
    await arrived;
    await harness.activities.readStatement(ref);
    gate.open();
    expect(await slow).toMatchObject({ code: 'STATEMENT_BUSY' });
    expect(await stored(ref)).toEqual([{ amount: '2', lines: 1_500n }]);
    expect(await harness.statement(ref)).toMatchObject({ status: 'READ', lines: 1_500 });
  });

  it('a try that finds its file broken after another has stored it takes nothing back', async () => {
    let tries = 0;
    const gate = createGate();
    harness.bank.publish(
      (id) =>
        async function* () {
          tries += 1;
          const xml = Buffer.from(statementXml({ id, entries: lines('1') }));
          yield xml.subarray(0, 1_000);
          if (tries > 1) return yield xml.subarray(1_000);
          await gate.pass();
        },
    );
    const ref = await harness.newestListed();
    const arrived = gate.arrival();
    const broken = harness.activities.readStatement(ref).catch((error: unknown) => error);
    await arrived;
    await harness.activities.readStatement(ref);
    gate.open();
    expect(await broken).toMatchObject({ code: 'STATEMENT_BUSY' });
    expect(await harness.statement(ref)).toMatchObject({ status: 'READ', lines: 1_500 });
  });

  it('a reader of a version that takes no number wins over one that comes late', async () => {
    const gate = createGate();
    harness.bank.publish(
      (id) =>
        async function* () {
          const xml = Buffer.from(statementXml({ id, entries: lines('1') }));
          yield xml.subarray(0, 1_000);
          await gate.pass();
          yield xml.subarray(1_000);
        },
    );
    const ref = await harness.newestListed();
    const arrived = gate.arrival();
    const late = harness.activities.readStatement(ref).catch((error: unknown) => error);
    await arrived;
    await harness.rows(`UPDATE statements SET status = 'READ', line_count = 0 WHERE id = $1`, [
      ref.statementId,
    ]);
    gate.open();
    expect(await late).toMatchObject({ code: 'STATEMENT_BUSY' });
    expect(await stored(ref)).toEqual([]);
    expect(await harness.statement(ref)).toMatchObject({ status: 'READ' });
  });

  it('outages of the bank do not put off the next look at a broken file', async () => {
    let tries = 0;
    harness.bank.publish(
      () =>
        async function* () {
          tries += 1;
          if (tries < 10) throw new SourceUnreadable('RESET');
          yield Buffer.from('<html>busy</html>');
        },
    );
    const ref = await harness.newestListed();
    let error: unknown;
    for (let reading = 0; reading < 10; reading += 1) {
      error = await harness.activities.readStatement(ref).catch((thrown: unknown) => thrown);
    }
    expect(toTemporalFailure(error)).toMatchObject({
      type: 'STATEMENT_UNREADABLE',
      nextRetryDelay: 5 * 60_000,
    });
  });

  it('what has been judged cannot be dropped', async () => {
    const ref = await harness.reconcile({ entries: [{ amount: '1.00' }] });
    const drop = harness.rows('DELETE FROM statement_lines WHERE statement_id = $1', [
      ref.statementId,
    ]);
    await expect(drop).rejects.toMatchObject({ code: '23001' });
  });
});
