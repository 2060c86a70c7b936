import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditIsSealed } from '../../../../src/cli/verify/audit-is-sealed.ts';
import { readOver } from '../../../../src/cli/verify/reader.ts';
import { createVault } from '../../../../src/vault/vault.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { auditLogOf } from '../../../support/sealed-audit-log.ts';
import { peppersOf, samplePepper } from '../../../support/test-vault.ts';

const [OLD, NEW] = [samplePepper(2), `1:${samplePepper(3)}`];
const [TOLD, ROTATING, RETIRED] = [`${NEW},${OLD}`, `${OLD},${NEW}`, `${OLD}:retired,${NEW}`];

const vaultOf = (peppers: string) =>
  createVault({
    ...{ encryption: new Map([[1, Buffer.alloc(32, 1)]]), currentKeyId: 1 },
    peppers: peppersOf(peppers),
  });

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  // The fourth seal is of a worker that still makes new hashes under the old pepper.
  for (const peppers of [OLD, TOLD, ROTATING, TOLD]) {
    const log = auditLogOf(database, undefined, vaultOf(peppers));
    await log.act(peppers.slice(0, 4));
    await log.seal();
  }
});
afterAll(async () => {
  await client.end();
  await database.close();
});

async function problems(peppers: string, breach = 'SELECT 1'): Promise<string[] | undefined> {
  await client.query('BEGIN');
  try {
    await client.query('SET LOCAL session_replication_role = replica');
    await client.query(breach);
    const found = await auditIsSealed(readOver(client), {
      peppers: peppersOf(peppers),
      kept: null,
    });
    return found?.samples.map(({ subject, problem }) => `${subject}: ${problem}`);
  } finally {
    await client.query('ROLLBACK');
  }
}

it('seals of an earlier pepper are accepted while it is given, retired or not', async () => {
  const { rows } = await client.query<{ number: number }>(
    'SELECT octet_length(mac) AS number FROM audit_seals ORDER BY number',
  );
  expect(rows.map(({ number }) => number)).toEqual([32, 32, 33, 33]);
  for (const peppers of [TOLD, ROTATING, RETIRED]) expect(await problems(peppers)).toEqual([]);
});

it('a seal under a pepper that is not given is named', async () => {
  expect(await problems(OLD)).toEqual(
    [3, 4].map((number) => `seal ${String(number)}: PEPPER has no number 1, which made it`),
  );
});

it('a seal that the old pepper alone makes is refused after a seal of the new one', async () => {
  const forged = `UPDATE audit_seals SET mac = $$\\x${vaultOf(OLD)
    .keyedHash('audit-seal', await hashOf(4))
    .toString('hex')}$$ WHERE number = 4`;
  const older = 'it was made with an earlier pepper than a seal before it';
  expect(await problems(ROTATING, forged)).toEqual([`seal 4: ${older}`]);
});

it('seals that the old pepper alone makes up to the end are refused once it is retired', async () => {
  const cut = 'DELETE FROM audit_seals WHERE number > 2';
  expect(await problems(RETIRED, cut)).toEqual([
    'seal 2: it is the last one, and was made with a retired pepper',
  ]);
});

async function hashOf(number: number): Promise<string> {
  const { rows } = await client.query<{ hash: string }>(
    `SELECT encode(hash, 'hex') AS hash FROM audit_seals WHERE number = $1`,
    [number],
  );
  return rows[0]?.hash ?? '';
}
