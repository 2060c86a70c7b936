import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createOpsHarness, NOW, type OpsHarness } from '../../../support/cli/ops/ops-harness.ts';
import { holdStalled } from '../../../support/hold-stalled.ts';
import {
  seedPayingCustomer,
  type PayingCustomer,
  type Seeded,
} from '../../../support/seed-payments.ts';

const REASON = 'the bank wrote to us';

let harness: OpsHarness;
let customer: PayingCustomer;
let held: Seeded;
beforeAll(async () => {
  harness = await createOpsHarness();
  customer = await seedPayingCustomer(harness.database.db);
});
afterAll(() => harness.close());
beforeEach(async () => {
  held = await customer.pay({ fate: 'UNKNOWN', at: new Date('2026-01-02T00:00:00.000Z') });
  await holdStalled(
    { db: harness.database.db, clock: { now: () => NOW } },
    customer.scope,
    held.id,
  );
});

const rows = (sql: string, values: readonly unknown[]) =>
  harness.database.people.system((tx) => tx.query(sql, [...values]));

const confirm = (verb: string, attempt: string, ...more: string[]) =>
  harness.run(
    ...['payments', verb, held.id, '--attempt', attempt, '--evidence', 'CASE 4711', ...more],
    ...['--reason', REASON, '--operator', 'ada'],
  );

describe.each([
  ['confirm-settled', 'CONFIRM_SETTLED', ['--bank-reference', 'BANK-9'], 'COMPLETED'],
  ['confirm-failed', 'CONFIRM_FAILED', [], 'FAILED'],
] as const)('payments %s', (verb, action, more, ended) => {
  const bankReference = more[1] === undefined ? {} : { bankReference: more[1] };

  it('hands in a proposal, which two operators put into effect', async () => {
    const { code, printed } = await confirm(verb, held.reference, ...more);
    const [id = ''] = /apr_\w+/.exec(printed) ?? [];
    expect({ code, printed }).toEqual({
      code: 0,
      printed: `Submitted ${id}. In the console, one operator takes it up and another approves it: http://ops.localhost:8082/approvals/${id}`,
    });
    const content = { reference: held.reference, bankSaid: 'NOTHING', evidence: 'CASE 4711' };
    const proposal = {
      ...{ action, subjectId: held.id, content: { ...content, ...bankReference } },
    };
    const proposed = `SELECT action, subject_id AS "subjectId", content, proposed_by AS "proposedBy",
        submitted_by AS "submittedBy", decision FROM approvals WHERE id = $1`;
    expect(await rows(proposed, [id])).toEqual([
      { ...proposal, proposedBy: null, submittedBy: 'ada', decision: null },
    ]);
    const audited = 'SELECT actor, action, details FROM audit_log WHERE subject = $1';
    expect(await rows(audited, [id])).toEqual([
      {
        ...{ actor: 'operator:ada', action: 'approval.hand_in' },
        details: expect.objectContaining({ ...proposal, reason: REASON }) as unknown,
      },
    ]);
    const status = 'SELECT status FROM payments WHERE id = $1';
    expect(await rows(status, [held.id])).toEqual([{ status: 'ON_HOLD' }]);
    expect(await harness.operators.approve(id)).toMatchObject({ code: 0 });
    expect(await rows(status, [held.id])).toEqual([{ status: ended }]);
  });

  it('refuses an attempt that the payment does not have, and a payment that is not held', async () => {
    const refused = {
      ...{
        code: 1,
        printed: '',
        error: expect.stringContaining('cannot decide the outcome') as string,
      },
    };
    expect(await confirm(verb, 'CWNOSUCH', ...more)).toEqual(refused);
    const take = "UPDATE payments SET status = 'PROCESSING', version = version + 1 WHERE id = $1";
    await rows(take, [held.id]);
    expect(await confirm(verb, held.reference, ...more)).toEqual(refused);
    expect(await rows('SELECT FROM approvals WHERE subject_id = $1', [held.id])).toEqual([]);
  });
});
