import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PERMISSIONS, READ_PERMISSIONS } from '../../../src/domain/customers/keys/permissions.ts';
import { createTestApp, type TestApp } from '../../support/test-app.ts';
import { addApiKey, addCustomer } from '../../support/test-customer.ts';
import { documentedOperations, type Operation } from '../../support/api/documented-operations.ts';

const scoped = (await documentedOperations()).filter((one) => one.requiredScope !== undefined);

let harness: TestApp;
beforeAll(async () => {
  harness = await createTestApp();
});
afterAll(() => harness.close());

const tokens = new Map<string, Promise<string>>();

function tokenWith(scopes: readonly string[]): Promise<string> {
  const known = tokens.get(scopes.join()) ?? addToken(scopes);
  tokens.set(scopes.join(), known);
  return known;
}

function addToken(scopes: readonly string[]): Promise<string> {
  // Each of a customer of its own: one has ten keys at the most.
  return harness.database.db.system(async (tx) => {
    const key = { customerId: await addCustomer(tx), scopes };
    return (await addApiKey(tx, harness.vault, key)).token;
  });
}

async function call({ method, path, sampleBody, headers }: Operation, token: string) {
  const answer = await harness.app.inject({
    method,
    url: path.replace(/\{[^}]+\}/g, 'nonsense'),
    headers: {
      authorization: `Bearer ${token}`,
      ...(headers.includes('idempotency-key') && { 'idempotency-key': 'scopes' }),
    },
    ...(sampleBody !== undefined && { payload: sampleBody }),
  });
  return { status: answer.statusCode, ...answer.json<{ error?: string; details?: unknown }>() };
}

describe('the scopes of a key', () => {
  it.each(scoped.map((operation) => [operation.name, operation] as const))(
    '%s is let in by the scope that the document names, and by no other',
    async (_, operation) => {
      const scope = operation.requiredScope ?? '';
      const allButIt = await tokenWith(PERMISSIONS.filter((one) => one !== scope));
      expect(await call(operation, allButIt)).toMatchObject({
        status: 403,
        error: 'insufficient_scope',
        details: [{ code: 'insufficient_scope', meta: { scope } }],
      });
      expect([401, 403]).not.toContain((await call(operation, await tokenWith([scope]))).status);
    },
  );

  it('that only read let every read in and no change', async () => {
    const token = await tokenWith(READ_PERMISSIONS);
    for (const operation of scoped) {
      const { status } = await call(operation, token);
      expect([operation.name, status === 403]).toEqual([
        operation.name,
        operation.method !== 'GET',
      ]);
    }
  });

  it('of a time that is to come let nothing in that is here', async () => {
    const token = await tokenWith(['payments', 'payments:*', 'PAYMENTS:READ', '**', '']);
    for (const operation of scoped) expect((await call(operation, token)).status).toBe(403);
  });
});
