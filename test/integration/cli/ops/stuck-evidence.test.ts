import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReconcilerActivities } from '../../../../activities/operations/reconciler.ts';
import { storeBankCallback } from '../../../../src/db/payments/transfer-report-store.ts';
import { seedPayingCustomer, type PayingCustomer } from '../../../support/seed-payments.ts';
import { createOpsHarness, NOW, type OpsHarness } from '../../../support/cli/ops/ops-harness.ts';

const LONG_AGO = new Date(NOW.getTime() - 3_600_000);

let harness: OpsHarness;
let customer: PayingCustomer;
beforeAll(async () => {
  harness = await createOpsHarness();
  customer = await seedPayingCustomer(harness.database.db, 'live');
});
afterAll(() => harness.close());

const system = <Row extends object>(sql: string, values: readonly unknown[] = []) =>
  harness.database.db.system((tx) => tx.query<Row>(sql, [...values]));
const stuck = async (limit = 50) =>
  (await harness.run('payments', 'stuck', '--limit', String(limit))).printed;

const SECTION = {
  UNAPPLIED: 'Reports that changed nothing about a payment',
  UNKNOWN: 'Callbacks for references that are not ours',
  STATEMENTS: 'Statements that no payment explains',
};

/** The lines below a section's title, without its head; empty where it is not shown. */
function linesOf(text: string, title: string): string[] {
  const section = text.split('\n\n').find((part) => part.startsWith(title));
  return section === undefined ? [] : section.split('\n').slice(2);
}

let reports = 0;
const callback = (reference: string, status: 'SETTLED' | 'REJECTED', at = LONG_AGO) => {
  reports += 1;
  const report = { reportId: `report-${String(reports)}`, reference, status };
  const details = { bankReference: null, reason: null, amount: null, at };
  return storeBankCallback(harness.database.db, 'live', { ...report, ...details }, at);
};

describe('evidence that no payment shows', () => {
  it('a report about a paid payment is listed where it contradicts, and where none judged it for a minute', async () => {
    const paid = await customer.pay({ fate: 'COMPLETED', at: LONG_AGO });
    const moving = await customer.pay({ fate: 'UNKNOWN', at: LONG_AGO });
    const contradicting = await callback(paid.reference, 'REJECTED');
    const harmless = await callback(paid.reference, 'SETTLED');
    const mark = 'UPDATE transfer_reports SET processed_at = $2, effect = $3 WHERE id = $1';
    await system(mark, [contradicting.id, NOW, 'CONTRADICTION']);
    await system(mark, [harmless.id, NOW, 'NOTHING']);
    expect(linesOf(await stuck(), SECTION.UNAPPLIED)).toEqual([
      expect.stringMatching(new RegExp(`${paid.id} +COMPLETED +REJECTED +CALLBACK +CONTRADICTION`)),
      expect.stringContaining('Next: ask the bank which'),
    ]);
    await callback(paid.reference, 'REJECTED');
    await callback(paid.reference, 'REJECTED', NOW);
    // Its own workflow judges it.
    await callback(moving.reference, 'SETTLED');
    expect(linesOf(await stuck(), SECTION.UNAPPLIED)).toEqual([
      expect.stringContaining('not judged yet'),
      expect.stringContaining('CONTRADICTION'),
      expect.stringContaining('Next:'),
    ]);
  });

  it('a return that awaits its statement is listed until the payment is returned', async () => {
    const paid = await customer.pay({ fate: 'COMPLETED', at: LONG_AGO });
    const returned = await customer.pay({ fate: 'RETURNED', at: LONG_AGO });
    for (const { reference } of [paid, returned]) {
      const { id } = await callback(reference, 'REJECTED');
      const mark = 'UPDATE transfer_reports SET processed_at = $2, effect = $3 WHERE id = $1';
      await system(mark, [id, NOW, 'AWAIT_STATEMENT']);
    }
    const text = linesOf(await stuck(), SECTION.UNAPPLIED).join('\n');
    expect(text).toMatch(new RegExp(`${paid.id} .*AWAIT_STATEMENT`));
    expect(text).not.toContain(returned.id);
  });

  it('a callback for a reference that is not ours is listed, and cannot steer the terminal', async () => {
    await callback('CWUNKNOWN01', 'SETTLED');
    const hostile = await callback('\u001b[2J\u202eCW02', 'SETTLED');
    const lines = linesOf(await stuck(), SECTION.UNKNOWN);
    expect(lines).toEqual([
      expect.stringMatching(new RegExp(`^${String(hostile.id)} +live +\\?\\[2J\\?CW02 +SETTLED`)),
      expect.stringContaining('CWUNKNOWN01'),
      expect.stringContaining('Next: ask the bank whose'),
    ]);
    const cut = await stuck(1);
    expect(linesOf(cut, SECTION.UNKNOWN)).toHaveLength(2);
    expect(cut).toContain(`${SECTION.UNKNOWN} (1, there are more: raise --limit)`);
  });

  it('a line of a statement that belongs to no payment is listed', async () => {
    await system(
      `WITH statement AS (
         INSERT INTO statements (environment, connector, bank_statement_id, sequence, account, status,
           listed_at)
         VALUES ('live', 'http-bank', 'STMT-7', 7, 'ours', 'RECONCILED', $1) RETURNING id)
       INSERT INTO statement_lines (statement_id, line, entry, reference, amount, currency, direction,
         is_reversal, booked, environment, outcome, exception, judged_at, processed_at)
       SELECT id, 3, 3, 'CWNONE01', 12.34, 'EUR', 'DBIT', false, true, 'live', 'EXCEPTION',
         'UNEXPECTED_AT_BANK', $1, $1 FROM statement`,
      [NOW],
    );
    expect(linesOf(await stuck(), SECTION.STATEMENTS)).toEqual([
      expect.stringMatching(/live +STMT-7 +3 +UNEXPECTED_AT_BANK +12\.34 EUR/),
      expect.stringContaining('Next:'),
    ]);
  });
});

describe('the alarm of a callback for a reference that is not ours', () => {
  const nothing = () => Promise.resolve();
  const reconcile = (raise: (reportId: string) => void) =>
    createReconcilerActivities({
      db: harness.database.db,
      clock: { now: () => NOW },
      chains: [],
      lostAfterMs: 10_000,
      workflows: {
        ...{ startPayment: nothing, restartPayment: nothing, wakePayment: nothing },
        ...{
          startPaymentBatch: nothing,
          startKycCheck: nothing,
          restartKycCheck: nothing,
          wakeKycCheck: nothing,
        },
        wakeEndpoint: nothing,
        startScreening: nothing,
        startMail: nothing,
        wakeOnboarding: nothing,
        startChain: nothing,
        wakeChain: nothing,
        startDeposits: nothing,
        wakeDeposits: nothing,
      },
      payOnDeposit: async () => undefined,
      notifyOperators: () => Promise.resolve(),
      tellPaymentApprovers: () => Promise.resolve(),
      tellOfOverdue: () => Promise.resolve(),
      sealAuditLog: () => Promise.resolve(),
      raiseUnknownReference: ({ reportId }) => {
        raise(reportId);
      },
    }).repeatWakes();

  it('is raised by the reconciler once, and again only where raising it failed', async () => {
    await reconcile(() => undefined);
    const { id } = await callback('CWUNKNOWN03', 'SETTLED', NOW);
    await expect(
      reconcile(() => {
        throw new Error('the log is full');
      }),
    ).rejects.toThrow('the log is full');
    const raised: string[] = [];
    for (let run = 0; run < 2; run += 1) await reconcile((reportId) => raised.push(reportId));
    expect(raised).toEqual([String(id)]);
    const marked = await system('SELECT alarmed_at FROM transfer_reports WHERE id = $1', [id]);
    expect(marked).toEqual([{ alarmed_at: NOW }]);
  });

  it('is raised once by two reconcilers at the same time', async () => {
    const { id } = await callback('CWUNKNOWN04', 'SETTLED', NOW);
    const raised: string[] = [];
    const raise = (reportId: string) => void raised.push(reportId);
    await Promise.all([reconcile(raise), reconcile(raise)]);
    expect(raised).toEqual([String(id)]);
  });
});
