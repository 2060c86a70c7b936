import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ApprovalRefused } from '../../../src/modules/approvals/approval-refused.ts';
import type { ConfirmedOutcome } from '../../../src/domain/payments/confirm-outcome.ts';
import { proposeConfirmation } from '../../../src/modules/payments/confirm-outcome.ts';
import { createTwoOperators, type TwoOperators } from '../../support/two-operators.ts';
import { NEVER_SEEN, says } from '../../support/payments/scripted-bank.ts';
import {
  startScriptedHarness,
  TIMING,
  type ScriptedHarness,
} from '../../support/payments/settlement-harness.ts';

let harness: ScriptedHarness;
let operators: TwoOperators;
const wakes: string[] = [];
beforeAll(async () => {
  harness = await startScriptedHarness();
  operators = createTwoOperators(harness.database.people, harness.clock, {
    wakePayment: async (workflowId) => void wakes.push(workflowId),
  });
});
beforeEach(() => {
  harness.bank.calls.length = 0;
  harness.bank.onPut = () => 'RESET';
  harness.bank.onGet = () => ({ status: 500 });
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

/** The bank said nothing to the send, nor to any question: it waits for operators. */
async function stalled() {
  const id = await harness.accept();
  await harness.settle(id);
  harness.clock.advance(TIMING.stalledAfterMs);
  const { payment, attempts } = await harness.drive(id);
  expect(payment).toMatchObject({ status: 'ON_HOLD', statusDetail: 'STALLED' });
  return { id, reference: attempts.at(-1)?.reference ?? '' };
}

async function propose(
  { id, reference }: { readonly id: string; readonly reference: string },
  outcome: ConfirmedOutcome,
  operator = 'ada',
): Promise<string> {
  const bankReference = outcome === 'SETTLED' ? 'BANK-77' : null;
  const said = { outcome, reference, bankReference, evidence: 'CASE-4711' };
  const act = { operator: await operators.operator(operator, 'OPERATIONS'), reason: 'bank phoned' };
  const { scope } = harness.payer;
  const proposal = await proposeConfirmation(operators.deps, scope, id, said, act);
  if (proposal === null) throw new Error('a proposal is already open');
  return proposal;
}

const refusal = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => {
      if (!(error instanceof ApprovalRefused)) throw error;
      return error.message;
    },
  );

async function standing(id: string) {
  const { payment, attempts } = await harness.tell(id);
  const { status, statusDetail, fundsStatus, reconciliationStatus: reconciliation } = payment;
  return { status, statusDetail, fundsStatus, reconciliation, phase: attempts.at(-1)?.phase };
}

const movements = async (id: string) => {
  const rows = await harness.rows<{ kind: string }>(
    'SELECT kind FROM ledger_transactions WHERE payment_id = $1 ORDER BY seq',
    [id],
  );
  return rows.map(({ kind }) => kind);
};

const sends = ({ reference }: { readonly reference: string }) =>
  harness.bank.puts().filter((call) => call.reference === reference).length;

describe('two operators say that the bank paid', () => {
  it('and it settles as by a report of the bank: once, without another send', async () => {
    const held = await stalled();
    const before = await harness.balance();
    const proposal = await propose(held, 'SETTLED');
    expect(await standing(held.id)).toMatchObject({ status: 'ON_HOLD' });
    expect(await operators.approve(proposal, 'ada')).toMatchObject({ code: 1 });
    expect(await operators.approve(proposal)).toMatchObject({ code: 0 });
    expect(await standing(held.id)).toEqual({
      ...{ status: 'COMPLETED', statusDetail: 'DELIVERED', fundsStatus: 'DELIVERED' },
      ...{ reconciliation: 'PENDING', phase: 'SETTLED' },
    });
    const { payment, attempts } = await harness.tell(held.id);
    expect(payment.refs).toContainEqual({ type: 'BANK_REFERENCE', value: 'BANK-77' });
    expect(attempts.at(-1)).toMatchObject({ confirmedBy: proposal, lastAnswer: 'HTTP_500' });
    expect(await movements(held.id)).toEqual(['HOLD', 'SETTLE']);
    const after = await harness.balance();
    expect(BigInt(before.reserved) - BigInt(after.reserved)).toBe(1_000n);
    expect(after.available).toBe(before.available);
    const events = await harness.rows(
      "SELECT type FROM events WHERE resource_id = $1 AND type = 'payment.completed'",
      [held.id],
    );
    expect(events).toHaveLength(1);
    const ben = await operators.operator('ben', 'OPERATIONS');
    const audit = await harness.rows(
      "SELECT actor FROM audit_log WHERE action = 'payment.confirm_settled' AND subject = $1",
      [held.id],
    );
    expect(audit).toEqual([{ actor: `operator:${ben}` }]);
    expect(wakes.at(-1)).toContain('payment/');
    expect(await harness.settle(held.id)).toEqual({ kind: 'DONE', status: 'COMPLETED' });
    expect(await operators.approve(proposal)).toMatchObject({ code: 1 });
    expect(await movements(held.id)).toEqual(['HOLD', 'SETTLE']);
    expect(sends(held)).toBe(1);
  });

  it('and a bank that then says REJECTED makes an exception: nothing moves back', async () => {
    const held = await stalled();
    await operators.approve(await propose(held, 'SETTLED'));
    expect(
      await harness.callback({
        reference: held.reference,
        status: 'REJECTED',
        reason: 'AC04',
        bankReference: 'B1',
      }),
    ).toBe(202);
    await harness.applyTransferReports(held.id);
    expect(await standing(held.id)).toMatchObject({
      ...{ status: 'COMPLETED', reconciliation: 'EXCEPTION', phase: 'SETTLED' },
    });
    expect(await movements(held.id)).toEqual(['HOLD', 'SETTLE']);
  });
});

describe('two operators say that the bank did not pay', () => {
  it('and it fails, its funds go back, and nothing is sent again', async () => {
    const before = await harness.balance();
    const held = await stalled();
    const proposal = await propose(held, 'FAILED');
    expect(await operators.approve(proposal)).toMatchObject({ code: 0 });
    expect(await standing(held.id)).toEqual({
      ...{ status: 'FAILED', statusDetail: 'REJECTED_BY_BANK', fundsStatus: 'BACK_IN_BALANCE' },
      ...{ reconciliation: 'PENDING', phase: 'REJECTED' },
    });
    expect(await harness.balance()).toEqual(before);
    expect(await movements(held.id)).toEqual(['HOLD', 'RELEASE']);
    harness.clock.advance(3_600_000);
    expect(await harness.settle(held.id)).toEqual({ kind: 'DONE', status: 'FAILED' });
    expect(sends(held)).toBe(1);
  });

  it.each(['SETTLED', 'ACCEPTED', 'RETURNED'])(
    'and a bank that then says %s makes an exception, never silence',
    async (status) => {
      const held = await stalled();
      await operators.approve(await propose(held, 'FAILED'));
      const balance = await harness.balance();
      await harness.callback({ reference: held.reference, status, bankReference: 'B2' });
      await harness.applyTransferReports(held.id);
      expect(await standing(held.id)).toMatchObject({
        status: 'FAILED',
        reconciliation: 'EXCEPTION',
      });
      expect(await harness.balance()).toEqual(balance);
      expect(await movements(held.id)).toEqual(['HOLD', 'RELEASE']);
    },
  );

  it('after four rejections for now: it waits for the bank no more', async () => {
    harness.bank.onPut = says('REJECTED', 'BANK_UNAVAILABLE');
    harness.bank.onGet = says('REJECTED', 'BANK_UNAVAILABLE');
    const id = await harness.accept();
    const { payment, attempts } = await harness.drive(id);
    expect(payment).toMatchObject({ status: 'ON_HOLD', statusDetail: 'SETTLEMENT_FAILED' });
    const held = { id, reference: attempts.at(-1)?.reference ?? '' };
    expect(await refusal(propose(held, 'SETTLED'))).toContain('says the opposite');
    const first = { id, reference: attempts[0]?.reference ?? '' };
    expect(await refusal(propose(first, 'FAILED'))).toContain('last attempt');
    expect(await operators.approve(await propose(held, 'FAILED'))).toMatchObject({ code: 0 });
    expect(await standing(id)).toMatchObject({ status: 'FAILED', phase: 'REJECTED' });
    expect(await movements(id)).toEqual(['HOLD', 'RELEASE']);
  });
});

describe('the bank and the operators at once', () => {
  it('its SETTLED first: the approval is void, and the payment is paid', async () => {
    const held = await stalled();
    const proposal = await propose(held, 'FAILED');
    // Stored, and read by no one yet.
    await harness.callback({ reference: held.reference, status: 'SETTLED', bankReference: 'B3' });
    expect(await operators.approve(proposal)).toMatchObject({ code: 1 });
    await harness.applyTransferReports(held.id);
    expect(await standing(held.id)).toMatchObject({
      status: 'COMPLETED',
      reconciliation: 'PENDING',
    });
    expect(await movements(held.id)).toEqual(['HOLD', 'SETTLE']);
  });

  it('both in the same moment, either way: one of the two, and the other is told', async () => {
    for (let round = 0; round < 6; round += 1) {
      const held = await stalled();
      const proposal = await propose(held, 'FAILED');
      await operators.approveOnly(proposal);
      const said = { reference: held.reference, status: 'SETTLED', bankReference: 'B4' };
      const bank = () => harness.callback(said).then(() => harness.applyTransferReports(held.id));
      const people = () => operators.approve(proposal);
      const [first, second] = round % 2 === 0 ? [bank, people] : [people, bank];
      await Promise.all([first(), second()]);
      const { status, reconciliation } = await standing(held.id);
      expect([`COMPLETED/PENDING`, `FAILED/EXCEPTION`]).toContain(`${status}/${reconciliation}`);
      const moved = status === 'COMPLETED' ? 'SETTLE' : 'RELEASE';
      expect(await movements(held.id)).toEqual(['HOLD', moved]);
    }
  });

  it('an answer to a question that was under way is judged against it', async () => {
    const held = await stalled();
    const proposal = await propose(held, 'FAILED');
    harness.clock.advance(10_000);
    harness.bank.onGet = async (call) => {
      expect(await operators.approve(proposal)).toMatchObject({ code: 0 });
      return says('SETTLED')(call);
    };
    await harness.settle(held.id);
    expect(await standing(held.id)).toMatchObject({
      status: 'FAILED',
      reconciliation: 'EXCEPTION',
    });
    expect(await movements(held.id)).toEqual(['HOLD', 'RELEASE']);
  });

  it('a retry in between makes the approval void', async () => {
    const held = await stalled();
    const proposal = await propose(held, 'FAILED');
    const resolution = { action: 'RETRY' } as const;
    const ref = { ...harness.payer.scope, paymentId: held.id };
    expect(await harness.activities.resolvePayment({ ...ref, resolution })).toBe(true);
    expect(await operators.approve(proposal)).toMatchObject({ code: 1 });
    expect(await movements(held.id)).toEqual(['HOLD']);
  });

  it('a bank that says "never seen" since voids that it was paid', async () => {
    const held = await stalled();
    const proposal = await propose(held, 'SETTLED');
    harness.bank.onGet = () => NEVER_SEEN;
    harness.clock.advance(10_000);
    await harness.settle(held.id);
    const { error } = await operators.approve(proposal);
    expect(error).toContain('says the opposite');
    expect(await standing(held.id)).toMatchObject({ status: 'ON_HOLD' });
  });
});

describe('operators cannot say what became of', () => {
  it('a payment whose bytes may be on their way', async () => {
    const id = await harness.accept();
    let reference = '';
    let why = '';
    harness.bank.onPut = async (call) => {
      ({ reference } = call);
      why = await refusal(propose({ id, reference }, 'FAILED'));
      return 'RESET' as const;
    };
    await harness.settle(id);
    expect(why).toContain('Operators cannot decide the outcome');
    expect(await refusal(propose({ id, reference }, 'FAILED'))).toContain(
      'Operators cannot decide the outcome',
    );
    // Held by a fault of ours while the bytes are out.
    await harness.activities.holdForFault({
      ...harness.payer.scope,
      paymentId: id,
      failureCode: '',
    });
    expect(await refusal(propose({ id, reference }, 'FAILED'))).toContain('on its way');
  });

  it('one that never left, nor one that has ended, nor of a foreign reference', async () => {
    const ready = await harness.accept();
    await harness.activities.holdForFault({
      ...harness.payer.scope,
      paymentId: ready,
      failureCode: '',
    });
    const [attempt] = (await harness.tell(ready)).attempts;
    const unsent = { id: ready, reference: attempt?.reference ?? '' };
    expect(await refusal(propose(unsent, 'FAILED'))).toContain('The payment was never sent');
    const held = await stalled();
    expect(await refusal(propose({ ...held, reference: unsent.reference }, 'SETTLED'))).toContain(
      'Operators cannot decide the outcome',
    );
    await operators.approve(await propose(held, 'SETTLED'));
    expect(await refusal(propose(held, 'FAILED'))).toContain('Operators cannot decide the outcome');
  });

  it('one of which the bank says both: its funds stay reserved', async () => {
    const unavailable = says('REJECTED', 'BANK_UNAVAILABLE');
    harness.bank.onPut = (call) => (harness.bank.puts().length === 1 ? unavailable(call) : 'RESET');
    harness.bank.onGet = unavailable;
    const id = await harness.accept();
    const told = await harness.drive(id, ({ attempts }) => attempts.at(1)?.phase === 'UNKNOWN');
    const [first] = told.attempts;
    await harness.callback({
      ...{ reference: first?.reference ?? '', status: 'SETTLED', bankReference: 'B5' },
    });
    await harness.applyTransferReports(id);
    harness.bank.onGet = says('REJECTED', 'AC04');
    const { attempts } = await harness.drive(id);
    expect(await standing(id)).toMatchObject({ status: 'ON_HOLD', reconciliation: 'EXCEPTION' });
    const last = { id, reference: attempts.at(-1)?.reference ?? '' };
    expect(await refusal(propose(last, 'FAILED'))).toContain('pay twice');
    // Which of the two is true only people can find out: of the attempt that the bank said it paid.
    const paid = { id, reference: first?.reference ?? '' };
    expect(await operators.approve(await propose(paid, 'SETTLED'))).toMatchObject({ code: 0 });
    expect(await standing(id)).toMatchObject({ status: 'COMPLETED', reconciliation: 'EXCEPTION' });
    expect(await movements(id)).toEqual(['HOLD', 'SETTLE']);
  });
});

describe('the database', () => {
  it('closes an attempt by people only with two operators, or a report of the bank', async () => {
    const held = await stalled();
    const { scope } = harness.payer;
    const close = (set: string) =>
      harness.database.people.write(scope, (tx) =>
        tx.query(`UPDATE settlement_attempts SET ${set} WHERE reference = $1`, [held.reference]),
      );
    const refused = { code: '23514', constraint: 'outcome_takes_two_operators' };
    await expect(close("phase = 'REJECTED'")).rejects.toMatchObject(refused);
    await expect(close("phase = 'SETTLED'")).rejects.toMatchObject(refused);
    const proposal = await propose(held, 'FAILED');
    await expect(close(`phase = 'REJECTED', confirmed_by = '${proposal}'`)).rejects.toMatchObject(
      refused,
    );
    await operators.approveOnly(proposal);
    await expect(close(`phase = 'REJECTED', confirmed_by = '${proposal}'`)).rejects.toMatchObject(
      refused,
    );
    // In use, but for the other outcome.
    const used = harness.database.people.write(scope, async (tx) => {
      await tx.query(
        'INSERT INTO approval_uses (approval_id, customer_id, environment, used_at) VALUES ($1, $2, $3, $4)',
        [proposal, scope.customerId, scope.environment, harness.clock.now()],
      );
      await tx.query(
        "UPDATE settlement_attempts SET phase = 'SETTLED', confirmed_by = $2 WHERE reference = $1",
        [held.reference, proposal],
      );
    });
    await expect(used).rejects.toMatchObject(refused);
    expect(await operators.approve(proposal)).toMatchObject({ code: 0 });
  });
});
