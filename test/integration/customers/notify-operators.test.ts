import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  proposeApproval,
  type OperatorAct,
  type UserRequest,
} from '../../../src/modules/approvals/propose-approval.ts';
import { readWaiting } from '../../../src/db/operations/waiting-store.ts';
import { notifyOperators } from '../../../src/modules/customers/mail/notify-operators.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { addWaitingPayment, hex } from '../../support/deposit-harness.ts';
import { holdStalled } from '../../support/hold-stalled.ts';
import { seedPayingCustomer } from '../../support/seed-payments.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { addApiKey } from '../../support/test-customer.ts';
import { addTestOperator, addTestUser } from '../../support/test-people.ts';
import { createTestVault } from '../../support/test-vault.ts';
import { plantRows } from '../../support/plant-rows.ts';

const vault = createTestVault();
const clock = createTestClock();
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const { people } = database;
  for (const role of ['OPERATIONS', 'COMPLIANCE', 'SUPPORT'] as const) {
    await addTestOperator({ people, vault, clock }, role);
  }
});
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

const plant = (sql: string) => plantRows(database, sql);

describe('operators are mailed what waits for them', () => {
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
    // One that a network may have paid before a restore.
    const { id } = await live.pay({ fate: 'UNKNOWN', at: clock.now() });
    await plant(`UPDATE settlement_attempts SET held_by = 'NETWORK_UNSURE BASE', is_restored = true
      WHERE payment_id = '${id}'`);
    clock.advance(15 * 60_000);
    await notify();
    await notify();
    expect(await count('OPS_PAYMENTS_STUCK')).toBe(4);
  });

  it('what of live waits on chains: once each, and not before it waits', async () => {
    const { paymentId, scope, see } = await addWaitingPayment(database.db);
    const [held, blocked, due] = [await see(), await see(), await see()];
    const at = clock.now().toISOString();
    await plant(
      `UPDATE deposits SET environment = 'live'; UPDATE payments SET environment = 'live';
       UPDATE payment_fundings SET environment = 'live'`,
    );
    const kinds: Readonly<Record<string, string>> = {
      DEPOSIT_HELD: `UPDATE deposits SET review = 'HELD' WHERE id = '${held.id}'`,
      DEPOSIT_BLOCKED: `UPDATE deposits SET status = 'BLOCKED', applied_to = 'SUSPENSE'
        WHERE id = '${blocked.id}'`,
      WALLET_REVIEW: `INSERT INTO wallet_reviews (id, customer_id, environment, wallet_id, verdict,
          list_version, found_at, opened_at)
        SELECT 'wrv_sample', customer_id, environment, wallet_id, 'REVIEW', 'made up', 'RELEASE', '${at}'
        FROM payments WHERE id = '${paymentId}'`,
      CHAIN_STOP: `INSERT INTO chain_stops VALUES ('live', 'BASE', 7, '${hex(32)}', '${at}')`,
      DEPOSIT_NOT_PAID_ON: `INSERT INTO deposit_onward
          (deposit_id, customer_id, environment, created_at, updated_at)
        VALUES ('${due.id}', '${scope.customerId}', 'live', '${at}', '${at}')`,
      CHAIN_NOT_READ: `INSERT INTO chain_cursors (environment, network, kind, block_number, block_hash,
          block_at, created_at, updated_at)
        VALUES ('live', 'BASE', 'FINAL', 7, '${hex(32)}', '${at}', '${at}', '${at}'),
          ('live', 'ETHEREUM', 'FINAL', 7, '${hex(32)}', '${at}', '${at}', '${at}'),
          ('live', 'ETHEREUM', 'HEAD', 9, '${hex(32)}', '${at}', '${at}', '${at}'),
          ('test', 'POLYGON', 'FINAL', 7, '${hex(32)}', '${at}', '${at}', '${at}')`,
    };
    /** How long it takes until what is there waits for operators. */
    const waits: Readonly<Record<string, number>> = {
      DEPOSIT_NOT_PAID_ON: 10 * 60_000,
      CHAIN_NOT_READ: 50 * 60_000,
    };
    const now = async () => {
      const rows = await database.people.system((tx) => readWaiting(tx, clock.now()));
      return [await count('OPS_MONEY_WAITING'), rows.map(({ kind }) => kind).sort()] as const;
    };
    let [told, waiting] = await now();
    for (const [kind, sql] of Object.entries(kinds)) {
      await plant(sql);
      const wait = waits[kind];
      if (wait !== undefined) {
        await notify();
        expect(await now()).toEqual([told, waiting]);
        clock.advance(wait);
      }
      await Promise.all([notify(), notify()]);
      await notify();
      [told, waiting] = [told + 1, [...waiting, kind as (typeof waiting)[number]].sort()];
      expect(await now()).toEqual([told, waiting]);
    }
    // Neither the network that is stopped nor one of test.
    const rows = await database.people.system((tx) => readWaiting(tx, clock.now()));
    expect(rows.find(({ kind }) => kind === 'CHAIN_NOT_READ')).toMatchObject({ count: 1 });
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

  it('passkeys that an owner says a user has lost: once, and not what a command hands in', async () => {
    const { people } = database;
    const told = await count('OPS_DECISION_WAITING');
    const { scope } = await seedPayingCustomer(database.db, 'live');
    const person = async (role: 'OWNER' | 'VIEWER') =>
      (await addTestUser({ people, vault, clock }, scope.customerId, role)).id;
    const owner = await person('OWNER');
    const asked = await person('VIEWER');
    const handedIn = await person('VIEWER');
    const propose = (subjectId: string, by: OperatorAct | UserRequest) =>
      proposeApproval(
        { db: people, clock },
        scope,
        { action: 'REMOVE_PASSKEYS', subjectId, subjectVersion: 1, content: {} },
        by,
      );
    await propose(handedIn, { operator: 'ada', reason: 'called back' });
    await notify();
    expect(await count('OPS_DECISION_WAITING')).toBe(told);
    await propose(asked, { user: owner, reason: 'lost' });
    await Promise.all([notify(), notify()]);
    await notify();
    // Of compliance there is one.
    expect(await count('OPS_DECISION_WAITING')).toBe(told + 1);
  });
});
