import { randomBytes } from 'node:crypto';
import { addOperator } from '../../src/modules/customers/access/add-person.ts';
import { withinTransaction } from '../../src/modules/approvals/within-transaction.ts';
import { insertSignature } from '../../src/db/approvals/approval-signature-store.ts';
import { decisionChallenge } from '../../src/modules/approvals/signatures/decision-challenge.ts';
import { decisionOf } from '../../src/modules/approvals/signatures/judge-signatures.ts';
import { createSoftwareKeys } from '../../src/modules/approvals/signatures/software-keys.ts';
import { approveAddressesAsTwo } from '../../src/modules/customers/approve-as-two.ts';
import { listAddress } from '../../src/modules/customers/list-address.ts';
import type { SystemTransaction } from '../../src/db/client/database.ts';
import { newId } from '../../src/db/client/new-id.ts';
import {
  buildApiKeyToken,
  PUBLIC_ID_BYTES,
  SECRET_BYTES,
} from '../../src/modules/customers/api-key-token.ts';
import type { Environment } from '../../src/domain/scope.ts';
import type { KeyedHashes } from '../../src/vault/keyed-hash.ts';
import type { Vault } from '../../src/vault/vault.ts';
import { confirmTestOperator } from './test-people.ts';

export interface TestCustomer {
  readonly status?: 'ACTIVE' | 'SUSPENDED';
  readonly hasLiveAccess?: boolean;
}

/** Stores a customer and answers its id. Needs a transaction of the system role. */
export async function addCustomer(
  tx: SystemTransaction,
  overrides: TestCustomer = {},
): Promise<string> {
  const id = newId('cus');
  await tx.query(
    `INSERT INTO customers (id, name, status, created_at) VALUES ($1, 'Sample Ltd', $2, now())`,
    [id, overrides.status ?? 'ACTIVE'],
  );
  if (overrides.hasLiveAccess ?? true) await setLiveAccess(tx, id, true);
  return id;
}

/** What is stored here is as old as the database says: `now()`. */
const clock = { now: () => new Date() };
/**
 * Gives live access, or takes it, as no role of ours may: the test's login is a superuser, and goes past the
 * two operators.
 */
export async function setLiveAccess(
  tx: SystemTransaction,
  customerId: string,
  hasLiveAccess: boolean,
): Promise<void> {
  await tx.query(
    `SELECT set_config('role', 'none', true), set_config('session_replication_role', 'replica', true)`,
  );
  await tx.query('UPDATE customers SET live_access = $2 WHERE id = $1', [
    customerId,
    hasLiveAccess,
  ]);
  await tx.query(`SELECT set_config('session_replication_role', 'origin', true)`);
  await tx.query('RESET ROLE');
}

/** Gives live access as `setLiveAccess` does, with an approval that two operators have signed. */
export async function signLiveAccess(
  tx: SystemTransaction,
  vault: KeyedHashes,
  customerId: string,
): Promise<void> {
  await setLiveAccess(tx, customerId, true);
  const [id, first, second] = [newId('apr'), newId('opr'), newId('opr')];
  const scope = { customerId, environment: 'live' } as const;
  const about = { action: 'LIVE_ACCESS', subjectId: newId('lar'), subjectVersion: 1 } as const;
  await tx.query(
    `SELECT set_config('role', 'none', true), set_config('session_replication_role', 'replica', true)`,
  );
  await tx.query(
    `INSERT INTO approvals (id, customer_id, environment, action, subject_id, subject_version, content,
       content_hash, proposed_by, proposed_at, reason, expires_at, decision, decided_by, decided_at,
       decision_reason)
     VALUES ($1, $2, 'live', $3, $4, 1, '{}', '', $5, now(), 'A test.', now() + interval '1 day',
       'APPROVED', $6, now(), 'A test.')`,
    [id, customerId, about.action, about.subjectId, first, second],
  );
  const { sign } = createSoftwareKeys(vault);
  for (const [step, operatorId] of [
    ['PROPOSE', first],
    ['APPROVE', second],
  ] as const) {
    const by = { step, operatorId, reason: 'A test.' };
    const decision = decisionOf({ ...scope, ...about, id, content: {} }, by);
    const assertion = sign?.(operatorId, decisionChallenge(decision));
    if (assertion === undefined) throw new Error('software keys sign');
    await insertSignature(tx, scope, id, { ...by, ...assertion }, clock.now());
  }
  await tx.query('UPDATE customers SET live_approval_id = $2 WHERE id = $1', [customerId, id]);
  await tx.query(`SELECT set_config('session_replication_role', 'origin', true)`);
  await tx.query('RESET ROLE');
}

export interface TestApiKey {
  readonly customerId: string;
  readonly environment?: Environment;
  readonly scopes?: readonly string[];
  readonly isOpen?: boolean;
  readonly expiresAt?: Date | null;
  readonly revokedAt?: Date | null;
  readonly approvedRanges?: readonly string[];
  readonly pendingRanges?: readonly string[];
}

/**
 * Stores an API key and answers its token. A test key is open to any address unless told otherwise; a live
 * key's addresses are approved by two operators of its own.
 */
export async function addApiKey(tx: SystemTransaction, vault: Vault, overrides: TestApiKey) {
  const environment = overrides.environment ?? 'test';
  const token = buildApiKeyToken(environment, {
    publicId: randomBytes(PUBLIC_ID_BYTES),
    secret: randomBytes(SECRET_BYTES),
  });
  const id = newId('key');
  // The test's login is a superuser, and makes as many keys as a test needs of one customer.
  await tx.query(
    `SELECT set_config('role', 'none', true), set_config('session_replication_role', 'replica', true)`,
  );
  const { customerId } = overrides;
  await tx.query(
    `INSERT INTO api_keys (id, customer_id, environment, public_id, name, token_hmac, last4, scopes,
       open_to_any_address, expires_at, revoked_at, created_at)
     VALUES ($1, $2, $3, $4, 'a test key', $5, $6, $7, $8, coalesce($9, CASE $3 WHEN 'live' THEN now() + interval '300 days' END), $10, now())`,
    [
      id,
      overrides.customerId,
      environment,
      token.publicId,
      vault.keyedHash('api-key', token.token),
      token.last4,
      overrides.scopes ?? ['*'],
      overrides.isOpen ?? environment === 'test',
      overrides.expiresAt ?? null,
      overrides.revokedAt ?? null,
    ],
  );
  await tx.query(
    `SELECT set_config('session_replication_role', 'origin', true), set_config('role', 'causeway_console', true)`,
  );
  const { approvedRanges = [], pendingRanges = [] } = overrides;
  const scope = { customerId, environment };
  const list = async (range: string) => {
    const by = { kind: 'USER', id: 'usr_test' } as const;
    await listAddress({ clock, apiUrl: 'http://localhost:8080' }, tx, scope, {
      apiKeyId: id,
      range,
      label: '',
      by,
    });
  };
  for (const range of approvedRanges) await list(range);
  if (environment === 'live' && approvedRanges.length > 0) {
    const add = async (name: string) => {
      const operator = {
        address: `${name}-of-${id}@example.com`,
        name,
        role: 'COMPLIANCE',
      } as const;
      const added = (await addOperator({ vault, clock }, tx, operator)) ?? '';
      await confirmTestOperator({ people: withinTransaction(tx), clock }, added);
      return added;
    };
    const operators = { first: await add('ada'), second: await add('grace') };
    const deps = { vault, clock, dashboardUrl: 'http://dashboard.localhost:8081' };
    await approveAddressesAsTwo(deps, tx, scope, id, {
      ...{ ...operators, reason: 'A test.', operatorKeys: createSoftwareKeys(vault) },
    });
  }
  for (const range of pendingRanges) await list(range);
  await tx.query('RESET ROLE');
  return { id, token: token.token };
}
