import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { revokeApproval } from '../../support/approve-end-user.ts';
import { finalise, reconcileByHand } from '../../support/finalise.ts';
import { until } from '../../support/until.ts';
import { startEngine, type Engine } from '../../support/workflow/engine-harness.ts';
import type { Beneficiary, PaidOrder } from '../../support/workflow/test-partner.ts';

const DAY_MS = 24 * 3_600_000;
const clock = { now: () => new Date() };

let engine: Engine;
let to: Beneficiary;
beforeAll(async () => {
  engine = await startEngine();
  await engine.startWorkers();
  to = await engine.addApprovedBeneficiary();
});
afterAll(() => engine.close());

const advance = (span: string) => engine.call('POST', '/sandbox/clock', { advance: span });
const arm = (fault: string) => engine.call('POST', '/sandbox/faults', { fault });
const dayIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
const isTold = async () => {
  const [row] = await engine.sql(
    'SELECT told_version = version AS "isTold" FROM sandbox_clocks WHERE customer_id = $1',
    [engine.scope.customerId],
  );
  return row?.['isTold'] === true ? true : null;
};

/** How often the bank's own journal says that money of the payment went out, under whichever reference. */
async function paidOut({ id }: PaidOrder): Promise<number> {
  const rows = await engine.sql('SELECT reference FROM settlement_attempts WHERE payment_id = $1', [
    id,
  ]);
  return rows.reduce(
    (sum, { reference }) => sum + engine.bank.countMoney(String(reference)).executed.count,
    0,
  );
}

/** A payment to an end-user whose approval was taken back before it could leave. */
async function payHeld(): Promise<PaidOrder> {
  const held = await engine.addApprovedBeneficiary();
  const { endUserId } = held;
  const paid = await engine.pay(held, '10.00', { scheduledFor: dayIn(3) });
  const [check] = await engine.sql('SELECT id FROM kyc_checks WHERE end_user_id = $1', [endUserId]);
  const ref = { endUserId, kycCheckId: String(check?.['id']) };
  await revokeApproval(engine.resources.db, engine.scope, ref, clock.now());
  return paid;
}

describe('ten days of the sandbox with a payment in each state', () => {
  it('end each as documented, and none is paid twice', async () => {
    const completed = await engine.pay(to, '10.00');
    await engine.untilPayment(completed.id, 'COMPLETED');
    await reconcileByHand(engine.resources.db, clock, engine.scope, completed.id);
    // As on a rail whose returns come for eight days.
    await engine.sql(
      `UPDATE payments SET final_due_at = now() + interval '8 days', version = version + 1 WHERE id = $1`,
      [completed.id],
    );
    const rejected = await engine.pay(to, '10.01');
    const returned = await engine.pay(to, '10.02');
    await engine.untilPayment(rejected.id, 'FAILED');
    await engine.untilPayment(returned.id, 'RETURNED');
    await arm('UNDECIDED');
    const sent = await engine.pay(to, '10.00');
    await engine.untilPayment(sent.id, 'SENT');
    const refused = await engine.pay(to, '10.06');
    await engine.untilPayment(refused.id, 'ON_HOLD/SETTLEMENT_FAILED');
    const unknown = await engine.pay(to, '10.05');
    await engine.untilPayment(unknown.id, 'PROCESSING/OUTCOME_UNKNOWN');
    const canceled = await engine.pay(to, '10.00', { scheduledFor: dayIn(4) });
    await engine.call('POST', `/payments/${canceled.id}/cancel`);
    const scheduled = await engine.pay(to, '10.00', { scheduledFor: dayIn(4) });
    const later = await engine.pay(to, '10.00', { scheduledFor: dayIn(60) });
    const held = await payHeld();
    const all = [completed, rejected, returned, sent, refused, canceled, scheduled, later];

    for (let day = 0; day < 10; day += 1) await advance('P1D');
    await until('every workflow is told', isTold);
    await engine.untilPayment(scheduled.id, 'COMPLETED');
    await engine.untilPayment(held.id, 'ON_HOLD/KYC_WITHDRAWN');
    await finalise(engine.resources.db, clock);
    expect(await engine.payment(completed.id)).toMatchObject({
      finality: { state: 'FINAL' },
    });
    expect(await engine.payment(rejected.id)).toMatchObject({ status: 'FAILED' });
    expect(await engine.payment(returned.id)).toMatchObject({ status: 'RETURNED' });
    expect(await engine.payment(sent.id)).toMatchObject({ status: 'SENT' });
    expect(await engine.payment(canceled.id)).toMatchObject({ status: 'CANCELED' });
    expect(await engine.payment(refused.id)).toMatchObject({ statusDetail: 'SETTLEMENT_FAILED' });
    expect(await engine.payment(later.id)).toMatchObject({ statusDetail: 'SCHEDULED' });
    const stillAsked = await engine.payment(unknown.id);
    expect(['OUTCOME_UNKNOWN', 'STALLED']).toContain(stillAsked.statusDetail);

    // The hold ends after its 30 days.
    await advance('P30D');
    await engine.untilPayment(held.id, 'FAILED/KYC_WITHDRAWN');
    expect(await paidOut(held)).toBe(0);
    expect(await paidOut(unknown)).toBeLessThanOrEqual(1);
    const times: number[] = [];
    for (const paid of all) times.push(await paidOut(paid));
    expect(times).toEqual([1, 0, 1, 0, 0, 0, 1, 0]);
  });

  it('are made up for by the reconciler where the word of a move was lost', async () => {
    const scheduled = await engine.pay(to, '10.00', { scheduledFor: dayIn(4) });
    await engine.untilPayment(scheduled.id, 'PROCESSING/SCHEDULED');
    engine.heard.isDeaf = true;
    await advance('P10D');
    engine.heard.isDeaf = false;
    expect(await isTold()).toBeNull();
    await until('the reconciler tells', async () => {
      await engine.run('sweep');
      return isTold();
    });
    await engine.untilPayment(scheduled.id, 'COMPLETED');
    expect(await paidOut(scheduled)).toBe(1);
  });
});
