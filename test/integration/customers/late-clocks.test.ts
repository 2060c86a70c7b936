import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../src/db/client/new-id.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { addCustomer } from '../../support/test-customer.ts';
import { addTestOperator } from '../../support/test-people.ts';
import {
  createAccessRequestHarness,
  DAY_MS,
  type AccessRequestHarness,
} from '../../support/customers/access-request-harness.ts';

let harness: AccessRequestHarness;
beforeAll(async () => {
  harness = await createAccessRequestHarness();
});
afterAll(() => harness.close());

const LATER = new Date(Date.now() + 200 * DAY_MS).toISOString();

describe('a caller whose clock is months ahead', () => {
  it('lets no request for access run out, nor be erased, before its time', async () => {
    // Asked for by the database's own time.
    harness.clock.advance(Date.now() - harness.clock.now().getTime());
    const { database, sql } = harness;
    const requestId = (await harness.ask()) ?? '';
    const asWorker = (step: string, moment: string) =>
      database.db.system((tx) =>
        tx.query<{ isDone: boolean }>('SELECT advance_access_request($1, $2, $3) AS "isDone"', [
          requestId,
          step,
          moment,
        ]),
      );
    expect(await asWorker('TELL', LATER)).toEqual([{ isDone: true }]);
    for (const step of ['REMIND', 'EXPIRE']) {
      expect(await asWorker(step, LATER), step).toEqual([{ isDone: false }]);
    }
    const operator = (await harness.addOperator()).id;
    await harness.decline(requestId, operator);
    expect(await asWorker('ERASE', LATER)).toEqual([{ isDone: false }]);
    const [row] = await sql('SELECT status, details, told_at FROM access_requests WHERE id = $1', [
      requestId,
    ]);
    expect(row).toMatchObject({ status: 'DECLINED', details: expect.any(Buffer) });
    expect((row?.['told_at'] as Date).getTime()).toBeLessThan(Date.now() + 6 * 60_000);
  });
});

describe('a proposal that has not run out', () => {
  let superuser: pg.Client;
  let approvalId: string;
  beforeAll(async () => {
    superuser = new pg.Client({ connectionString: harness.database.url });
    await superuser.connect();
  });
  afterAll(() => superuser.end());
  beforeEach(async () => {
    const customerId = await harness.database.db.system((tx) => addCustomer(tx));
    const { id } = await addTestOperator(
      { ...harness.people, clock: createTestClock() },
      'COMPLIANCE',
    );
    approvalId = newId('apr');
    await superuser.query(
      `INSERT INTO approvals (id, customer_id, environment, action, subject_id, subject_version, content,
         content_hash, proposed_by, proposed_at, reason, expires_at)
       VALUES ($1, $2, 'live', 'CUSTOMER_RESUMPTION', $2, 1, '{}', '', $3, now(), 'x',
         now() + interval '7 days')`,
      [approvalId, customerId, id],
    );
  });
  const refuse = (decidedBy: string, at: string) =>
    superuser.query<{ at: Date }>(
      `UPDATE approvals SET decision = 'REFUSED', decided_by = $2, decided_at = $3, decision_reason = 'x'
       WHERE id = $1 RETURNING decided_at AS at`,
      [approvalId, decidedBy, at],
    );

  it('is refused by operators alone, whatever time the caller says it is', async () => {
    for (const name of ['system:expiry', 'ada', 'opr_00000000000000000000000000']) {
      await expect(refuse(name, LATER), name).rejects.toMatchObject({
        constraint: 'approvals_are_operators',
      });
    }
    const { id } = await harness.addOperator();
    const { rows } = await refuse(id, LATER);
    expect(rows[0]?.at.getTime()).toBeLessThan(Date.now() + 6 * 60_000);
  });
});
