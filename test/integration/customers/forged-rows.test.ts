import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { voidApproval } from '../../../src/db/approvals/approval-store.ts';
import type { AnyTransaction, SystemTransaction } from '../../../src/db/client/database.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { forgeApproval, putPasskey, putUse } from '../../support/forgeries.ts';
import { ROW_WAYS, type Login } from '../../support/forged-rows.ts';
import { addApiKey, addCustomer } from '../../support/test-customer.ts';
import { addTestOperator, addUnconfirmedOperator } from '../../support/test-people.ts';
import { createTestVault } from '../../support/test-vault.ts';

const clock = { now: () => new Date() };
const vault = createTestVault();

let database: TestDatabase;
/** What the statements name, by the names that they have there. */
let world: Readonly<Record<string, string>>;

beforeAll(async () => {
  database = await createTestDatabase();
  const { people } = database;
  const deps = { people, vault, clock };
  await addTestOperator(deps, 'ADMIN');
  const [ada, ben, carl] = [
    await addTestOperator(deps, 'COMPLIANCE'),
    await addTestOperator(deps, 'COMPLIANCE'),
    await addTestOperator(deps, 'COMPLIANCE'),
  ].map(({ id }) => id) as [string, string, string];
  const { id: unconfirmed } = await addUnconfirmedOperator(deps, 'COMPLIANCE');
  const customer = await database.db.system((tx) => addCustomer(tx));
  const closed = await database.db.system((tx) => addCustomer(tx, { hasLiveAccess: false }));
  const order = { customerId: customer, environment: 'live' } as const;
  const ranges = { approvedRanges: ['203.0.113.0/24'], pendingRanges: ['198.51.100.0/24'] };
  const { id: key } = await database.db.system((tx) =>
    addApiKey(tx, vault, { ...order, ...ranges }),
  );
  world = await people.system(async (tx) => {
    await tx.query(`UPDATE customers SET status = 'SUSPENDED' WHERE id = $1`, [customer]);
    const approve = async () => {
      const about = { customerId: customer, action: 'KYC_OVERRIDE', subjectId: newId('kyc') };
      const content = { to: 'APPROVED' };
      return (await forgeApproval(tx, { ...about, subjectVersion: 1, content }, [ada, ben])).id;
    };
    const propose = (proposedBy: string, life = '1 day') =>
      proposal(tx, customer, proposedBy, life);
    const withdrawn = await approve();
    await voidApproval(tx, withdrawn, {
      as: 'WITHDRAWN',
      operator: ada,
      reason: 'x',
      at: clock.now(),
    });
    const refused = await propose(ada);
    await tx.query(
      `UPDATE approvals SET decision = 'REFUSED', decided_by = $2, decided_at = now(), decision_reason = 'x' WHERE id = $1`,
      [refused, ben],
    );
    const used = await approve();
    await putUse(tx, used, customer);
    await tx.query(
      `INSERT INTO approval_signatures SELECT id, 'APPROVE', customer_id, environment, $2, 'x', repeat('x', 37)::bytea,
         'x', 'x', now(), 'x' FROM approvals WHERE id = $1`,
      [used, ben],
    );
    const addresses = await tx.query<{ id: string; status: string }>(
      'SELECT id, status FROM api_key_addresses WHERE api_key_id = $1',
      [key],
    );
    const inStatus = (status: string) => addresses.find((one) => one.status === status)?.id ?? '';
    return {
      ...{ ada, ben, carl, unconfirmed, customer, closed, withdrawn, refused, used },
      ...{
        waiting: await propose(ada),
        handedIn: await propose('root'),
        approved: await approve(),
      },
      ...{ expired: await propose(ada, '1 millisecond') },
      ...{ address: inStatus('PENDING'), open: inStatus('APPROVED') },
      ...{ passkey: await passkey(tx, ben), removedPasskey: await passkey(tx, ben) },
    };
  });
  await asOwner(async (tx) => {
    await tx.query('ALTER TABLE passkeys DISABLE TRIGGER guard_passkey');
    await tx.query('UPDATE passkeys SET removed_at = now() WHERE id = $1', [
      world['removedPasskey'],
    ]);
    await tx.query('ALTER TABLE passkeys ENABLE TRIGGER guard_passkey');
  });
});
afterAll(() => database.close());

async function proposal(
  tx: SystemTransaction,
  customer: string,
  proposedBy: string,
  life: string,
): Promise<string> {
  const id = newId('apr');
  await tx.query(
    `INSERT INTO approvals (id, customer_id, environment, action, subject_id, subject_version, content, proposed_by,
       proposed_at, reason, expires_at)
     VALUES ($1, $2, 'live', 'KYC_OVERRIDE', $3, 1, '{}', $4, now(), 'x', now() + $5::interval)`,
    [id, customer, newId('kyc'), proposedBy, life],
  );
  return id;
}

async function passkey(tx: SystemTransaction, operatorId: string): Promise<string> {
  const credentialId = Buffer.from(newId('psk'));
  await putPasskey(tx, operatorId, { credentialId, publicKey: credentialId });
  const [row] = await tx.query<{ id: string }>(
    'UPDATE passkeys SET counter = 5 WHERE credential_id = $1 RETURNING id',
    [credentialId],
  );
  return row?.id ?? '';
}

/** As the superuser whose login the tests have: past every grant. */
const asOwner = <Result>(work: (tx: SystemTransaction) => Promise<Result>) =>
  database.people.system(async (tx) => {
    await tx.query(`SELECT set_config('role', 'none', true)`);
    return work(tx);
  });

/** Runs a statement with those values of the world that it names; answers how many rows it wrote or answered. */
async function run(tx: AnyTransaction, sql: string): Promise<number> {
  const names = [...sql.matchAll(/(?<!:):([A-Za-z]\w*)/g)].map(([, name = '']) => name);
  const values = Object.fromEntries(names.map((name) => [name, world[name]]));
  return (await tx.query(sql, values)).length;
}

function attempt(login: Login, sql: string): Promise<number> {
  const { db, people, dashboard, commands } = database;
  const scope = { customerId: world['customer'] ?? '', environment: 'live' } as const;
  switch (login) {
    case 'console':
      return people.system((tx) => run(tx, sql));
    case 'ops':
      return commands.system((tx) => run(tx, sql));
    case 'ops in a scope':
      return commands.write(scope, (tx) => run(tx, sql));
    case 'dashboard before a scope':
      return dashboard.system((tx) => run(tx, sql));
    case 'dashboard':
      return dashboard.write(scope, (tx) => run(tx, sql));
    case 'worker':
      return db.system((tx) => run(tx, sql));
    case 'API':
      return db.write(scope, (tx) => run(tx, sql));
  }
}

/** Carries the count of rows out of a transaction that is undone. */
class Undone extends Error {
  readonly rows: number;

  constructor(rows: number) {
    super('undone');
    this.rows = rows;
  }
}

describe('by rows alone, nobody decides for two operators', () => {
  it.each(ROW_WAYS.map((way) => [way.login, way.what, way] as const))(
    'who has the login of the %s: %s',
    async (_login, _what, { login, sql, stop, without = [] }) => {
      const refusal = await attempt(login, sql).then(() => 'nothing', wordsOf);
      expect(refusal).toMatch(stop === 'GRANT' ? /^42501 / : new RegExp(`^23.*${stop.guard}`));
      // Past that grant or guard the same statement does it.
      const done = asOwner(async (tx) => {
        for (const one of without) await tx.query(one);
        throw new Undone(
          await run(tx, sql.startsWith('SELECT') ? sql : `${sql} RETURNING 1 AS one`),
        );
      });
      await expect(done).rejects.toMatchObject({ message: 'undone', rows: 1 });
    },
  );
});

/** SQLSTATE, the name of a constraint, and what is refused. */
const wordsOf = (error: unknown): string => {
  if (!(error instanceof Error)) throw error;
  const { code = '', constraint = '' } = error as { code?: string; constraint?: string };
  return `${code} ${constraint} ${error.message}`;
};
