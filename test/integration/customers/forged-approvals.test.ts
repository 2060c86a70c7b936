import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decisionsAreSigned } from '../../../src/cli/verify/decisions-are-signed.ts';
import { connectToVerify } from '../../../src/cli/verify/reader.ts';
import type { SystemTransaction } from '../../../src/db/client/database.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import { findApiKeys, type FoundApiKey } from '../../../src/db/customers/api-key-store.ts';
import { decideApproval } from '../../../src/modules/approvals/decide-approval.ts';
import { writeSetItem } from '../../../src/modules/reconciliation/exceptions/exception-set.ts';
import { proposeApproval } from '../../../src/modules/approvals/propose-approval.ts';
import { parseApiKeyToken } from '../../../src/modules/customers/api-key-token.ts';
import { createLiveApprovals } from '../../../src/modules/customers/live/live-approvals.ts';
import { proposeLiveAccess } from '../../../src/modules/customers/live/grant-live-access.ts';
import { findLiveRequest } from '../../../src/db/customers/live-request-store.ts';
import { approveProposal } from '../../../src/modules/operations/approve-proposal.ts';
import type { EffectDeps } from '../../../src/modules/operations/apply-approval.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { putUse } from '../../support/forgeries.ts';
import { createGoingLive } from '../../support/going-live.ts';
import { signedBy, SOFTWARE_KEYS } from '../../support/software-signing.ts';
import { addApiKey, addCustomer } from '../../support/test-customer.ts';
import { createTestVault } from '../../support/test-vault.ts';
import { createTwoOperators, type TwoOperators } from '../../support/two-operators.ts';

const RANGE = '203.0.113.0/24';
// The attacker writes by the database's clock.
const clock = { now: () => new Date() };
const vault = createTestVault();

let database: TestDatabase;
let deps: EffectDeps;
let operators: TwoOperators;
let [ada, ben] = ['', ''];

beforeAll(async () => {
  database = await createTestDatabase();
  operators = createTwoOperators(database.people, clock);
  deps = { ...operators.deps, operatorKeys: SOFTWARE_KEYS };
  [ada, ben] = [await operators.operator('ada'), await operators.operator('ben')];
});
afterAll(() => database.close());

const asConsole = <Result>(work: (tx: SystemTransaction) => Promise<Result>) =>
  database.people.system(work);

async function find(token: string): Promise<FoundApiKey> {
  const id = parseApiKeyToken(token)?.publicId ?? '';
  const found = (await findApiKeys(database.db, [id])).get(id);
  if (found === undefined) throw new Error('there is no such key');
  return found;
}

async function liveKey(approvedRanges: readonly string[]) {
  const customerId = await database.db.system((tx) => addCustomer(tx));
  const order = { customerId, environment: 'live', approvedRanges } as const;
  const { token } = await database.db.system((tx) => addApiKey(tx, vault, order));
  return { customerId, key: await find(token) };
}

/** What the API lets in, and of which approvals it says that they do not count. */
async function honoured(key: FoundApiKey) {
  const unsigned: string[] = [];
  const onUnsigned = (id: string) => void unsigned.push(id);
  const judging = { db: database.db, clock, operatorKeys: SOFTWARE_KEYS };
  const approvals = createLiveApprovals({ ...judging, onUnsigned });
  return { ...(await approvals.honour(key)), unsigned };
}

async function violations(): Promise<readonly string[]> {
  const connection = await connectToVerify(database.url);
  try {
    const { samples } = await decisionsAreSigned(connection, SOFTWARE_KEYS);
    return samples.map(({ subject }) => subject);
  } finally {
    await connection.close();
  }
}

describe('whoever has the database login of the console', () => {
  it('makes no genuine approval unknown by naming it for a key of another customer', async () => {
    const { customerId, key } = await liveKey([RANGE]);
    const live = { ...key, hasLiveAccess: true };
    const other = await liveKey([]);
    expect(other.customerId).not.toBe(customerId);
    const approvals = createLiveApprovals({
      ...{ db: database.db, clock, operatorKeys: SOFTWARE_KEYS, onUnsigned: () => undefined },
    });
    const forged = { ...live, customerId: other.customerId };
    expect((await approvals.honour(forged)).approvedRanges).toEqual([]);
    expect((await approvals.honour(live)).approvedRanges).toEqual([RANGE]);
  });
});

async function withoutTheDatabasesOwnTest() {
  const owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  await owner.query(`ALTER TABLE approvals DISABLE TRIGGER guard_approval_of_set`);
  await owner.query(`ALTER TABLE approvals DISABLE TRIGGER guard_decision_of_set`);
  await owner.end();
}

describe('an item of a set that two operators signed', () => {
  it('needs no signature of its own where the set lists it, and is found where it does not', async () => {
    const [one, other] = [
      await operators.operator('carl', 'OPERATIONS'),
      await operators.operator('dora', 'OPERATIONS'),
    ];
    const customerId = await database.db.system((tx) => addCustomer(tx));
    const scope = { customerId, environment: 'live' } as const;
    const content = { act: 'DISMISS', customerId, rule: 'a rule' };
    const listed = { exceptionId: 'exc_listed', version: 3, content };
    const set = await proposeApproval(
      deps,
      scope,
      {
        ...{ action: 'EXCEPTION_SET', subjectId: `${newId('apr')}/x`, subjectVersion: 1 },
        content: { items: [writeSetItem(listed)] },
      },
      signedBy(one),
    );
    await decideApproval(deps, set ?? '', 'APPROVED', signedBy(other));
    const item = async (exceptionId: string, version: number) => {
      const about = { action: 'EXCEPTION_ACT', subjectId: exceptionId } as const;
      const proposal = {
        ...about,
        subjectVersion: version,
        content: { ...content, set: set ?? '' },
      };
      const id = await proposeApproval(deps, scope, proposal, { operator: one, reason: 'a rule' });
      const deciding = { ...deps, operatorKeys: 'SIGNED_AS_A_SET' } as const;
      const word = { operator: other, reason: 'a rule' };
      await decideApproval(deciding, id ?? '', 'APPROVED', word);
      await database.people.write(scope, (tx) => putUse(tx, id ?? '', customerId));
      return id;
    };
    const own = await item('exc_listed', 3);
    await withoutTheDatabasesOwnTest();
    const [another, later] = [await item('exc_other', 3), await item('exc_listed', 4)];
    const found = await violations();
    expect(found).not.toContain(own);
    expect(found).toEqual(expect.arrayContaining([another, later]));
  });
});

describe('live access that two operators signed', () => {
  it('holds at the API with its addresses, and not once its approval is another one', async () => {
    const going = createGoingLive(database.people, clock);
    await going.publish();
    const { customerId, ownerId } = await going.newCustomer();
    await going.prepare(customerId, ownerId);
    const request = await going.request(customerId, ownerId);
    const row = await asConsole((tx) => findLiveRequest(tx, request));
    if (row === null) throw new Error('there is no such request');
    const id = await proposeLiveAccess(deps, row, signedBy(ada));
    await approveProposal(deps, id ?? '', signedBy(ben));
    const order = { customerId, environment: 'live', approvedRanges: [RANGE] } as const;
    const { token } = await database.db.system((tx) => addApiKey(tx, vault, order));
    const key = await find(token);
    expect(key.liveApproval).toBe(id);
    const seen = await honoured(key);
    expect(seen).toMatchObject({ hasLiveAccess: true, approvedRanges: [RANGE], unsigned: [] });
    const other = { ...key, liveApproval: key.rangeApprovals[0] ?? '' };
    expect((await honoured(other)).hasLiveAccess).toBe(false);
    expect((await honoured({ ...key, liveApproval: null })).hasLiveAccess).toBe(false);
    expect(await violations()).not.toContain(id);
  });
});
