import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decisionsAreSigned } from '../../../src/cli/verify/decisions-are-signed.ts';
import { connectToVerify } from '../../../src/cli/verify/reader.ts';
import { findApproval } from '../../../src/db/approvals/approval-store.ts';
import {
  listSignatures,
  type DecisionSignature,
} from '../../../src/db/approvals/approval-signature-store.ts';
import type { AnyTransaction, SystemTransaction } from '../../../src/db/client/database.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import { findApiKeys, type FoundApiKey } from '../../../src/db/customers/api-key-store.ts';
import { findCustomer } from '../../../src/db/customers/customer-status-store.ts';
import { decisionChallenge } from '../../../src/modules/approvals/signatures/decision-challenge.ts';
import { decideApproval } from '../../../src/modules/approvals/decide-approval.ts';
import { writeSetItem } from '../../../src/modules/reconciliation/exceptions/exception-set.ts';
import { proposeApproval } from '../../../src/modules/approvals/propose-approval.ts';
import { decisionOf } from '../../../src/modules/approvals/signatures/judge-signatures.ts';
import { parseApiKeyToken } from '../../../src/modules/customers/api-key-token.ts';
import { createLiveApprovals } from '../../../src/modules/customers/live/live-approvals.ts';
import { proposeLiveAccess } from '../../../src/modules/customers/live/grant-live-access.ts';
import { findLiveRequest } from '../../../src/db/customers/live-request-store.ts';
import { approveProposal } from '../../../src/modules/operations/approve-proposal.ts';
import type { EffectDeps } from '../../../src/modules/operations/apply-approval.ts';
import type { OperatorKeys } from '../../../src/domain/approvals/operator-keys.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createGoingLive } from '../../support/going-live.ts';
import { signedBy, SOFTWARE_KEYS } from '../../support/software-signing.ts';
import { addApiKey, addCustomer } from '../../support/test-customer.ts';
import { createTestVault } from '../../support/test-vault.ts';
import { createTwoOperators, type TwoOperators } from '../../support/two-operators.ts';
import { UNSIGNED_COUNTS } from '../../support/unsigned-counts.ts';

const RANGE = '203.0.113.0/24';
// The attacker writes by the database's clock.
const clock = { now: () => new Date() };
const vault = createTestVault();

let database: TestDatabase;
let deps: EffectDeps;
let operators: TwoOperators;
let [ada, ben] = ['', ''];
/** The signatures of an address that two operators did approve. */
let genuine: readonly DecisionSignature[];

beforeAll(async () => {
  database = await createTestDatabase();
  operators = createTwoOperators(database.people, clock);
  deps = { ...operators.deps, operatorKeys: SOFTWARE_KEYS };
  [ada, ben] = [await operators.operator('ada'), await operators.operator('ben')];
  const { key } = await liveKey([RANGE]);
  genuine = await asConsole((tx) => listSignatures(tx, key.rangeApprovals[0] ?? ''));
  expect(genuine).toHaveLength(2);
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

async function liveKey(approvedRanges: readonly string[], pendingRanges: readonly string[] = []) {
  const customerId = await database.db.system((tx) => addCustomer(tx));
  const order = { customerId, environment: 'live', approvedRanges, pendingRanges } as const;
  const { token } = await database.db.system((tx) => addApiKey(tx, vault, order));
  return { customerId, token, key: await find(token) };
}

/** What the API lets in, and of which approvals it says that they do not count. */
async function honoured(key: FoundApiKey, operatorKeys: OperatorKeys = SOFTWARE_KEYS) {
  const unsigned: string[] = [];
  const onUnsigned = (id: string) => void unsigned.push(id);
  const approvals = createLiveApprovals({ db: database.db, clock, operatorKeys, onUnsigned });
  return { ...(await approvals.honour(key)), unsigned };
}

interface Forgery {
  readonly customerId: string;
  readonly action: string;
  readonly subjectId: string;
  readonly subjectVersion: number;
  readonly content: Readonly<Record<string, string>>;
}

/** How an attacker with the console's login makes up what they cannot sign. */
const WAYS: readonly (readonly [
  string,
  (tx: SystemTransaction, id: string) => Promise<unknown>,
])[] = [
  ['without signatures', () => Promise.resolve()],
  ['with the signatures of another approval', (tx, id) => put(tx, id, genuine)],
  [
    'with those signatures in their own two names',
    (tx, id) =>
      put(
        tx,
        id,
        genuine.map((one) => ({ ...one, operatorId: one.step === 'PROPOSE' ? ada : ben })),
      ),
  ],
  ['with a key of their own, inserted as a passkey of both', signWithOwnKey],
  [
    'with the signature of one operator for both',
    async (tx, id) => {
      const approval = await findApproval(tx, id);
      if (approval === null) throw new Error('it was just written');
      const steps = ['PROPOSE', 'APPROVE'] as const;
      const signed = steps.map((step) => {
        const challenge = decisionChallenge(decisionOf(approval, step, ada));
        const assertion = SOFTWARE_KEYS.sign?.(ada, challenge);
        if (assertion === undefined) throw new Error('software keys sign');
        return { step, operatorId: step === 'PROPOSE' ? ada : ben, ...assertion };
      });
      return put(tx, id, signed);
    },
  ],
];

async function put(tx: SystemTransaction, id: string, signatures: readonly DecisionSignature[]) {
  for (const { step, operatorId, ...one } of signatures) {
    await tx.query(
      `INSERT INTO approval_signatures SELECT $1, $2, customer_id, environment, $3, $4, $5, $6, $7, now()
       FROM approvals WHERE id = $1`,
      [
        id,
        step,
        operatorId,
        one.credentialId,
        one.authenticatorData,
        one.clientData,
        one.signature,
      ],
    );
  }
}

async function signWithOwnKey(tx: SystemTransaction, id: string): Promise<void> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const approval = await findApproval(tx, id);
  if (approval === null) throw new Error('it was just written');
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const cose = Buffer.concat([
    ...[Buffer.from('a5010203262001215820', 'hex'), Buffer.from(x, 'base64url')],
    ...[Buffer.from('225820', 'hex'), Buffer.from(y, 'base64url')],
  ]);
  const origin = SOFTWARE_KEYS.origin;
  const rp = createHash('sha256').update(new URL(origin).hostname).digest();
  const authenticatorData = Buffer.concat([rp, Buffer.from([5, 0, 0, 0, 1])]);
  const signatures: DecisionSignature[] = [];
  for (const step of ['PROPOSE', 'APPROVE'] as const) {
    const operatorId = step === 'PROPOSE' ? ada : ben;
    const credentialId = Buffer.from(newId('psk'));
    await tx.query(
      `INSERT INTO passkeys (id, credential_id, public_key, counter, transports, operator_id, browser, created_at)
       VALUES ($1, $2, $3, 0, '{}', $4, 'x', now())`,
      [newId('psk'), credentialId, cose, operatorId],
    );
    const challenge = decisionChallenge(decisionOf(approval, step, operatorId));
    const clientData = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin }));
    const hash = createHash('sha256').update(clientData).digest();
    const signature = sign('sha256', Buffer.concat([authenticatorData, hash]), privateKey);
    signatures.push({
      ...{ step, operatorId, credentialId, authenticatorData, clientData, signature },
    });
  }
  await put(tx, id, signatures);
}

/** Writes an approval of two operators by hand. */
async function forge(tx: SystemTransaction, about: Forgery, forgeSignatures: (typeof WAYS)[0][1]) {
  const id = newId('apr');
  await tx.query(
    `INSERT INTO approvals (id, customer_id, environment, action, subject_id, subject_version, content,
       proposed_by, proposed_at, reason, expires_at)
     VALUES ($1, $2, 'live', $3, $4, $5, $6, $7, now(), 'x', now() + interval '1 day')`,
    [
      ...[id, about.customerId, about.action, about.subjectId, about.subjectVersion],
      ...[JSON.stringify(about.content), ada],
    ],
  );
  await tx.query(
    `UPDATE approvals SET decision = 'APPROVED', decided_by = $2, decided_at = now(), decision_reason = 'x'
     WHERE id = $1`,
    [id, ben],
  );
  await forgeSignatures(tx, id);
  return id;
}

const use = (tx: AnyTransaction, id: string, customerId: string) =>
  tx.query(
    `INSERT INTO approval_uses (approval_id, customer_id, environment, used_at) VALUES ($1, $2, 'live', now())`,
    [id, customerId],
  );

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
  it.each(WAYS)('opens no address for a live key %s', async (_way, forgeSignatures) => {
    const { customerId, token, key } = await liveKey([], [RANGE]);
    const id = await asConsole(async (tx) => {
      const [address] = await tx.query<{ id: string }>(
        'SELECT id FROM api_key_addresses WHERE api_key_id = $1',
        [key.id],
      );
      const about = { customerId, action: 'ADDRESS', subjectId: address?.id ?? '' };
      const content = { apiKeyId: key.id, range: RANGE };
      const forged = await forge(tx, { ...about, subjectVersion: 1, content }, forgeSignatures);
      await use(tx, forged, customerId);
      await tx.query(
        `UPDATE api_key_addresses SET status = 'APPROVED', decided_by = 'x', decided_at = now(), version = 2
         WHERE id = $1`,
        [address?.id],
      );
      return forged;
    });
    const forged = await find(token);
    // The rows say that it holds: without the check it would.
    expect(forged).toMatchObject({ approvedRanges: [RANGE], rangeApprovals: [id] });
    expect((await honoured(forged, UNSIGNED_COUNTS)).approvedRanges).toEqual([RANGE]);
    const seen = await honoured(forged);
    expect(seen.approvedRanges).toEqual([]);
    expect(seen.unsigned).toContain(id);
    expect(await violations()).toContain(id);
  });

  it.each(WAYS)('brings nothing into effect in the console %s', async (_way, forgeSignatures) => {
    const customerId = await database.db.system((tx) => addCustomer(tx));
    await asConsole((tx) =>
      tx.query(`UPDATE customers SET status = 'SUSPENDED' WHERE id = $1`, [customerId]),
    );
    const status = async () => (await asConsole((tx) => findCustomer(tx, customerId)))?.status;
    const subjectVersion = (await asConsole((tx) => findCustomer(tx, customerId)))?.statusVersion;
    const about = { customerId, action: 'CUSTOMER_RESUMPTION', subjectId: customerId };
    const content = { to: 'ACTIVE' };
    const forged = { ...about, subjectVersion: subjectVersion ?? 0, content };
    const id = await asConsole((tx) => forge(tx, forged, forgeSignatures));
    const again = { operator: ben, reason: 'as agreed' };
    await expect(approveProposal(deps, id, again)).rejects.toThrow(/sign/);
    expect(await status()).toBe('SUSPENDED');
    await approveProposal({ ...deps, operatorKeys: UNSIGNED_COUNTS }, id, again);
    expect(await status()).toBe('ACTIVE');
  });

  it('takes no operator’s proposal for a second one’s approval', async () => {
    const customerId = await database.db.system((tx) => addCustomer(tx));
    const scope = { customerId, environment: 'live' } as const;
    const proposal = {
      action: 'KYC_OVERRIDE',
      subjectId: newId('kyc'),
      subjectVersion: 1,
    } as const;
    const id = await proposeApproval(
      deps,
      scope,
      { ...proposal, content: { to: 'APPROVED' } },
      signedBy(ada),
    );
    await asConsole(async (tx) => {
      await tx.query(
        `UPDATE approvals SET decision = 'APPROVED', decided_by = $2, decided_at = now(), decision_reason = 'x'
         WHERE id = $1`,
        [id, ben],
      );
      const [signed] = await listSignatures(tx, id ?? '');
      if (signed === undefined) throw new Error('the proposal is signed');
      await put(tx, id ?? '', [{ ...signed, step: 'APPROVE', operatorId: ben }]);
    });
    const again = { operator: ben, reason: 'as agreed' };
    await expect(approveProposal(deps, id ?? '', again)).rejects.toThrow(
      'The approval is signed with a key that is not in the operator keys file.',
    );
  });

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

  it('changes no signature', async () => {
    const change = asConsole((tx) =>
      tx.query(`UPDATE approval_signatures SET operator_id = $1`, [ben]),
    );
    await expect(change).rejects.toThrow();
    await expect(asConsole((tx) => tx.query('DELETE FROM approval_signatures'))).rejects.toThrow();
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
      await database.people.write(scope, (tx) => use(tx, id ?? '', customerId));
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
