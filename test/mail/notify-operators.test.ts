import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { notifyOperators } from '../../src/mail/notify-operators.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { holdStalled } from '../support/hold-stalled.ts';
import { seedPayingCustomer } from '../support/seed-payments.ts';
import { createTestClock } from '../support/test-clock.ts';
import { addApiKey } from '../support/test-customer.ts';
import { addTestOperator } from '../support/test-people.ts';
import { createTestVault } from '../support/test-vault.ts';

const vault = createTestVault();
const clock = createTestClock();
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const { people } = database;
  for (const role of ['OPERATIONS', 'COMPLIANCE', 'SUPPORT'] as const) {
    await addTestOperator({ people, vault, clock }, role);
  }
}, 60_000);
afterAll(() => database.close());

/** As the worker runs it: its role writes mails and reads whom they go to. */
const notify = () =>
  notifyOperators({ db: database.db, vault, clock, opsUrl: 'http://ops.localhost:8082' });
const count = async (kind: string) => {
  const rows = await database.db.system((tx) =>
    tx.query('SELECT id FROM mails WHERE kind = $1', [kind]),
  );
  return rows.length;
};

describe('operators are mailed what waits for them', { timeout: 60_000 }, () => {
  it('payments that are stuck: once a day, to those who may decide, however often it runs', async () => {
    const live = await seedPayingCustomer(database.db, 'live');
    const hold = async () => {
      const { id } = await live.pay({ fate: 'UNKNOWN', at: clock.now() });
      await holdStalled({ db: database.db, clock }, live.scope, id);
    };
    await notify();
    expect(await count('OPS_PAYMENTS_STUCK')).toBe(0);
    await hold();
    await Promise.all([notify(), notify(), notify()]);
    await notify();
    expect(await count('OPS_PAYMENTS_STUCK')).toBe(1);
    // Another one soon after waits for the next mail.
    await hold();
    clock.advance(60_000);
    await notify();
    expect(await count('OPS_PAYMENTS_STUCK')).toBe(1);
    clock.advance(15 * 60_000);
    await notify();
    expect(await count('OPS_PAYMENTS_STUCK')).toBe(2);
    clock.advance(25 * 3_600_000);
    await notify();
    await notify();
    expect(await count('OPS_PAYMENTS_STUCK')).toBe(3);
  });

  it('addresses that are proposed: once each, to compliance alone', async () => {
    const { scope } = await seedPayingCustomer(database.db, 'live');
    const { id } = await database.db.system((tx) =>
      addApiKey(tx, vault, { ...scope, approvedRanges: [] }),
    );
    const propose = (range: string) =>
      database.people.write(scope, (tx) =>
        tx.query(
          `INSERT INTO api_key_addresses (customer_id, environment, api_key_id, range, created_at)
           VALUES ($1, $2, $3, $4, $5)`,
          [scope.customerId, scope.environment, id, range, clock.now()],
        ),
      );
    await propose('203.0.113.7/32');
    await propose('203.0.113.8/32');
    await Promise.all([notify(), notify()]);
    await notify();
    expect(await count('OPS_DECISION_WAITING')).toBe(1);
    await propose('203.0.113.9/32');
    await notify();
    expect(await count('OPS_DECISION_WAITING')).toBe(2);
  });
});
