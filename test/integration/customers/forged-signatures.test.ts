import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decisionsAreSigned } from '../../../src/cli/verify/decisions-are-signed.ts';
import { connectToVerify, type Reader } from '../../../src/cli/verify/reader.ts';
import { listUnsignedApprovals } from '../../../src/db/approvals/operator-key-store.ts';
import type { SystemTransaction } from '../../../src/db/client/database.ts';
import { findApiKeys, type FoundApiKey } from '../../../src/db/customers/api-key-store.ts';
import { findCustomer } from '../../../src/db/customers/customer-status-store.ts';
import type { OperatorKeys } from '../../../src/domain/approvals/operator-keys.ts';
import { parseApiKeyToken } from '../../../src/modules/customers/api-key-token.ts';
import { createLiveApprovals } from '../../../src/modules/customers/live/live-approvals.ts';
import { approveProposal } from '../../../src/modules/operations/approve-proposal.ts';
import type { OperatorKeysFile } from '../../../src/server/config/operator-keys-config.ts';
import { keysOfFile, operatorKeys } from '../../../src/server/runtime/open-operator-keys.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { genuine, keysFileOf, WAYS, type Cast } from '../../support/forged-signatures.ts';
import { forgeApproval, putSignatures, putUse } from '../../support/forgeries.ts';
import { addApiKey, addCustomer } from '../../support/test-customer.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { createTestVault } from '../../support/test-vault.ts';
import { createTwoOperators, type TwoOperators } from '../../support/two-operators.ts';
import { UNSIGNED_COUNTS } from '../../support/unsigned-counts.ts';
import { countStatements } from '../../support/web/count-statements.ts';

const RANGE = '203.0.113.0/24';
// The attacker writes by the database's clock.
const clock = { now: () => new Date() };
const vault = createTestVault();

let database: TestDatabase;
let operators: TwoOperators;
let cast: Cast;
let keys: OperatorKeys;

beforeAll(async () => {
  database = await createTestDatabase();
  operators = createTwoOperators(database.people, clock);
  cast = {
    ada: await operators.operator('ada'),
    ben: await operators.operator('ben'),
    sam: await operators.operator('sam', 'SUPPORT'),
    mallory: await operators.operator('mallory'),
  };
  keys = keysOfFile(keysFileOf(cast));
});
afterAll(() => database.close());

type Way = Pick<(typeof WAYS)[number], 'by' | 'before' | 'signatures'>;

/** Writes the approval of something as one who has the login of the console. */
async function forge(
  tx: SystemTransaction,
  { by = ['ada', 'ben'], before, signatures }: Way,
  about: Parameters<typeof forgeApproval>[1],
): Promise<string> {
  await before?.(tx, cast);
  const [first, second] = by;
  const approval = await forgeApproval(tx, about, [cast[first], cast[second]]);
  await putSignatures(tx, approval.id, signatures(approval, cast));
  return approval.id;
}

/** What verify finds wrong with that approval: it names a few of all. */
async function violations(id: string, by: OperatorKeys = keys): Promise<number> {
  const connection = await connectToVerify(database.url);
  const reader: Reader = {
    look: connection.look,
    query: async <Row extends object>(sql: string, values?: unknown[]) => {
      const rows = await connection.query<Row>(sql, values);
      return rows.filter((row) => 'id' in row && row.id === id);
    },
  };
  try {
    return (await decisionsAreSigned(reader, by)).violations;
  } finally {
    await connection.close();
  }
}

/** A live key with an address that is written as approved. */
async function openAddress(way: Way) {
  const customerId = await database.db.system((tx) => addCustomer(tx));
  const order = { customerId, environment: 'live', pendingRanges: [RANGE] } as const;
  const { id: apiKeyId, token } = await database.db.system((tx) => addApiKey(tx, vault, order));
  const id = await database.people.system(async (tx) => {
    const [address] = await tx.query<{ id: string }>(
      'SELECT id FROM api_key_addresses WHERE api_key_id = $1',
      [apiKeyId],
    );
    const subjectId = address?.id ?? '';
    const about = { customerId, action: 'ADDRESS', subjectId, subjectVersion: 1 };
    const forged = await forge(tx, way, { ...about, content: { apiKeyId, range: RANGE } });
    await putUse(tx, forged, customerId);
    await tx.query(
      `UPDATE api_key_addresses SET status = 'APPROVED', decided_by = 'x', decided_at = now(), version = 2
       WHERE id = $1`,
      [subjectId],
    );
    return forged;
  });
  const { publicId = '' } = parseApiKeyToken(token) ?? {};
  const key = (await findApiKeys(database.db, [publicId])).get(publicId);
  if (key === undefined) throw new Error('there is no such key');
  expect(key).toMatchObject({ approvedRanges: [RANGE], rangeApprovals: [id] });
  return { id, key };
}

/** The ranges that the API lets the key in from, and why it does not. */
async function honoured(key: FoundApiKey, operatorKeys: OperatorKeys) {
  const unsigned: string[] = [];
  const onUnsigned = (id: string, why: string) => void unsigned.push(`${id} ${why}`);
  const approvals = createLiveApprovals({ db: database.db, clock, operatorKeys, onUnsigned });
  const { approvedRanges } = await approvals.honour(key);
  return { approvedRanges, unsigned };
}

/** A suspended customer whose resumption is written as approved. */
async function resume(way: Way) {
  const customerId = await database.db.system((tx) => addCustomer(tx));
  await database.people.system((tx) =>
    tx.query(`UPDATE customers SET status = 'SUSPENDED' WHERE id = $1`, [customerId]),
  );
  const id = await database.people.system(async (tx) => {
    const subjectVersion = (await findCustomer(tx, customerId))?.statusVersion ?? 0;
    const about = { customerId, action: 'CUSTOMER_RESUMPTION', subjectId: customerId };
    return forge(tx, way, { ...about, subjectVersion, content: { to: 'ACTIVE' } });
  });
  const status = async () =>
    (await database.people.system((tx) => findCustomer(tx, customerId)))?.status;
  const takeEffect = (operatorKeys: OperatorKeys) =>
    approveProposal({ ...operators.deps, operatorKeys }, id, {
      ...{ operator: cast.ben, reason: 'as agreed' },
    });
  return { status, takeEffect };
}

const asOwner = (sql: string, values: unknown[] = []) =>
  database.people.system(async (tx) => {
    await tx.query(
      `SELECT set_config('role', 'none', true), set_config('session_replication_role', 'replica', true)`,
    );
    await tx.query(sql, values);
  });

const NAMED = WAYS.map((way) => [way.what, way] as const);

describe('whoever has the database login of the console', () => {
  it.each(NAMED)('opens no address for a live key %s', async (_what, way) => {
    const { id, key } = await openAddress(way);
    const seen = await honoured(key, keys);
    expect(seen.approvedRanges).toEqual([]);
    expect(seen.unsigned).toContainEqual(expect.stringMatching(new RegExp(`^${id} .*${way.why}`)));
    expect(await violations(id)).toBe(1);
    // The rows say that it holds: without the check it would.
    expect((await honoured(key, UNSIGNED_COUNTS)).approvedRanges).toEqual([RANGE]);
  });

  it.each(NAMED)('brings nothing into effect in the console %s', async (_what, way) => {
    const { status, takeEffect } = await resume(way);
    await expect(takeEffect(keys)).rejects.toThrow(way.why);
    expect(await status()).toBe('SUSPENDED');
    await takeEffect(UNSIGNED_COUNTS);
    expect(await status()).toBe('ACTIVE');
  });
});

describe('what both operators signed', () => {
  it('counts at the API by the file as it is now, and costs no statement again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'operator-keys-'));
    const moving = createTestClock();
    const { db, statements } = countStatements(database.db);
    const operatorKeysFile = join(folder, 'keys.json');
    const put = (file: OperatorKeysFile): void => {
      writeFileSync(operatorKeysFile, JSON.stringify(file));
      moving.advance(1_000);
    };
    try {
      const file = keysFileOf(cast);
      put(file);
      const listener = { clock: moving, onRead: () => undefined, onUnusable: () => undefined };
      const watched = operatorKeys({ opsPasskey: 'required', operatorKeysFile }, vault, listener);
      const judging = { db, clock: moving, operatorKeys: watched, onUnsigned: () => undefined };
      const approvals = createLiveApprovals(judging);
      const { key } = await openAddress({ signatures: genuine });
      const ranges = async () => (await approvals.honour(key)).approvedRanges;
      expect(await ranges()).toEqual([RANGE]);
      const before = statements();
      expect(before).toBeGreaterThan(0);
      put({ ...file, keys: file.keys.filter(({ operator }) => operator !== cast.ben) });
      expect(await ranges()).toEqual([]);
      put(file);
      expect(await ranges()).toEqual([RANGE]);
      expect(statements()).toBe(before);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('takes effect by the same rows', async () => {
    const { status, takeEffect } = await resume({ signatures: genuine });
    await takeEffect(keys);
    expect(await status()).toBe('ACTIVE');
    const { id, key } = await openAddress({ signatures: genuine });
    expect(await honoured(key, keys)).toEqual({ approvedRanges: [RANGE], unsigned: [] });
    expect(await violations(id)).toBe(0);
  });

  it.each([
    [
      'what it lets in',
      `content = content || '{"range": "0.0.0.0/1"}', content_hash = sha256('x')`,
    ],
    ['its version', 'subject_version = 2'],
    ['its subject', `subject_id = 'alw_other'`],
    ['why it was proposed', `reason = 'as told'`],
    ['why it was approved', `decision_reason = 'as told'`],
    ['who approved it', `decided_by = 'opr_01m8k3v3ake02bmmh7az75m5ta'`],
  ])('does not count once an owner of the tables has changed %s', async (what, change) => {
    const { id, key } = await openAddress({ signatures: genuine });
    await asOwner(`UPDATE approvals SET ${change} WHERE id = $1`, [id]);
    const forged = { ...key, approvedRanges: [what === 'what it lets in' ? '0.0.0.0/1' : RANGE] };
    expect((await honoured(forged, UNSIGNED_COUNTS)).approvedRanges).toEqual(forged.approvedRanges);
    expect((await honoured(forged, keys)).approvedRanges).toEqual([]);
    expect(await violations(id)).toBe(1);
  });
});

describe('an approval from before decisions were signed', () => {
  it('counts as the keys file lists it, until an owner of the tables changes what it says', async () => {
    const unsigned = { signatures: () => [] };
    const [range, moved] = [await openAddress(unsigned), await openAddress(unsigned)];
    const other = await database.db.system((tx) => addCustomer(tx));
    const listed = await database.people.system((tx) => listUnsignedApprovals(tx));
    const before = listed.map(({ id, customerId, environment, contentHash }) => ({
      ...{ approval: id, customer: customerId, environment },
      contentHash: contentHash.toString('hex'),
    }));
    const listing = keysOfFile({ ...keysFileOf(cast), before });
    for (const { id, key } of [range, moved]) {
      expect((await honoured(key, listing)).approvedRanges).toEqual([RANGE]);
      expect(await violations(id, listing)).toBe(0);
    }
    await asOwner(
      `UPDATE approvals SET content = content || '{"range": "0.0.0.0/1"}' WHERE id = $1`,
      [range.id],
    );
    await asOwner(`UPDATE approvals SET customer_id = $2 WHERE id = $1`, [moved.id, other]);
    for (const { id, key } of [
      { ...range, key: { ...range.key, approvedRanges: ['0.0.0.0/1'] } },
      { ...moved, key: { ...moved.key, customerId: other } },
    ]) {
      // The rows say that it holds.
      expect((await honoured(key, UNSIGNED_COUNTS)).approvedRanges).toEqual(key.approvedRanges);
      expect((await honoured(key, listing)).approvedRanges).toEqual([]);
      expect(await violations(id, listing)).toBe(1);
    }
  });

  it('counts as unsigned where its signatures have no reason, and no new signature is without one', async () => {
    const { id, key } = await openAddress({ signatures: genuine });
    const forget = () =>
      asOwner('UPDATE approval_signatures SET reason = NULL WHERE approval_id = $1', [id]);
    await expect(forget()).rejects.toThrow('signatures_have_a_reason');
    await asOwner('ALTER TABLE approval_signatures DROP CONSTRAINT signatures_have_a_reason');
    await forget();
    const { approvedRanges, unsigned } = await honoured(key, keys);
    expect([approvedRanges, unsigned]).toEqual([[], [`${id} The proposal is not signed.`]]);
    expect(await violations(id)).toBe(1);
    const listed = await database.people.system((tx) => listUnsignedApprovals(tx));
    expect(listed.map((one) => one.id)).toContain(id);
  });
});
