import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTwoOperators, type TwoOperators } from '../../../support/two-operators.ts';
import {
  createFundingHarness,
  type FundingHarness,
} from '../../../support/reconciliation/funding-harness.ts';
import type { EntryDraft } from '../../../support/reconciliation/statement-xml.ts';
import { createOpsCommands, type OpsCommands } from '../../../support/cli/ops/ops-commands.ts';

let harness: FundingHarness;
let ops: OpsCommands;
let operators: TwoOperators;
let customerId = '';
beforeAll(async () => {
  harness = await createFundingHarness();
  ops = createOpsCommands(harness.commands, harness.clock);
  operators = createTwoOperators(harness.people, harness.clock);
  ({ customerId } = harness.customer.scope);
});
afterAll(() => harness.close());
// Hooks of the end run from the last to the first.
afterAll(() => harness.expectBooksToHold());

const as = (operator: string) => ['--reason', 'the payer called', '--operator', operator];
const proposalIn = (printed: string): string => /apr_[0-9a-z]+/.exec(printed)?.[0] ?? '';
const assign = (id: string, by = 'ada', to = customerId) =>
  ops('credits', 'assign', id, '--customer', to, ...as(by));

/** An unmatched credit; answers its id. */
async function unmatched(over: Partial<EntryDraft> = {}): Promise<string> {
  await harness.reconcile({ entries: [harness.deposit({ remittance: 'Rent', ...over })] });
  return (await harness.unmatched()).at(-1)?.id ?? '';
}

describe('an unmatched credit', () => {
  it('is listed and shown without a name', async () => {
    const id = await unmatched();
    const listed = await ops('credits', 'list', '--environment', 'test');
    expect(listed.printed).toContain(id);
    expect(listed.printed).toContain('NO_REFERENCE');
    expect((await ops('credits', 'list', '--environment', 'live')).printed).toBe(
      'No credit is unmatched.',
    );
    const shown = await ops('credits', 'show', id);
    expect(shown.printed).toContain('10.00 EUR');
    expect(listed.printed + shown.printed).not.toContain('Sample');
    expect(await ops('credits', 'show', 'fc_unknown')).toMatchObject({ code: 1 });
  });

  it('is assigned by two operators, once, with the event of a credit', async () => {
    const id = await unmatched();
    const before = await harness.standing();
    const suspense = await harness.suspense();
    const { printed } = await assign(id);
    expect(await harness.standing()).toEqual(before);
    const proposal = proposalIn(printed);
    expect((await operators.approve(proposal, 'ada')).code).toBe(1);
    expect(await harness.standing()).toEqual(before);
    expect((await operators.approve(proposal)).code).toBe(0);
    expect((await harness.standing()).available - before.available).toBe(1_000n);
    expect(await harness.suspense()).toBe(suspense - 1_000n);
    const told = (await harness.events()).at(-1);
    expect(told).toMatchObject({ type: 'balance.credited', version: 1, id });
    expect(JSON.parse(told?.body ?? '')).toMatchObject({ data: { reference: null } });

    expect((await operators.approve(proposal)).code).toBe(1);
    expect(await assign(id, 'cleo')).toMatchObject({ code: 1 });
    expect((await harness.standing()).available - before.available).toBe(1_000n);
  });

  it('is not assigned to two customers, however the proposals came about', async () => {
    const id = await unmatched();
    const other = await harness.addCustomer();
    const [before, beforeTheirs] = [await harness.standing(), await harness.standing(other.scope)];
    const first = proposalIn((await assign(id)).printed);
    expect(await assign(id, 'cleo', other.scope.customerId)).toMatchObject({ code: 1 });
    // Approved and cut off, which makes room for another proposal.
    await operators.approveOnly(first);
    const second = proposalIn((await assign(id, 'cleo', other.scope.customerId)).printed);
    const both = await Promise.all(
      [first, second].map((proposal) => operators.approve(proposal, 'dora')),
    );
    expect(both.map(({ code }) => code).sort()).toEqual([0, 1]);
    const gained = [
      (await harness.standing()).available - before.available,
      (await harness.standing(other.scope)).available - beforeTheirs.available,
    ];
    expect(gained.reduce((sum, one) => sum + one)).toBe(1_000n);
  });

  it('leaves suspense by no other way: the database wants the approval', async () => {
    const id = await unmatched();
    const { scope } = harness.customer;
    await expect(
      harness.db.write(scope, (tx) =>
        tx.query(`SELECT * FROM take_unmatched_credit($1, 'ASSIGNED', NULL, NULL, now())`, [id]),
      ),
    ).rejects.toThrow('two operators');
    await expect(
      harness.db.write(scope, (tx) =>
        tx.query(
          `INSERT INTO ledger_transactions (id, customer_id, environment, kind, created_at)
           VALUES ('ltx_forged', $1, 'test', 'ASSIGN', now())`,
          [scope.customerId],
        ),
      ),
    ).rejects.toThrow('no credit or approval');
    await expect(
      harness.db.write(scope, (tx) => tx.query('SELECT * FROM incoming_credits')),
    ).rejects.toThrow('permission denied');
  });

  it('is refused where it, its customer or its amount is none', async () => {
    const id = await unmatched();
    expect((await assign(id, 'ada', 'cus_unknown')).printed).toContain('There is no customer');
    expect((await assign(id, 'ada', 'cus_platform')).printed).toContain('There is no customer');
    expect((await assign('fc_unknown')).printed).toContain('There is no credit');
    const unusable = await unmatched({ amount: '1.005' });
    expect((await assign(unusable)).printed).toContain('no amount');
  });

  it('that the bank took back after the proposal is assigned to no customer', async () => {
    const entry = harness.deposit({ remittance: 'Rent' });
    await harness.reconcile({ entries: [entry] });
    const id = (await harness.unmatched()).at(-1)?.id ?? '';
    const proposal = proposalIn((await assign(id)).printed);
    const before = await harness.standing();
    await harness.reconcile({ entries: [{ ...entry, direction: 'DBIT', reversal: true }] });
    expect((await operators.approve(proposal)).code).toBe(1);
    expect(await harness.standing()).toEqual(before);
  });

  it('that was assigned is taken from its customer where the bank takes it back', async () => {
    const entry = harness.deposit({ remittance: 'Rent' });
    await harness.reconcile({ entries: [entry] });
    const id = (await harness.unmatched()).at(-1)?.id ?? '';
    const before = await harness.standing();
    await operators.approve(proposalIn((await assign(id)).printed));
    await harness.reconcile({ entries: [{ ...entry, direction: 'DBIT', reversal: true }] });
    expect(await harness.standing()).toEqual(before);
    expect((await harness.events()).at(-1)).toMatchObject({ type: 'balance.credit_reversed' });
  });

  it('is closed by two operators against the line by which it left, and by no other', async () => {
    const id = await unmatched({ amount: '12.34' });
    const suspense = await harness.suspense();
    const { scope } = harness.customer;
    const ref = await harness.reconcile({
      entries: [
        { amount: '12.34', bankReference: 'BACK-1' },
        { amount: '12.35', bankReference: 'BACK-2' },
      ],
    });
    const [statement] = await harness.rows<{ id: string }>(
      'SELECT bank_statement_id AS id FROM statements WHERE id = $1',
      [ref.statementId],
    );
    const close = (line: string) =>
      ops('credits', 'close', id, '--statement', statement?.id ?? '', '--line', line, ...as('ada'));
    const wrong = proposalIn((await close('2')).printed);
    expect((await operators.approve(wrong)).code).toBe(1);
    expect(await harness.suspense()).toBe(suspense);
    const right = proposalIn((await close('1')).printed);
    expect((await operators.approve(right)).code).toBe(0);
    expect(await harness.suspense()).toBe(suspense - 1_234n);
    expect((await harness.credit(id))?.outcome).toBe('CLOSED');
    expect(await assign(id, 'ada', scope.customerId)).toMatchObject({ code: 1 });
  });
});

describe('the lines of unmatched credits in payments stuck', () => {
  const listed = async () => {
    const { printed } = await ops('payments', 'stuck', '--limit', '500');
    const lines = printed
      .split('\n')
      .filter((line) => / (?:UNKNOWN_RETURN|UNEXPECTED_AT)/.test(line));
    return (amount: string) => lines.filter((line) => line.includes(` ${amount} EUR`)).length;
  };
  const approve = (printed: string) => operators.approve(proposalIn(printed));

  it('stay until the credit is assigned, however many statements show it', async () => {
    const entry = harness.deposit({ remittance: 'Rent', amount: '41.01' });
    await harness.reconcile({ entries: [entry] });
    await harness.reconcile({ entries: [entry] });
    const id = (await harness.unmatched()).at(-1)?.id ?? '';
    const { printed } = await assign(id);
    expect((await listed())('41.01')).toBe(2);
    expect((await approve(printed)).code).toBe(0);
    expect((await listed())('41.01')).toBe(0);
  });

  it('stay until it is closed, with the debit that took it; another debit stays', async () => {
    const id = await unmatched({ amount: '41.02' });
    const ref = await harness.reconcile({
      entries: [
        { amount: '41.02', bankReference: 'OUT-1' },
        { amount: '41.02', bankReference: 'OUT-2' },
      ],
    });
    const [statement] = await harness.rows<{ id: string }>(
      'SELECT bank_statement_id AS id FROM statements WHERE id = $1',
      [ref.statementId],
    );
    const where = ['--statement', statement?.id ?? '', '--line', '2'];
    const { printed } = await ops('credits', 'close', id, ...where, ...as('ada'));
    expect((await listed())('41.02')).toBe(3);
    expect((await approve(printed)).code).toBe(0);
    expect((await listed())('41.02')).toBe(1);
  });

  it('stay until the bank takes it back', async () => {
    const entry = harness.deposit({ remittance: 'Rent', amount: '41.03' });
    await harness.reconcile({ entries: [entry] });
    expect((await listed())('41.03')).toBe(1);
    await harness.reconcile({ entries: [{ ...entry, direction: 'DBIT', reversal: true }] });
    expect((await listed())('41.03')).toBe(0);
  });
});
