import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createDecidingHarness,
  type DecidingHarness,
} from '../../support/reconciliation/deciding-harness.ts';
import { createOpsCommands, type OpsCommands } from '../../support/cli/ops/ops-commands.ts';
import type { StatementRef } from '../../../src/domain/workflows/work-refs.ts';

let harness: DecidingHarness;
let ops: OpsCommands;
beforeAll(async () => {
  harness = await createDecidingHarness();
  ops = createOpsCommands(harness.commands, harness.clock);
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

/** Two operators accept the sums of a statement, or of one of its entries; then the next fetch comes. */
async function accept(ref: StatementRef, ...args: string[]): Promise<string> {
  const [row] = await harness.rows<{ id: string }>(
    'SELECT bank_statement_id AS id FROM statements WHERE id = $1',
    [ref.statementId],
  );
  const of = [row?.id ?? '', '--environment', 'test', ...args];
  const by = ['--reason', 'the bank confirmed', '--operator', 'ada'];
  const { printed } = await ops('statements', 'accept-sums', ...of, ...by);
  const approval = /apr_[0-9a-z]+/.exec(printed)?.[0];
  if (approval === undefined) return printed;
  expect((await harness.approve(approval)).code).toBe(0);
  await harness.activities.reconcileStatement(ref);
  return '';
}

async function payee() {
  const { scope } = await harness.addCustomer();
  const { available } = await harness.standing(scope);
  const remittance = await harness.reference(scope);
  const credited = async () => (await harness.standing(scope)).available - available;
  return { remittance, credited };
}

describe('a statement that contradicts its own sums', () => {
  it('credits no more than its entry got, until operators accept the entry', async () => {
    const { remittance, credited } = await payee();
    const detail = { amount: '100.00', remittance };
    const entry = { amount: '196.00', direction: 'CRDT', batch: [detail, detail] } as const;
    const right = harness.deposit({ remittance });
    const ref = await harness.reconcile({
      entries: [entry, right, { ...entry, bankReference: 'B' }],
    });
    const waits = ['UNPROVEN_SUM', 'UNPROVEN_SUM'];
    expect(await harness.outcomes(ref)).toEqual([...waits, 'CREDIT', ...waits]);
    expect(await credited()).toBe(1_000n);
    expect(await harness.statement(ref)).toMatchObject({ status: 'RECONCILED' });

    await accept(ref, '--entry', '1');
    expect(await harness.outcomes(ref)).toEqual(['CREDIT', 'CREDIT', 'CREDIT', ...waits]);
    expect(await credited()).toBe(21_000n);
    expect(await accept(ref, '--entry', '1')).toContain('No line of it waits');
    await harness.activities.reconcileStatement(ref);
    expect(await credited()).toBe(21_000n);
  });

  it('in its balances credits nothing, and returns no payment, until operators accept it', async () => {
    const { remittance, credited } = await payee();
    const paid = await harness.pay('COMPLETED');
    const back = { reference: paid.reference, amount: '10.00', returnReason: 'AC04' };
    const ref = await harness.reconcile({
      opening: '100.00',
      closing: '110.01',
      entries: [
        { reference: paid.reference, amount: '10.00' },
        { ...back, direction: 'CRDT' },
        harness.deposit({ remittance }),
      ],
    });
    expect(await harness.outcomes(ref)).toEqual(['RECONCILED', 'UNPROVEN_SUM', 'UNPROVEN_SUM']);
    expect(await credited()).toBe(0n);
    expect(await harness.payment(paid.id)).toMatchObject({ status: 'COMPLETED' });

    await accept(ref);
    expect(await harness.outcomes(ref)).toEqual(['RECONCILED', 'RETURN', 'CREDIT']);
    expect(await credited()).toBe(1_000n);
    expect(await harness.payment(paid.id)).toMatchObject({ status: 'RETURNED' });
  });
});

describe('a line of a statement that contradicts its own sums', () => {
  const contradicting = (remittance: string) => ({
    ...{ opening: '100.00', closing: '110.01' },
    entries: [harness.deposit({ remittance })],
  });
  const acknowledge = (ref: StatementRef) =>
    ops(
      ...['exceptions', 'apply', `${ref.statementId}/1`, '--act', 'ACKNOWLEDGE'],
      ...['--reason', 'asked the bank', '--operator', 'ada'],
    );
  const approvalOf = (printed: string) => /apr_[0-9a-z]+/.exec(printed)?.[0] ?? '';

  it('is not credited when the sums are accepted after an act has ended it', async () => {
    const { remittance, credited } = await payee();
    const ref = await harness.reconcile(contradicting(remittance));
    const [statement] = await harness.rows<{ id: string }>(
      'SELECT bank_statement_id AS id FROM statements WHERE id = $1',
      [ref.statementId],
    );
    const sums = await ops(
      ...['statements', 'accept-sums', statement?.id ?? '', '--environment', 'test'],
      ...['--reason', 'the bank confirmed', '--operator', 'ada'],
    );
    const { printed } = await acknowledge(ref);
    expect((await harness.approve(approvalOf(printed))).code).toBe(0);
    expect((await harness.approve(approvalOf(sums.printed))).code).toBe(1);
    await harness.activities.reconcileStatement(ref);
    expect(await credited()).toBe(0n);
  });

  it('is ended by no act that was proposed before the sums were accepted', async () => {
    const { remittance, credited } = await payee();
    const ref = await harness.reconcile(contradicting(remittance));
    const { printed } = await acknowledge(ref);
    await accept(ref);
    expect(await credited()).toBe(1_000n);
    expect((await harness.approve(approvalOf(printed))).code).toBe(1);
  });
});

describe('a credit that may be the same as an earlier one', () => {
  it('is dismissed by two operators, with the credit that it resembles before them', async () => {
    const { remittance, credited } = await payee();
    const entry = { amount: '31.07', direction: 'CRDT', bankReference: null, remittance } as const;
    await harness.reconcile({ report: 'INTRADAY', entries: [entry] });
    const suspense = await harness.suspense();
    await harness.reconcile({ entries: [entry] });
    const waiting = (await harness.unmatched()).at(-1);
    expect(waiting).toMatchObject({ unmatchedReason: 'POSSIBLE_DUPLICATE' });
    const resembled = await harness.credit(waiting?.resemblesCreditId ?? '');
    expect(resembled).toMatchObject({ outcome: 'CREDITED', amount: '31.07' });
    const { code } = await harness.approve(await harness.propose('dismiss', waiting?.id ?? ''));
    expect(code).toBe(0);
    expect(await harness.suspense()).toBe(suspense);
    expect(await credited()).toBe(3_107n);
    const again = await harness.reconcile({ report: 'ADVICE', entries: [entry] });
    expect(await harness.outcomes(again)).toEqual(['POSSIBLE_DUPLICATE']);
  });

  it('is credited where two operators say that both came', async () => {
    const { remittance } = await payee();
    const entry = { amount: '31.08', direction: 'CRDT', bankReference: null, remittance } as const;
    await harness.reconcile({ report: 'INTRADAY', entries: [entry] });
    await harness.reconcile({ entries: [entry] });
    const before = await harness.standing();
    const id = (await harness.unmatched()).at(-1)?.id ?? '';
    expect(await harness.proposeAssignment(id)).toBe('');
    const proposal = await harness.proposeAssignment(id, '--both-came', 'yes');
    expect((await harness.approve(proposal)).code).toBe(0);
    expect((await harness.standing()).available - before.available).toBe(3_108n);
  });
});
