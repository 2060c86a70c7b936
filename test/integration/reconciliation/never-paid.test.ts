import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/db/client/new-id.ts';
import { createOpsCommands } from '../../support/cli/ops/ops-commands.ts';
import {
  createDecidingHarness,
  type DecidingHarness,
} from '../../support/reconciliation/deciding-harness.ts';

let harness: DecidingHarness;
let ops: ReturnType<typeof createOpsCommands>;
beforeAll(async () => {
  harness = await createDecidingHarness();
  ops = createOpsCommands(harness.commands, harness.clock);
});
afterAll(async () => {
  const sums = await harness.rows(
    'SELECT FROM ledger_entries GROUP BY currency HAVING sum(amount) <> 0',
  );
  expect(sums).toEqual([]);
  await harness.close();
});

const propose = async (...args: string[]) => {
  const { printed } = await ops('exceptions', ...args, '--reason', 'asked', '--operator', 'ada');
  return { printed, id: /apr_[0-9a-z]+/.exec(printed)?.[0] ?? '' };
};

async function act(...args: string[]): Promise<string> {
  const { id, printed } = await propose(...args);
  const done = await harness.approve(id);
  expect(done, printed + done.printed).toMatchObject({ code: 0 });
  return /exa_[0-9a-z]+/.exec(done.printed)?.[0] ?? '';
}

/** Completed by the bank's word, and on no statement past its time. */
async function missing() {
  const paid = await harness.pay('COMPLETED');
  await harness.reconcile({ entries: [] }, '2026-09-29T11:01:01.000Z');
  expect(await harness.payment(paid.id)).toMatchObject({ reconciliation: 'EXCEPTION' });
  return { ...paid, debit: { ...paid, amount: '10.00', bankReference: newId('back') } };
}

async function books() {
  const [row] = await harness.rows<{ nostro: bigint }>(
    `SELECT sum(amount)::bigint AS nostro FROM ledger_entries WHERE account = 'nostro:SEPA'`,
  );
  const { available, receivable } = await harness.standing();
  return { nostro: row?.nostro ?? 0n, customer: available + receivable };
}

async function since(before: Awaited<ReturnType<typeof books>>) {
  const now = await books();
  return { nostro: now.nostro - before.nostro, customer: now.customer - before.customer };
}

describe('a payment that the bank said it paid and that no statement shows', () => {
  it('is given back whole by two operators, as a return; reversed, it is missing again', async () => {
    const { id, debit } = await missing();
    const before = await books();
    const part = await propose('apply', id, '--act', 'CREDIT_RETURN', '--amount', '9.99');
    expect(part.id).toBe('');
    const done = await act('apply', id, '--act', 'CREDIT_RETURN');
    expect(await since(before)).toEqual({ nostro: -1_000n, customer: 1_000n });
    expect(await harness.payment(id)).toMatchObject({
      ...{ status: 'RETURNED', reconciliation: 'RECONCILED' },
    });
    const events = await harness.rows(
      `SELECT FROM events WHERE resource_id = $1 AND type = 'payment.returned'`,
      [id],
    );
    expect(events).toHaveLength(1);
    await act('reverse', done);
    expect(await since(before)).toEqual({ nostro: 0n, customer: 0n });
    expect(await harness.payment(id)).toMatchObject({
      ...{ reconciliation: 'EXCEPTION', evidence: { exception: 'MISSING_AT_BANK' } },
    });
    await harness.reconcile({ entries: [debit] });
    expect(await harness.payment(id)).toMatchObject({ reconciliation: 'RECONCILED' });
    expect(await since(before)).toEqual({ nostro: 0n, customer: 0n });
  });

  it('is not given back where a statement with the debit arrives before the decision', async () => {
    const { id, debit } = await missing();
    const before = await books();
    const { id: proposal } = await propose('apply', id, '--act', 'CREDIT_RETURN');
    const ref = await harness.list({ entries: [debit] });
    await harness.activities.readStatement(ref);
    const refused = await harness.approve(proposal);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.printed).toContain('shows that the bank paid it');
    expect((await propose('apply', id, '--act', 'CREDIT_RETURN')).id).toBe('');
    await harness.activities.reconcileStatement(ref);
    expect(await harness.payment(id)).toMatchObject({
      ...{ status: 'COMPLETED', reconciliation: 'RECONCILED' },
    });
    expect(await since(before)).toEqual({ nostro: 0n, customer: 0n });
  });

  it.each(['10.00', '12.50'])('that is paid after all, with %s, is recovered', async (amount) => {
    const { id, debit } = await missing();
    const before = await books();
    await act('apply', id, '--act', 'CREDIT_RETURN');
    const { statementId } = await harness.reconcile({ entries: [{ ...debit, amount }] });
    expect(await harness.payment(id)).toMatchObject({ reconciliation: 'EXCEPTION' });
    await act('apply', `${statementId}/1`, '--act', 'RECOVER');
    const beyond = BigInt(amount.replace('.', '')) - 1_000n;
    expect(await since(before)).toEqual({ nostro: beyond, customer: -beyond });
    expect(await harness.payment(id)).toMatchObject({ reconciliation: 'RECONCILED' });
  });

  it('names debits without its reference that may be its own to the operators', async () => {
    const { id } = await missing();
    await harness.reconcile({ entries: [{ amount: '10.00', bankReference: newId('back') }] });
    const { id: proposal } = await propose('apply', id, '--act', 'CREDIT_RETURN');
    const [content] = await harness.rows<{ twins: string[] }>(
      `SELECT content -> 'twins' AS twins FROM approvals WHERE id = $1`,
      [proposal],
    );
    expect(content?.twins).toEqual([expect.stringContaining('line 1: UNEXPECTED_AT_BANK')]);
  });
});
