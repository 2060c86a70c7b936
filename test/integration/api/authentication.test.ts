import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addApiKey, addCustomer, type TestApiKey } from '../../support/test-customer.ts';
import { createTestApp, type TestApp } from '../../support/test-app.ts';

let harness: TestApp;
beforeAll(async () => {
  harness = await createTestApp();
});
afterAll(() => harness.close());

const ask = (token: string | undefined, url = '/balances', remoteAddress = '127.0.0.1') => {
  const headers = token === undefined ? {} : { authorization: token };
  return harness.app.inject({ url: `/api/v1${url}`, headers, remoteAddress });
};
const addKey = async (overrides: Partial<TestApiKey> = {}) => {
  // Each of a customer of its own: one has ten keys at the most.
  return harness.database.db.system(async (tx) =>
    addApiKey(tx, harness.vault, { customerId: await addCustomer(tx), ...overrides }),
  );
};
/** What no role of ours may do. */
async function asSuperuser(...statements: readonly string[]): Promise<void> {
  const superuser = new pg.Client({ connectionString: harness.database.url });
  await superuser.connect();
  for (const statement of statements) await superuser.query(statement);
  await superuser.end();
}
const hour = 3_600_000;
const at = (offset: number) => new Date(harness.clock.now().getTime() + offset);

describe('authentication by API key', () => {
  it('a known key is let in, whatever the case of the scheme', async () => {
    expect((await ask(`Bearer ${harness.token}`)).statusCode).toBe(200);
    expect((await ask(`bearer ${harness.token}`)).statusCode).toBe(200);
  });

  it('a request without a Bearer token is refused', async () => {
    for (const header of [undefined, 'Basic abc', harness.token, 'bearertoken']) {
      const answer = await ask(header);
      expect(answer.statusCode).toBe(401);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
      expect(answer.json().error).toBe('missing_api_key');
    }
  });

  it('an unknown key, a wrong secret and a mistyped token are answered alike', async () => {
    const unknown = await addKey();
    const tampered = await addKey();
    await asSuperuser(
      'ALTER TABLE api_keys DISABLE TRIGGER guard_api_key',
      `UPDATE api_keys SET public_id = '${'A'.repeat(12)}' WHERE id = '${unknown.id}'`,
      `UPDATE api_keys SET token_hmac = sha256('other') WHERE id = '${tampered.id}'`,
      'ALTER TABLE api_keys ENABLE TRIGGER guard_api_key',
    );
    const answers = await Promise.all(
      [unknown.token, tampered.token, `${harness.token}x`, ''].map((token) =>
        ask(`Bearer ${token}`),
      ),
    );
    const shapes = answers.map((answer) => {
      const { requestId: _, ...body } = answer.json();
      return { status: answer.statusCode, challenge: answer.headers['www-authenticate'], body };
    });
    for (const shape of shapes) expect(shape).toEqual(shapes[0]);
    expect(shapes[0]).toMatchObject({ status: 401, body: { error: 'invalid_api_key' } });
  });

  it('a key that was revoked or has expired is refused', async () => {
    const revoked = await addKey({ revokedAt: at(-1) });
    const expired = await addKey({ expiresAt: at(-1) });
    const overlapping = await addKey({ revokedAt: at(hour), expiresAt: at(hour) });
    expect((await ask(`Bearer ${revoked.token}`)).json().error).toBe('api_key_revoked');
    expect((await ask(`Bearer ${expired.token}`)).json().error).toBe('api_key_expired');
    expect((await ask(`Bearer ${overlapping.token}`)).statusCode).toBe(200);
  });

  it('a suspended customer is refused, and in live one without live access', async () => {
    const { db } = harness.database;
    const suspended = await db.system((tx) => addCustomer(tx, { status: 'SUSPENDED' }));
    const isNew = await db.system((tx) => addCustomer(tx));
    const first = await addKey({ customerId: suspended });
    const approvedRanges = ['127.0.0.0/16'];
    const second = await addKey({ customerId: isNew, environment: 'live', approvedRanges });
    await harness.database.people.system((tx) =>
      tx.query('UPDATE customers SET live_access = false WHERE id = $1', [isNew]),
    );
    expect((await ask(`Bearer ${first.token}`)).json().error).toBe('customer_suspended');
    expect((await ask(`Bearer ${second.token}`)).json().error).toBe('live_access_not_granted');
  });

  it('a live key is let in only from an approved address', async () => {
    const bare = await addKey({ environment: 'live' });
    const pending = await addKey({ environment: 'live', pendingRanges: ['127.0.0.0/16'] });
    const approved = await addKey({ environment: 'live', approvedRanges: ['203.0.113.0/24'] });
    expect((await ask(`Bearer ${bare.token}`)).statusCode).toBe(403);
    expect((await ask(`Bearer ${pending.token}`)).statusCode).toBe(403);
    expect((await ask(`Bearer ${approved.token}`, '/balances', '203.0.113.9')).statusCode).toBe(
      200,
    );
    const mapped = await ask(`Bearer ${approved.token}`, '/balances', '::ffff:203.0.113.9');
    expect(mapped.statusCode).toBe(200);
    const elsewhere = await ask(`Bearer ${approved.token}`, '/balances', '198.51.100.1');
    expect(elsewhere.statusCode).toBe(403);
    expect(elsewhere.json()).toMatchObject({
      error: 'ip_not_allowed',
      details: [{ meta: { address: '198.51.100.1' } }],
    });
  });

  it('a test key is let in from anywhere if open, else from its approved addresses', async () => {
    const closed = await addKey({ isOpen: false });
    const listed = await addKey({ approvedRanges: ['203.0.113.0/24'] });
    expect((await ask(`Bearer ${closed.token}`)).json().error).toBe('ip_not_allowed');
    expect((await ask(`Bearer ${listed.token}`)).json().error).toBe('ip_not_allowed');
    expect((await ask(`Bearer ${listed.token}`, '/balances', '203.0.113.9')).statusCode).toBe(200);
  });

  it('X-Forwarded-For is not believed without a trusted proxy', async () => {
    const listed = await addKey({ approvedRanges: ['203.0.113.0/24'] });
    const headers = { authorization: `Bearer ${listed.token}`, 'x-forwarded-for': '203.0.113.9' };
    const answer = await harness.app.inject({ url: '/api/v1/balances', headers });
    expect(answer.json()).toMatchObject({ details: [{ meta: { address: '127.0.0.1' } }] });
  });

  it('a refusal names the scope that the key lacks', async () => {
    const key = await addKey({ scopes: ['events:read'] });
    expect((await ask(`Bearer ${key.token}`, '/events')).statusCode).toBe(200);
    const answer = await ask(`Bearer ${key.token}`);
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({
      error: 'insufficient_scope',
      details: [{ meta: { scope: 'balances:read' } }],
    });
  });

  it('a key is judged by address before scope', async () => {
    const key = await addKey({ scopes: ['events:read'], isOpen: false });
    expect((await ask(`Bearer ${key.token}`)).json().error).toBe('ip_not_allowed');
  });

  it('a revoked key is refused from the very next request on', async () => {
    const key = await addKey();
    expect((await ask(`Bearer ${key.token}`)).statusCode).toBe(200);
    await harness.database.people.system((tx) => {
      return tx.query('UPDATE api_keys SET revoked_at = $1 WHERE id = $2', [at(0), key.id]);
    });
    expect((await ask(`Bearer ${key.token}`)).json().error).toBe('api_key_revoked');
  });
});
