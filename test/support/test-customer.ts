import { randomBytes } from 'node:crypto';
import type { SystemTransaction } from '../../src/db/database.ts';
import { newId } from '../../src/db/new-id.ts';
import {
  buildApiKeyToken,
  PUBLIC_ID_BYTES,
  SECRET_BYTES,
} from '../../src/customers/api-key-token.ts';
import type { Environment } from '../../src/domain/scope.ts';
import type { Vault } from '../../src/vault/vault.ts';

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
    `INSERT INTO customers (id, name, status, live_access, created_at)
     VALUES ($1, 'Sample Ltd', $2, $3, now())`,
    [id, overrides.status ?? 'ACTIVE', overrides.hasLiveAccess ?? true],
  );
  return id;
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

/** Stores an API key and answers its token. A test key is open to any address unless told otherwise. */
export async function addApiKey(tx: SystemTransaction, vault: Vault, overrides: TestApiKey) {
  const environment = overrides.environment ?? 'test';
  const token = buildApiKeyToken(environment, {
    publicId: randomBytes(PUBLIC_ID_BYTES),
    secret: randomBytes(SECRET_BYTES),
  });
  const id = newId('key');
  await tx.query(
    `INSERT INTO api_keys (id, customer_id, environment, public_id, name, token_hmac, last4, scopes,
       open_to_any_address, expires_at, revoked_at, created_at)
     VALUES ($1, $2, $3, $4, 'a test key', $5, $6, $7, $8, $9, $10, now())`,
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
  const ranges = [
    ...(overrides.approvedRanges ?? []).map((range) => [range, 'APPROVED']),
    ...(overrides.pendingRanges ?? []).map((range) => [range, 'PENDING']),
  ];
  for (const [range, status] of ranges) {
    await tx.query(
      `INSERT INTO api_key_addresses (customer_id, environment, api_key_id, range, status, created_at)
       VALUES ($1, $2, $3, $4::cidr, $5, now())`,
      [overrides.customerId, environment, id, range, status],
    );
  }
  return { id, token: token.token };
}
