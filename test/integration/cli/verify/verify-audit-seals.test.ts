import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditIsSealed, type SealEvidence } from '../../../../src/cli/verify/audit-is-sealed.ts';
import { readOver } from '../../../../src/cli/verify/reader.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { auditLogOf } from '../../../support/sealed-audit-log.ts';
import { TEST_PEPPERS } from '../../../support/test-vault.ts';

let database: TestDatabase;
let client: pg.Client;
const log = () => auditLogOf(database);
let head: SealEvidence['kept'] = null;

/** Three seals over the rows 1, 2, 3; 5, 6 (4 was rolled back); and 7. Row 8 is not sealed yet. */
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url, options: '-c timezone=UTC' });
  await client.connect();
  const { act, seal, heads } = log();
  for (const round of [['one', 'two', 'three'], ['five', 'six'], ['seven']]) {
    for (const subject of round) {
      await act(`${subject} "quoted" \\ \u0001\u2028 ü 💶`, {
        reason: 'ü "x"',
        amount: 1.5,
        list: [null],
      });
    }
    await seal();
    if (round.length === 3) {
      await client.query('BEGIN');
      await client.query(
        `INSERT INTO audit_log (at, actor, action, subject) VALUES (now(), 'operator:ben', 'undone', '-')`,
      );
      await client.query('ROLLBACK');
    }
  }
  await act('eight');
  const newest = heads.at(-1);
  head = newest === undefined ? null : { number: newest.seal, hash: newest.hash };
});
afterAll(async () => {
  await client.end();
  await database.close();
});

/** What is found after SQL that a superuser runs with triggers off. Nothing of it stays. */
async function problemsAfter(breach: string, evidence: Partial<SealEvidence> = {}) {
  await client.query('BEGIN');
  try {
    await client.query('SET LOCAL session_replication_role = replica');
    await client.query(breach);
    const found = await auditIsSealed(readOver(client), {
      ...{ peppers: TEST_PEPPERS, kept: null, ...evidence },
    });
    if (found === null) return null;
    expect(found.samples).toHaveLength(found.violations);
    return found.samples.map(({ subject, problem }) => `${subject}: ${problem}`);
  } finally {
    await client.query('ROLLBACK');
  }
}

const ROW_OF_SEAL_2 = 'a row from 5 to 6, or the seal, was changed';
const MAC = 'it was not made with the PEPPER';

/** A seal whose hash is made to match what is there, and those after it, as who knows how they are made would. */
const REMAKE = `DO $$ DECLARE seal record; before bytea := decode(repeat('00', 32), 'hex'); made bytea;
BEGIN
  FOR seal IN SELECT * FROM audit_seals ORDER BY number LOOP
    SELECT sha256(convert_to(encode(before, 'hex') || chr(10) || string_agg('{"id":"' || id || '","at":"'
        || to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '","actor":' || to_json(actor)
        || ',"action":' || to_json(action) || ',"customerId":null,"environment":null,"subject":' || to_json(subject)
        || ',"details":' || details || '}' || chr(10), '' ORDER BY id) || concat_ws(' ', seal.number, seal.first_id,
        seal.last_id, seal.row_count, to_char(seal.sealed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
        || chr(10), 'UTF8')) INTO made
    FROM audit_log WHERE id BETWEEN seal.first_id AND seal.last_id;
    UPDATE audit_seals SET hash = made, previous_hash = before WHERE number = seal.number;
    before := made;
  END LOOP;
END $$`;

describe('verify follows the seals of the audit log, and', () => {
  it('finds nothing in what was sealed, and counts each row', async () => {
    expect(await problemsAfter('SELECT 1', { kept: head })).toEqual([]);
    const found = await auditIsSealed(readOver(client), { peppers: TEST_PEPPERS, kept: null });
    expect(found?.checked).toBe(7);
  });

  it.each([
    ['time', `at = at + interval '1 microsecond'`],
    ['time, to none', `at = 'infinity'`],
    ['actor', `actor = 'operator:ben'`],
    ['action', `action = 'release.resume'`],
    ['customer', `customer_id = 'cus_x'`],
    ['environment', `environment = 'live'`],
    ['subject', `subject = 'x'`],
    ['details', `details = '{}'`],
  ])('finds a row with another %s', async (_what, change) => {
    const breach = `UPDATE audit_log SET ${change} WHERE id = 5`;
    expect(await problemsAfter(breach)).toEqual([`seal 2: ${ROW_OF_SEAL_2}`]);
  });

  it('finds a row that was removed', async () => {
    expect(await problemsAfter('DELETE FROM audit_log WHERE id = 2')).toEqual([
      'seal 1: it has 3 rows up to row 3, and there are 2',
    ]);
  });

  it.each([
    ['among sealed ones', 4, 'seal 2: it has 2 rows up to row 6, and there are 3'],
    ['before all others', -1, 'seal 1: it has 3 rows up to row 3, and there are 4'],
  ])('finds a row that was put %s', async (_where, id, problem) => {
    const breach = `INSERT INTO audit_log (id, at, actor, action, subject) OVERRIDING SYSTEM VALUE
      VALUES (${String(id)}, 'infinity', 'operator:ben', 'x', 'x')`;
    expect(await problemsAfter(breach)).toEqual([problem]);
  });

  it('finds rows that took each other’s place', async () => {
    const swapped = `CREATE TEMP TABLE was ON COMMIT DROP AS SELECT * FROM audit_log WHERE id IN (5, 6);
      DELETE FROM audit_log WHERE id IN (5, 6); INSERT INTO audit_log OVERRIDING SYSTEM VALUE
      SELECT 11 - id, at, actor, action, customer_id, environment, subject, details FROM was`;
    expect(await problemsAfter(swapped)).toEqual([`seal 2: ${ROW_OF_SEAL_2}`]);
  });

  it('finds an end that was cut off, of rows and, by a seal that was kept, of seals', async () => {
    const rows = 'DELETE FROM audit_log WHERE id >= 7';
    expect(await problemsAfter(rows)).toEqual([
      'seal 3: it has 1 rows up to row 7, and there are 0',
    ]);
    const both = `${rows}; DELETE FROM audit_seals WHERE number = 3`;
    expect(await problemsAfter(both)).toEqual([]);
    const cut = 'seal 3: is not there with the hash that was kept';
    expect(await problemsAfter(both, { kept: head })).toEqual([cut]);
    const all = 'DELETE FROM audit_log; DELETE FROM audit_seals';
    expect(await problemsAfter(all, { kept: head, peppers: null })).toEqual([cut]);
  });

  it.each([
    ['time', `sealed_at = sealed_at + interval '1 microsecond'`, [ROW_OF_SEAL_2]],
    ['first row', 'first_id = 4', ['a row from 4 to 6, or the seal, was changed']],
    ['hash before', 'previous_hash = hash', ['it does not follow from the seal before']],
    ['MAC', 'mac = hash', [MAC]],
  ])('finds a seal with another %s', async (_what, change, problems) => {
    const breach = `UPDATE audit_seals SET ${change} WHERE number = 2`;
    expect(await problemsAfter(breach)).toEqual(problems.map((problem) => `seal 2: ${problem}`));
  });

  it('finds a seal that was removed', async () => {
    expect(await problemsAfter('DELETE FROM audit_seals WHERE number = 2')).toEqual([
      'seal 3: the seal before it is missing',
    ]);
  });

  it('finds rows whose seals were all made anew, by their MACs or by a seal that was kept', async () => {
    expect(await problemsAfter(REMAKE)).toEqual([]);
    const breach = `UPDATE audit_log SET actor = 'operator:ben' WHERE id = 2; ${REMAKE}`;
    expect(await problemsAfter(breach)).toEqual(
      [1, 2, 3].map((nr) => `seal ${String(nr)}: ${MAC}`),
    );
    expect(await problemsAfter(breach, { peppers: null })).toEqual([]);
    expect(await problemsAfter(breach, { peppers: null, kept: head })).toEqual([
      'seal 3: is not there with the hash that was kept',
    ]);
  });

  it('finds a row that is old and has no seal, also where all seals are gone', async () => {
    const late = `INSERT INTO audit_log (at, actor, action, subject)
      VALUES (now() - interval '2 hours', 'operator:ben', 'x', 'x')`;
    const unsealed = [
      expect.stringMatching(/^audit log \d+: is more than an hour old and not sealed$/),
    ];
    expect(await problemsAfter(late)).toEqual(unsealed);
    expect(await problemsAfter(`${late}; DELETE FROM audit_seals`)).toEqual(unsealed);
  });

  it('says nothing of a log that was never sealed, without the pepper', async () => {
    expect(await problemsAfter('DELETE FROM audit_seals', { peppers: null })).toBeNull();
  });
});
