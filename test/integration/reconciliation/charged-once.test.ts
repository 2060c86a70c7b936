import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/db/client/new-id.ts';
import { createOpsCommands } from '../../support/cli/ops/ops-commands.ts';
import {
  createDecidingHarness,
  type DecidingHarness,
} from '../../support/reconciliation/deciding-harness.ts';
import type { EntryDraft } from '../../support/reconciliation/statement-xml.ts';

let harness: DecidingHarness;
let ops: ReturnType<typeof createOpsCommands>;
beforeAll(async () => {
  harness = await createDecidingHarness();
  ops = createOpsCommands(harness.commands, harness.clock);
});
afterAll(() => harness.close());

async function act(...args: string[]): Promise<string> {
  const proposed = await ops('exceptions', ...args, '--reason', 'asked', '--operator', 'ada');
  const id = /apr_[0-9a-z]+/.exec(proposed.printed)?.[0] ?? '';
  const done = await harness.approve(id);
  expect(done, proposed.printed + done.printed).toMatchObject({ code: 0 });
  return /exa_[0-9a-z]+/.exec(done.printed)?.[0] ?? '';
}

/** What the customer has, less what it owes. */
async function has(): Promise<bigint> {
  const { available, receivable } = await harness.standing();
  return available + receivable;
}

/** A credit of the customer, and the line that takes it back with the bank's mark. */
async function deposit(amount: string, bookedAt = '2026-09-29T12:00:00Z') {
  const entry = { ...harness.deposit({ amount, bookedAt }), remittance: await harness.reference() };
  await harness.reconcile({ entries: [entry] });
  const marked: EntryDraft = { ...entry, direction: 'DBIT', reversal: true };
  return { marked };
}

const show = async (entry: EntryDraft) => {
  const ref = await harness.reconcile({ entries: [entry] });
  return { line: `${ref.statementId}/1`, outcomes: await harness.outcomes(ref) };
};

describe('a credit that the bank takes back without a mark, and then with one', () => {
  it('charges the customer once: after the act the marked line waits for operators', async () => {
    const { marked } = await deposit('31.01');
    const before = await has();
    const unmarked = await show({ amount: '31.01', bankReference: newId('back') });
    const customer = ['--customer', harness.customer.scope.customerId];
    const done = await act('apply', unmarked.line, '--act', 'RECOVER', ...customer);
    const again = await show(marked);
    expect(again.outcomes).toEqual(['UNEXPECTED_AT_BANK']);
    expect((await has()) - before).toBe(-3_101n);
    await act('apply', again.line, '--act', 'ACKNOWLEDGE');
    await act('reverse', done);
    expect(await has()).toBe(before);
  });

  it('takes a credit back that came days after the debit that was recovered', async () => {
    const unmarked = await show({ amount: '31.02', bankReference: newId('back') });
    const customer = ['--customer', harness.customer.scope.customerId];
    await act('apply', unmarked.line, '--act', 'RECOVER', ...customer);
    const { marked } = await deposit('31.02', '2026-10-09T12:00:00Z');
    const before = await has();
    const taken = await show({ ...marked, bookedAt: '2026-10-09T13:00:00Z' });
    expect(taken.outcomes).toEqual(['CREDIT_REVERSAL']);
    expect((await has()) - before).toBe(-3_102n);
  });

  it('under one reference is paid by the platform that wrote it off, and not by the customer too', async () => {
    const { marked } = await deposit('31.03');
    const before = await has();
    const bankReference = newId('back');
    const unmarked = await show({ amount: '31.03', bankReference });
    const done = await act('apply', unmarked.line, '--act', 'WRITE_OFF', '--account', 'GOODWILL');
    const again = await show({ ...marked, bankReference });
    expect(again.outcomes).toEqual(['UNEXPECTED_AT_BANK']);
    expect(await has()).toBe(before);
    await act('reverse', done);
    const later = await show(marked);
    expect(later.outcomes).toEqual(['CREDIT_REVERSAL']);
    expect((await has()) - before).toBe(-3_103n);
  });
});
