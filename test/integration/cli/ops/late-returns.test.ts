import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTwoOperators, type TwoOperators } from '../../../support/two-operators.ts';
import { connectToVerify } from '../../../../src/cli/verify/reader.ts';
import { positionFollowsQuotes } from '../../../../src/cli/verify/fx-position.ts';
import { addQuote } from '../../../support/sample-quote.ts';
import type { Seeded } from '../../../support/seed-payments.ts';
import type { EntryDraft } from '../../../support/reconciliation/statement-xml.ts';
import {
  createFinalityHarness,
  type FinalityHarness,
} from '../../../support/payments/finality-harness.ts';
import { createOpsCommands, type OpsCommands } from '../../../support/cli/ops/ops-commands.ts';

let harness: FinalityHarness;
let ops: OpsCommands;
let operators: TwoOperators;
beforeAll(async () => {
  harness = await createFinalityHarness();
  ops = createOpsCommands(harness.commands, harness.clock);
  operators = createTwoOperators(harness.people, harness.clock);
});
afterAll(() => harness.close());

const as = (operator: string) => ['--reason', 'the bank was asked', '--operator', operator];
const proposalIn = (printed: string): string => /apr_[0-9a-z]+/.exec(printed)?.[0] ?? '';
const propose = (id: string, what: string) =>
  ops('payments', 'settle-late-return', id, '--as', what, ...as('ada'));
const approve = (proposal: string, operator = 'ben') => operators.approve(proposal, operator);

async function lateReturned(amount = '10.00'): Promise<Seeded> {
  const paid = await harness.final();
  await harness.showReturn(paid, amount);
  return paid;
}

const available = async () => {
  const [row] = await harness.rows<{ available: bigint }>(
    "SELECT available FROM balances WHERE customer_id = $1 AND currency = 'EUR'",
    [harness.customer.scope.customerId],
  );
  return row?.available ?? 0n;
};

async function violations(): Promise<number> {
  const connection = await connectToVerify(harness.url);
  const { checked, violations: found } = await positionFollowsQuotes(connection).finally(() =>
    connection.close(),
  );
  expect(checked).toBe(1);
  return found;
}

describe('payments late-returns', () => {
  it('lists what waits: told by the bank alone, and shown by a statement', async () => {
    const [told, shown] = [await harness.final(), await lateReturned('9.50')];
    await harness.tellReturned(told);
    await harness.applyCallbacks(told);
    const { code, printed } = await ops('payments', 'late-returns');
    expect(code).toBe(0);
    const lineOf = ({ id }: Seeded) => printed.split('\n').find((line) => line.includes(id));
    expect(lineOf(told)).toContain('on no statement yet');
    expect(lineOf(shown)).toContain('9.50 EUR');
    const early = await propose(told.id, 'credit');
    expect(early).toMatchObject({ code: 1 });
    expect(early.printed).toContain('No statement shows the returned money yet');
  });
});

describe('two operators credit it', () => {
  it('the customer has it, reads of it, and the payment stays completed, final and reconciled', async () => {
    const held = (await harness.accounts())['suspense'];
    const paid = await lateReturned('9.50');
    const before = await available();
    const proposal = proposalIn((await propose(paid.id, 'credit')).printed);
    expect(await available()).toBe(before);
    expect(await approve(proposal, 'ada')).toMatchObject({ code: 1 });
    expect(await available()).toBe(before);
    expect(await approve(proposal)).toMatchObject({ code: 0 });
    expect(await available()).toBe(before + 950n);
    const { evidence, returned, ...payment } = await harness.finality(paid.id);
    expect(payment).toMatchObject({
      ...{ status: 'COMPLETED', finality: 'FINAL', reconciliation: 'RECONCILED' },
    });
    expect(evidence).toMatchObject({
      line: 1,
      return: { line: 1 },
      lateReturn: { decision: 'CREDIT' },
    });
    expect(returned).toMatchObject({
      ...{ reason: 'AC04', code: 'account_closed', amount: '950', fee: '50', isLate: true },
    });
    expect((await harness.events(paid.id)).at(-1)).toBe('payment.reconciled');
    expect((await harness.accounts())['suspense']).toBe(held);
    const audit = await harness.rows('SELECT actor FROM audit_log WHERE action = $1', [
      'payment.late_return',
    ]);
    expect(audit).toEqual([{ actor: `operator:${await operators.operator('ben', 'OPERATIONS')}` }]);
  });

  it('once: neither the same approval again nor another one credits a second time', async () => {
    const paid = await lateReturned();
    const before = await available();
    const proposal = proposalIn((await propose(paid.id, 'credit')).printed);
    const both = await Promise.all([approve(proposal), approve(proposal, 'cy')]);
    expect(both.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(await approve(proposal, 'cy')).toMatchObject({ code: 1 });
    const again = await propose(paid.id, 'keep');
    expect(again.printed).toContain('It was already decided: CREDIT');
    expect(await available()).toBe(before + 1_000n);
    await harness.tellReturned(paid);
    await harness.applyCallbacks(paid);
    expect(await harness.finality(paid.id)).toMatchObject({ reconciliation: 'RECONCILED' });
  });

  it('of another currency: at the rate of the payment, and the position still follows its quote', async () => {
    const [at, { scope }] = [harness.clock.now(), harness.customer];
    const expiresAt = new Date(at.getTime() + 60_000);
    const quote = await addQuote(harness.db, scope, { createdAt: at, expiresAt });
    const paid = await harness.pay('COMPLETED', { at, quote });
    const payout = { reference: paid.reference, amount: '892.37' };
    await harness.reconcile({ entries: [payout] });
    harness.clock.advance(10_000);
    await harness.finalise();
    await harness.showReturn(paid, '800.00');
    expect(await violations()).toBe(0);
    expect(await approve(proposalIn((await propose(paid.id, 'credit')).printed))).toMatchObject({
      code: 0,
    });
    expect(await harness.finality(paid.id)).toMatchObject({
      ...{ status: 'COMPLETED', finality: 'FINAL', returned: { amount: '80000', isLate: true } },
    });
    expect(await violations()).toBe(0);
  });

  it('after an act has credited another line: the customer reads of all that is back', async () => {
    const paid = await lateReturned('4.00');
    const unnamed = { reference: 'THEIR-REFERENCE', bankReference: 'BACK-UNNAMED' } as const;
    const { statementId } = await harness.reconcile({
      entries: [{ ...unnamed, amount: '6.00', direction: 'CRDT', returnReason: 'AC04' }],
    });
    const wanted = ['--act', 'CREDIT_RETURN', '--payment', paid.id];
    const act = await ops('exceptions', 'apply', `${statementId}/1`, ...wanted, ...as('ada'));
    expect(await approve(proposalIn(act.printed))).toMatchObject({ code: 0 });
    const late = await propose(paid.id, 'credit');
    expect(await approve(proposalIn(late.printed))).toMatchObject({ code: 0 });
    expect(await harness.finality(paid.id)).toMatchObject({
      returned: { amount: '1000', fee: '0', isLate: true },
    });
  });

  it('or keep it, and what an act credited meanwhile rests on what was recovered', async () => {
    const paid = await lateReturned();
    const end = async (entry: Omit<EntryDraft, 'amount'>, ...act: string[]) => {
      const { statementId } = await harness.reconcile({ entries: [{ ...entry, amount: '10.00' }] });
      const { printed } = await ops(
        'exceptions',
        'apply',
        `${statementId}/1`,
        ...act,
        ...as('ada'),
      );
      const done = await approve(proposalIn(printed));
      expect(done, printed + done.printed).toMatchObject({ code: 0 });
      return /exa_[0-9a-z]+/.exec(done.printed)?.[0] ?? '';
    };
    const second = { reference: paid.reference, bankReference: 'PAID-AGAIN' };
    const recovery = await end(second, '--act', 'RECOVER');
    const back = { direction: 'CRDT', returnReason: 'AC04', bankReference: 'BACK-TWICE' } as const;
    const act = await end(back, '--act', 'CREDIT_RETURN', '--payment', paid.id);
    const reverse = async () => {
      const { printed } = await ops('exceptions', 'reverse', recovery, ...as('ada'));
      return approve(proposalIn(printed));
    };
    const refused = await reverse();
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.printed).toContain(`Reverse act ${act} first`);
    await approve(proposalIn((await propose(paid.id, 'keep')).printed));
    expect(await reverse()).toMatchObject({ code: 0 });
  });

  it('not on a proposal that was made before the bank took it back', async () => {
    const paid = await lateReturned();
    const before = await available();
    const proposal = proposalIn((await propose(paid.id, 'credit')).printed);
    await harness.reconcile({
      entries: [{ reference: paid.reference, amount: '10.00', reversal: true }],
    });
    const refused = await approve(proposal);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.printed).toContain('reports about this payment contradict each other');
    expect((await propose(paid.id, 'credit')).code).toBe(1);
    expect(await available()).toBe(before);
  });
});

describe('two operators keep it', () => {
  it('it stays in suspense with their reason, and the exception is resolved', async () => {
    const held = (await harness.accounts())['suspense'] ?? 0n;
    const paid = await lateReturned();
    const before = await available();
    const proposal = proposalIn((await propose(paid.id, 'keep')).printed);
    expect(await approve(proposal)).toMatchObject({ code: 0 });
    expect(await available()).toBe(before);
    expect((await harness.accounts())['suspense']).toBe(held + 1_000n);
    expect(await harness.finality(paid.id)).toMatchObject({
      ...{ status: 'COMPLETED', finality: 'FINAL', reconciliation: 'RECONCILED', returned: null },
      evidence: { lateReturn: { decision: 'KEEP' }, suspense: { minorUnits: '1000' } },
    });
    expect((await ops('payments', 'late-returns')).printed).not.toContain(paid.id);
  });

  it('the database refuses money out of suspense, and the decision, without two operators', async () => {
    const paid = await lateReturned();
    const { scope } = harness.customer;
    const move = harness.db.write(scope, (tx) =>
      tx.query(
        `INSERT INTO ledger_transactions (id, customer_id, environment, kind, payment_id, created_at)
         VALUES ('ltx_sample', $1, $2, 'LATE_RETURN_CREDIT', $3, now())`,
        [scope.customerId, scope.environment, paid.id],
      ),
    );
    await expect(move).rejects.toThrow('money leaves suspense by two operators');
    const proposal = proposalIn((await propose(paid.id, 'keep')).printed);
    const decide = harness.db.write(scope, (tx) =>
      tx.query(
        `UPDATE late_returns SET decision = 'KEEP', decided_at = now(), approval_id = $2
         WHERE payment_id = $1`,
        [paid.id, proposal],
      ),
    );
    await expect(decide).rejects.toThrow('takes two operators');
    const change = harness.db.write(scope, (tx) =>
      tx.query('UPDATE late_returns SET amount = 1 WHERE payment_id = $1', [paid.id]),
    );
    await expect(change).rejects.toThrow('only ever completed');
  });

  it('the database refuses one that is decided as it is written', async () => {
    const paid = await harness.final();
    const other = await lateReturned();
    const proposal = proposalIn((await propose(other.id, 'keep')).printed);
    const { scope } = harness.customer;
    const insert = harness.db.write(scope, (tx) =>
      tx.query(
        `INSERT INTO late_returns (payment_id, customer_id, environment, told_at, currency, amount,
           shown_at, decision, decided_at, approval_id)
         VALUES ($1, $2, $3, now(), 'EUR', 1000, now(), 'CREDIT', now(), $4)`,
        [paid.id, scope.customerId, scope.environment, proposal],
      ),
    );
    await expect(insert).rejects.toThrow('is decided after it is known');
  });
});

describe('another line about money that came back late', () => {
  const act = async (...args: string[]) => {
    const { printed } = await ops('exceptions', 'apply', ...args, ...as('ada'));
    const proposal = proposalIn(printed);
    return proposal === '' ? { code: 1, printed } : approve(proposal);
  };

  it('that is a second late return is ended by an act, and credits what the first does not', async () => {
    const paid = await lateReturned();
    const { statementId } = await harness.showReturn(paid);
    await harness.rows(
      `UPDATE statement_lines SET exception = 'LATE_RETURN' WHERE statement_id = $1`,
      [statementId],
    );
    const before = await available();
    const second = `${statementId}/1`;
    expect(await act(second, '--act', 'CREDIT_RETURN')).toMatchObject({ code: 1 });
    const kept = proposalIn((await propose(paid.id, 'keep')).printed);
    expect(await approve(kept)).toMatchObject({ code: 0 });
    expect((await ops('exceptions', 'list')).printed).toContain(second);
    expect(await act(second, '--act', 'CREDIT_RETURN')).toMatchObject({ code: 0 });
    expect((await available()) - before).toBe(1_000n);
    expect((await ops('exceptions', 'list')).printed).not.toContain(second);
  });

  it('that an act credited is not credited again by the decision about the late return', async () => {
    const paid = await harness.final();
    const foreign = { reference: 'NOBODYS', amount: '10.00', direction: 'CRDT' } as const;
    const { statementId } = await harness.reconcile({
      entries: [{ ...foreign, returnReason: 'AC04', bankReference: 'FOREIGN-RETURN' }],
    });
    const before = await available();
    const line = `${statementId}/1`;
    expect(await act(line, '--act', 'CREDIT_RETURN', '--payment', paid.id)).toMatchObject({
      code: 0,
    });
    expect((await available()) - before).toBe(1_000n);
    await harness.showReturn(paid);
    expect((await propose(paid.id, 'credit')).printed).toContain('has this money already');
    expect((await available()) - before).toBe(1_000n);
  });
});
