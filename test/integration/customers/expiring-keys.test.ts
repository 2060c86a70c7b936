import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiKey } from '../../../src/modules/customers/create-api-key.ts';
import { mailExpiringKeys } from '../../../src/modules/customers/mail-expiring-keys.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { addCustomer } from '../../support/test-customer.ts';
import { addTestUser } from '../../support/test-people.ts';
import { createTestVault } from '../../support/test-vault.ts';

const DAY_MS = 86_400_000;
const by = { kind: 'USER', id: 'usr_test' } as const;

const clock = createTestClock();
const vault = createTestVault();
let database: TestDatabase;
let customerId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  customerId = await database.db.system((tx) => addCustomer(tx));
  await addTestUser({ people: database.people, vault, clock }, customerId, 'OWNER');
});
afterAll(() => database.close());

const rows = <Row extends object>(sql: string, values: unknown[] = []) =>
  database.people.system((tx) => tx.query<Row>(sql, values));

describe('the mail before a key expires', () => {
  it('comes 30, 7 and 1 days before, once each however often and by how many it is looked for', async () => {
    const scope = { customerId, environment: 'live' } as const;
    const deps = {
      vault,
      clock,
      dashboardUrl: 'http://dashboard.example',
      apiUrl: 'http://localhost:8080',
    };
    const make = (days: number) =>
      database.people.write(scope, (tx) =>
        createApiKey(deps, tx, scope, {
          ...{ name: 'deploy', days, by },
          random: { publicId: randomBytes(9), secret: randomBytes(32) },
        }),
      );
    const { id } = await make(40);
    // Made within its days: who made it knows.
    await make(5);
    const look = () =>
      Promise.all([1, 2, 3].map(() => mailExpiringKeys({ ...deps, db: database.db, page: 1 })));
    const told = async () =>
      Number(
        (
          await rows<{ count: bigint }>(
            `SELECT count(*) AS count FROM mails WHERE kind = 'KEY_EXPIRING' AND customer_id = $1`,
            [customerId],
          )
        )[0]?.count,
      );
    const counts: number[] = [];
    for (const days of [0, 10, 10, 13, 5, 1.5, 0.4, 1]) {
      clock.advance(days * DAY_MS);
      await look();
      await look();
      counts.push(await told());
    }
    // Days 0, 10, 20, 33, 38, 39.5, 39.9 and 40.9 of 40.
    expect(counts).toEqual([0, 1, 1, 2, 2, 3, 3, 3]);
    const notices = await rows<{ days: number }>(
      'SELECT days FROM api_key_notices WHERE api_key_id = $1 ORDER BY days DESC',
      [id],
    );
    expect(notices.map(({ days }) => days)).toEqual([30, 7, 1]);
  });
});
