import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../src/db/client/new-id.ts';
import { findApproval } from '../../../src/db/approvals/approval-store.ts';
import { withdrawApproval } from '../../../src/modules/approvals/void-approval.ts';
import { applyExceptionSet } from '../../../src/modules/reconciliation/exceptions/apply-exception-set.ts';
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
// The limits of a day begin anew, and what an earlier test left open is ended.
beforeEach(async () => {
  harness.clock.advance(24 * 60 * 60 * 1000);
  await harness.rows(
    `UPDATE statement_lines SET outcome = 'IGNORED', exception = NULL, payment_id = NULL, customer_id = NULL
     WHERE outcome = 'EXCEPTION'`,
  );
});

/** The exceptions of the lines of a new statement, each a booking of its own. */
async function bank(...drafts: EntryDraft[]): Promise<string[]> {
  const entries = drafts.map((draft) => ({ bankReference: newId('back'), ...draft }));
  const { statementId } = await harness.reconcile({ entries });
  return drafts.map((_draft, at) => `${statementId}/${String(at + 1)}`);
}

/** Payments of 10.00 that the bank debited with so much more; their exceptions. */
async function charged(...amounts: string[]): Promise<{ id: string; exception: string }[]> {
  const paid = [];
  for (const amount of amounts) paid.push({ ...(await harness.pay('COMPLETED')), amount });
  const lines = await bank(...paid.map(({ reference, amount }) => ({ reference, amount })));
  return paid.map(({ id }, at) => ({ id, exception: lines[at] ?? '' }));
}

const KIND = ['--kind', 'AMOUNT_MISMATCH', '--environment', 'test'];
const suggest = async () => (await ops('exceptions', 'suggest', ...KIND)).printed;

async function propose(...more: string[]) {
  const by = ['--reason', 'charges of the bank', '--operator', 'ada'];
  const { printed } = await ops('exceptions', 'propose', ...KIND, ...more, ...by);
  return { id: /apr_[0-9a-z]+/.exec(printed)?.[0] ?? '', printed };
}

const contentOf = async (id: string) =>
  (await harness.people.system((tx) => findApproval(tx, id)))?.content ?? {};

/** What the acts of a set have booked. */
async function booked(set: string) {
  const [row] = await harness.rows<{ acts: number; charges: bigint }>(
    `SELECT count(DISTINCT a.id)::int AS acts,
       coalesce(sum(e.amount) FILTER (WHERE e.account = 'bank_charges'), 0)::bigint AS charges
     FROM exception_acts a LEFT JOIN ledger_entries e ON e.transaction_id = a.ledger_transaction_id
     WHERE a.content ->> 'set' = $1`,
    [set],
  );
  return row;
}

const statusOf = async (id: string) => (await harness.payment(id)).reconciliation;

describe('what the rules suggest', () => {
  it('is shown with rule, act and amount, and nothing is written', async () => {
    const [one] = await charged('12.50');
    const before = await harness.fingerprint();
    expect(await suggest()).toMatch(
      new RegExp(`${one?.exception ?? ''} .*charges-on-payout +WRITE_OFF +BANK_CHARGES +-2.50 EUR`),
    );
    expect(await harness.fingerprint()).toEqual(before);
  });

  it.each([
    ['a second debit of the payment', (reference: string) => ({ reference, amount: '10.00' })],
    [
      'a correction of the bank',
      () => ({ amount: '2.50', direction: 'CRDT' as const, returnReason: 'AC04' }),
    ],
    ['a debit like it without a reference', () => ({ amount: '12.50' })],
  ])('is nothing where there is %s', async (_what, other) => {
    const paid = await harness.pay('COMPLETED');
    const [exception = ''] = await bank({ reference: paid.reference, amount: '12.50' });
    expect(await suggest()).toContain(exception);
    await bank(other(paid.reference));
    expect(await suggest()).not.toContain(`${exception} `);
  });

  it('of a rule ends at its limit for a day, with what waits and what was done counted', async () => {
    // 500.00 EUR a day: twenty of 25.00, and no cent more.
    await charged(...Array.from({ length: 20 }, () => '35.00'));
    const [over] = await charged('10.01');
    const held = new RegExp(`${over?.exception ?? ''} .*not proposed: over the limit`);
    expect(await suggest()).toMatch(held);
    const { id } = await propose();
    expect(await contentOf(id)).toMatchObject({
      exceptions: 20,
      totals: ['-500.00 EUR'],
      leftOut: 1,
    });
    expect(await suggest()).toMatch(held);
    expect(await harness.approve(id)).toMatchObject({ code: 0 });
    expect(await suggest()).toMatch(held);
    harness.clock.advance(24 * 60 * 60 * 1000);
    expect(await suggest()).not.toMatch(held);
  });
});

describe('a set of exceptions', () => {
  it('is one proposal that names each exception, and ends each by an act of its own', async () => {
    const all = await charged('10.10', '10.20', '10.30');
    const { id } = await propose('--rule', 'charges-on-payout');
    const content = await contentOf(id);
    expect(content).toMatchObject({ exceptions: 3, totals: ['-0.60 EUR'] });
    for (const { exception } of all) expect(JSON.stringify(content['items'])).toContain(exception);
    expect((await propose()).id).toBe('');
    const done = await harness.approve(id);
    expect(done, done.printed).toMatchObject({ code: 0, printed: 'Ended 3 exceptions.' });
    expect(await booked(id)).toEqual({ acts: 3, charges: -60n });
    for (const one of all) expect(await statusOf(one.id)).toBe('RECONCILED');
    expect(await harness.approve(id)).toMatchObject({ code: 1 });
    await harness.expectBooksToHold();
  });

  it('skips what changed since: another act ended it, a twin came, the payment has another version', async () => {
    const [ended, twin, changed, same] = await charged('10.10', '10.20', '10.30', '10.40');
    const { id } = await propose();
    const by = ['--reason', 'x', '--operator', 'ada'];
    const writeOff = ['--act', 'WRITE_OFF', '--account', 'GOODWILL', ...by];
    const { printed } = await ops('exceptions', 'apply', ended?.exception ?? '', ...writeOff);
    await harness.approve(/apr_[0-9a-z]+/.exec(printed)?.[0] ?? '');
    await bank({ amount: '10.20' });
    await harness.rows('UPDATE payments SET version = version + 1 WHERE id = $1', [changed?.id]);
    const done = await harness.approve(id);
    expect(done.printed).toContain('Ended 1 exceptions. Skipped:');
    for (const one of [ended, twin, changed]) expect(done.printed).toContain(one?.exception ?? '-');
    expect(await booked(id)).toEqual({ acts: 1, charges: -40n });
    expect(await statusOf(same?.id ?? '')).toBe('RECONCILED');
  });

  it('that was cut off continues, and does nothing twice', async () => {
    const all = await charged('10.10', '10.20', '10.30');
    const { id } = await propose();
    await harness.operators.approveOnly(id);
    const set = await harness.people.system((tx) => findApproval(tx, id));
    if (set === null) throw new Error('no set');
    const { deps } = harness.operators;
    for (const after of [1, 2]) {
      // The process ends in the middle of the act after so many.
      let acts = 0;
      const db: typeof deps.db = {
        ...deps.db,
        write: (scope, work, options) => {
          acts += 1;
          if (acts > after) throw new Error('killed');
          return deps.db.write(scope, work, options);
        },
      };
      await expect(applyExceptionSet({ ...deps, db }, set)).rejects.toThrow('killed');
    }
    expect((await booked(id))?.acts).toBeGreaterThanOrEqual(2);
    await Promise.allSettled([applyExceptionSet(deps, set), applyExceptionSet(deps, set)]);
    expect(await booked(id)).toEqual({ acts: 3, charges: -60n });
    for (const one of all) expect(await statusOf(one.id)).toBe('RECONCILED');
  });

  it('that is withdrawn ends nothing more', async () => {
    await charged('10.10');
    const { id } = await propose();
    await harness.operators.approveOnly(id);
    const set = await harness.people.system((tx) => findApproval(tx, id));
    if (set === null) throw new Error('no set');
    const { deps } = harness.operators;
    await withdrawApproval(deps, id, { operator: set.decidedBy ?? '', reason: 'a mistake' });
    await expect(applyExceptionSet(deps, set)).rejects.toThrow('void');
    expect((await booked(id))?.acts).toBe(0);
  });

  it('has acts that are reversed one by one', async () => {
    const [one] = await charged('10.10');
    const { id } = await propose();
    await harness.approve(id);
    const [act] = await harness.rows<{ id: string }>(
      "SELECT id FROM exception_acts WHERE content ->> 'set' = $1",
      [id],
    );
    const by = ['--reason', 'x', '--operator', 'ada'];
    const { printed } = await ops('exceptions', 'reverse', act?.id ?? '', ...by);
    expect(await harness.approve(/apr_[0-9a-z]+/.exec(printed)?.[0] ?? '')).toMatchObject({
      code: 0,
    });
    expect(await statusOf(one?.id ?? '')).toBe('EXCEPTION');
  });

  it('gives no approval to what is not in it', async () => {
    const [one] = await charged('10.10');
    const { id } = await propose();
    await harness.operators.approveOnly(id);
    const set = await harness.people.system((tx) => findApproval(tx, id));
    const items = [set?.content['items'] ?? []].flat().map((item) => String(item));
    const forged = JSON.parse(items[0] ?? '{}') as Record<string, string | number>;
    const { exceptionId, version, ...content } = forged;
    expect(exceptionId).toBe(one?.exception);
    const insert = (given: object) =>
      harness.people.system((tx) =>
        tx.query(
          `INSERT INTO approvals (id, customer_id, environment, action, subject_id, subject_version, content,
             proposed_by, proposed_at, reason, expires_at)
           VALUES (:id, :customerId, 'test', 'EXCEPTION_ACT', :exceptionId, :version, :content,
             :by, now(), 'x', now() + interval '1 day')`,
          {
            ...{ id: newId('apr'), exceptionId: String(exceptionId), version: Number(version) },
            ...{ customerId: String(content['customerId']), by: set?.proposedBy ?? null },
            content: JSON.stringify({ ...content, ...given, set: id }),
          },
        ),
      );
    await expect(insert({ open: '-100000' })).rejects.toThrow('of no set');
    await expect(insert({ set: 'apr_none', extra: 1 })).rejects.toThrow('of no set');
  });

  it('of a kind without a rule, or a rule that is none, is refused', async () => {
    const by = ['--reason', 'x', '--operator', 'ada', '--environment', 'test'];
    expect(await ops('exceptions', 'propose', '--kind', 'LATE', ...by)).toMatchObject({ code: 2 });
    expect((await propose('--rule', 'none')).id).toBe('');
    expect((await propose()).printed).toContain('No rule suggests');
  });
});
