import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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
beforeEach(() => harness.alarms.splice(0));

const kinds = () => harness.alarms.map(({ kind }) => kind);

describe('what a statement says of itself is checked', () => {
  it('opening + entries that are not the closing balance', async () => {
    const ref = await harness.reconcile({
      opening: '100.00',
      closing: '90.01',
      entries: [{ amount: '10.00' }],
    });
    expect(await harness.statement(ref)).toMatchObject({
      status: 'RECONCILED',
      problems: [
        {
          code: 'BALANCE_MISMATCH',
          currency: 'EUR',
          opening: '100',
          booked: '-10',
          closing: '90.01',
          difference: '0.01',
        },
      ],
    });
    expect(kinds()).toContain('BALANCE_MISMATCH');
  });

  it("a batch whose transactions are not the entry's sum; its lines count all the same", async () => {
    const [first, second] = [await harness.pay('COMPLETED'), await harness.pay('COMPLETED')];
    const batch = [first, second].map(({ reference }) => ({ reference, amount: '10.00' }));
    const right = await harness.reconcile({ entries: [{ amount: '20.00', batch }] });
    expect(await harness.statement(right)).toMatchObject({ problems: [], lines: 2 });
    expect(await harness.outcomes(right)).toEqual(['RECONCILED', 'RECONCILED']);

    const third = { reference: (await harness.pay('COMPLETED')).reference, amount: '10.00' };
    const fourth = { reference: (await harness.pay('COMPLETED')).reference, amount: '10.00' };
    const wrong = await harness.reconcile({
      entries: [{ amount: '25.00', batch: [third, fourth] }],
    });
    expect(await harness.statement(wrong)).toMatchObject({
      problems: [{ code: 'BATCH_MISMATCH', entry: 1, difference: '5' }],
    });
    expect(await harness.outcomes(wrong)).toEqual(['RECONCILED', 'RECONCILED']);
    expect(kinds()).toContain('BATCH_MISMATCH');
  });

  it('a broken entry is recorded and stops no other', async () => {
    const paid = await harness.pay('COMPLETED');
    const broken = { amount: '1.00', direction: 'SIDEWAYS' as 'DBIT' };
    const ref = await harness.reconcile({
      opening: '100.00',
      closing: '90.00',
      entries: [broken, { reference: paid.reference, amount: '10.00' }],
    });
    const { problems } = await harness.statement(ref);
    expect(problems).toMatchObject([{ code: 'ENTRY_UNREADABLE', line: 1, entry: 1 }]);
    expect(await harness.payment(paid.id)).toMatchObject({
      reconciliation: 'RECONCILED',
      evidence: { line: 2 },
    });
    expect(kinds()).toEqual(['ENTRIES_UNREADABLE']);
  });
});

describe('a statement that cannot be read', () => {
  it('cut off in the middle: UNREADABLE, an alarm, and not one payment changed', async () => {
    const unknown = await harness.pay('UNKNOWN');
    const entries = [{ reference: unknown.reference, amount: '10.00' }, { amount: '5.00' }];
    harness.bank.publish((id) => statementXml({ id, entries }).slice(0, -80));
    const ref = await harness.newestListed();
    await expect(harness.activities.readStatement(ref)).rejects.toMatchObject({
      code: 'STATEMENT_UNREADABLE',
    });
    await expect(harness.activities.reconcileStatement(ref)).rejects.toMatchObject({
      code: 'STATEMENT_BUSY',
    });
    expect(await harness.statement(ref)).toMatchObject({
      status: 'UNREADABLE',
      problems: [{ code: 'UNREADABLE', problem: 'TRUNCATED' }],
    });
    expect(kinds()).toEqual(['STATEMENT_UNREADABLE']);
    expect(await harness.payment(unknown.id)).toMatchObject({ status: 'PROCESSING' });
  });

  it('is fetched again, further and further apart, until the bank has mended it', async () => {
    const paid = await harness.pay('COMPLETED');
    const whole = (id: string) =>
      statementXml({ id, entries: [{ reference: paid.reference, amount: '10.00' }] });
    let isMended = false;
    harness.bank.publish(
      (id) =>
        async function* () {
          yield Buffer.from(isMended ? whole(id) : '<html>busy</html>');
        },
    );
    const ref = await harness.newestListed();
    const waits = [];
    for (let reading = 0; reading < 9; reading += 1) {
      const error: unknown = await harness.activities.readStatement(ref).catch((e: unknown) => e);
      waits.push(Number(toTemporalFailure(error).nextRetryDelay) / 60_000);
    }
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 360, 360]);
    isMended = true;
    await harness.activities.readStatement(ref);
    await harness.activities.reconcileStatement(ref);
    expect(await harness.statement(ref)).toMatchObject({ status: 'RECONCILED', problems: [] });
    expect(await harness.outcomes(ref)).toEqual(['RECONCILED']);
  });

  it('is taken up again where Temporal has forgotten it, after those that can be read', async () => {
    harness.bank.publish(() => 'no statement');
    const broken = await harness.newestListed();
    await harness.activities.readStatement(broken).catch(() => undefined);
    const sound = await harness.list({ entries: [] });
    const ids = (await harness.activities.listStatements('test')).map((ref) => ref.statementId);
    expect(ids.indexOf(broken.statementId)).toBeGreaterThan(ids.indexOf(sound.statementId));
  });

  it('a network that breaks in the middle is tried again, and no line is stored twice', async () => {
    const paid = await Promise.all([harness.pay('COMPLETED'), harness.pay('COMPLETED')]);
    const entries = paid.map(({ reference }) => ({ reference, amount: '10.00' }));
    let tries = 0;
    harness.bank.publish(
      (id) =>
        async function* () {
          const xml = Buffer.from(statementXml({ id, entries }));
          yield xml.subarray(0, xml.length - 100);
          tries += 1;
          if (tries === 1) throw new SourceUnreadable('RESET');
          yield xml.subarray(xml.length - 100);
        },
    );
    const ref = await harness.newestListed();
    await expect(harness.activities.readStatement(ref)).rejects.toMatchObject({
      code: 'STATEMENT_UNREACHABLE',
    });
    expect(await harness.statement(ref)).toMatchObject({ status: 'LISTED' });
    await harness.activities.readStatement(ref);
    await harness.activities.reconcileStatement(ref);
    expect(await harness.outcomes(ref)).toEqual(['RECONCILED', 'RECONCILED']);
    expect(kinds()).toEqual([]);
  });
});

describe('a statement that is nowhere', () => {
  it('is told apart from a bank that is away', async () => {
    const ref = { environment: 'test', connector: 'http-bank', statementId: '999999' } as const;
    await expect(harness.activities.readStatement(ref)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    const foreign = { ...(await harness.list({ entries: [] })), environment: 'live' } as const;
    await expect(harness.activities.reconcileStatement(foreign)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});
