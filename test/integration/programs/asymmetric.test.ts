import { Webhook } from 'standardwebhooks';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../src/db/client/new-id.ts';
import { verifyWebhook } from '../../../src/vault/webhook-signatures/signature.ts';
import { needsProgram } from '../../support/needs-program.ts';
import { startEndpointHarness, type Endpoint } from '../../support/webhooks/endpoint-harness.ts';
import {
  verifiesByOpenssl,
  verifyByGo,
  type Signed,
} from '../../support/webhooks/other-verifiers.ts';
import type { Received } from '../../support/webhooks/receiver.ts';

interface PublishedKey {
  readonly publicKey: string;
  readonly expiresAt: string | null;
}
interface Jwk extends PublishedKey {
  readonly x: string;
}
type AsymmetricEndpoint = Endpoint & { readonly publicKeys: PublishedKey[] };

let harness: Awaited<ReturnType<typeof startEndpointHarness>>;
beforeAll(async () => {
  harness = await startEndpointHarness();
  return () => harness.close();
});
beforeEach(() => harness.beginTest());

const addAsymmetric = async () =>
  (await harness.addEndpoint({ asymmetric: true })) as AsymmetricEndpoint;

/** As a receiver asks: without a key. */
const published = async (id: string) => {
  const answer = await harness.app.inject({ url: `/.well-known/webhook-keys/${id}` });
  return { answer, keys: answer.statusCode === 200 ? answer.json<{ keys: Jwk[] }>().keys : [] };
};

async function deliver(id: string): Promise<Received[]> {
  await harness.record('pay_a', (version += 1));
  await harness.drain(id);
  const received = harness.receiver.received.splice(0);
  expect(received.length).toBeGreaterThan(0);
  return received;
}
let version = 0;

const headersOf = (one: Received) => ({
  'webhook-id': one.id,
  'webhook-timestamp': one.timestamp,
  'webhook-signature': one.signature,
});
const versionsOf = ({ signature }: Received) =>
  signature.split(' ').map((part) => part.slice(0, part.indexOf(',')));
const verifies = (one: Received, ...keys: string[]) =>
  verifyWebhook(keys, headersOf(one), one.body, harness.clock.now()).ok;

/** Every `v1a` signature of a webhook under a key, read without the code under test. */
const signedWith = (one: Received, { x }: Jwk): Signed[] =>
  one.signature
    .split(' ')
    .filter((part) => part.startsWith('v1a,'))
    .map((part) => ({
      key: Buffer.from(x, 'base64url'),
      content: Buffer.from(`${one.id}.${one.timestamp}.${one.body}`),
      signature: Buffer.from(part.slice(4), 'base64'),
    }));

describe('an endpoint that asks for asymmetric signatures', () => {
  it('gets v1 and then v1a, which Go and openssl verify with the published key', async (context) => {
    const { id, secret, publicKeys } = await addAsymmetric();
    const { answer, keys } = await published(id);
    expect(answer.headers['cache-control']).toBe('public, max-age=300');
    const [jwk] = keys;
    if (jwk === undefined) throw new Error('no key is published');
    expect(keys).toEqual([
      {
        ...{ kty: 'OKP', crv: 'Ed25519', use: 'sig', alg: 'EdDSA', x: jwk.x },
        kid: expect.stringMatching(/^[\w-]{43}$/) as string,
        ...{ publicKey: publicKeys[0]?.publicKey, expiresAt: null },
      },
    ]);
    const received = [...(await deliver(id)), ...(await deliver(id))];
    for (const one of received) {
      expect(versionsOf(one)).toEqual(['v1', 'v1a']);
      expect(new Webhook(secret).verify(one.body, headersOf(one))).toBeTruthy();
      expect(verifies(one, jwk.publicKey)).toBe(true);
    }
    const signed = received.flatMap((one) => signedWith(one, jwk));
    expect(signed).toHaveLength(received.length);
    const spoilt = signed.map((one) => ({
      ...one,
      content: Buffer.concat([one.content, Buffer.from(' ')]),
    }));
    // Last, so that all the rest holds where these programs are missing.
    needsProgram(context, 'openssl');
    expect(signed.map(verifiesByOpenssl)).not.toContain(false);
    expect(spoilt.map(verifiesByOpenssl)).not.toContain(true);
    needsProgram(context, 'go');
    expect(verifyByGo([...signed, ...spoilt])).toEqual([
      ...signed.map(() => true),
      ...spoilt.map(() => false),
    ]);
  });

  it('gets a test signed in the same way', async () => {
    const { id, publicKeys } = await addAsymmetric();
    await harness.call('POST', `/webhook-endpoints/${id}/test`, {});
    const [one] = harness.receiver.received;
    if (one === undefined) throw new Error('nothing was received');
    expect(versionsOf(one)).toEqual(['v1', 'v1a']);
    expect(verifies(one, publicKeys[0]?.publicKey ?? '')).toBe(true);
  });

  it('has a key of its own: what is signed for one verifies at no other', async () => {
    const one = await addAsymmetric();
    const other = await addAsymmetric();
    const received = await deliver(one.id);
    for (const webhook of received) {
      expect(verifies(webhook, one.publicKeys[0]?.publicKey ?? '')).toBe(true);
      expect(verifies(webhook, other.publicKeys[0]?.publicKey ?? '')).toBe(false);
    }
  });

  it('never sees a private key, nor does who reads the database', async () => {
    const { id } = await addAsymmetric();
    const path = `/webhook-endpoints/${id}`;
    const rotated = await harness.call('POST', `${path}/rotate-secret`, {});
    const shown = await harness.call('GET', path);
    const list = await harness.call('GET', '/webhook-endpoints');
    const { answer } = await published(id);
    const rows = await harness.db.system((tx) =>
      tx.query<{ row: string; sealed: Buffer }>(
        'SELECT w::text AS row, signing_keys AS sealed FROM webhook_endpoints w WHERE id = $1',
        [id],
      ),
    );
    expect(rows).toHaveLength(1);
    const all = [rotated, shown, list, answer.body, rows, rows[0]?.sealed.toString('latin1')];
    expect(JSON.stringify(all)).not.toContain('whsk_');
    expect(answer.body).not.toContain('"d"');
    expect(JSON.stringify(shown.json['publicKeys'])).toContain('whpk_');
  });
});

describe('asymmetric signatures are turned on and off', () => {
  it('by PATCH: on is one version and one event however often it is said', async () => {
    const { id } = await harness.addEndpoint();
    const path = `/webhook-endpoints/${id}`;
    expect((await harness.call('GET', path)).json).toMatchObject({
      ...{ asymmetric: false, publicKeys: [] },
    });
    expect((await deliver(id)).map(versionsOf)).toEqual([['v1']]);
    const both = await Promise.all(
      [1, 2].map(() => harness.call('PATCH', path, { asymmetric: true })),
    );
    const [first, second] = both.map(({ json }) => json);
    expect(first).toMatchObject({ version: 2, asymmetric: true });
    expect(second?.['publicKeys']).toEqual(first?.['publicKeys']);
    await harness.call('PATCH', path, { description: 'Something else' });
    expect((await harness.call('GET', path)).json['publicKeys']).toEqual(first?.['publicKeys']);
    const types = (await harness.eventTypes()).filter((type) => type.startsWith('webhook_'));
    expect(types).toHaveLength(2);
    const received = await deliver(id);
    expect(received.map(versionsOf)).toContainEqual(['v1', 'v1a']);
    expect(received.some(({ body }) => body.includes('"asymmetric":true'))).toBe(true);
  });

  it('off ends the key pair; on again begins another', async () => {
    const { id, publicKeys } = await addAsymmetric();
    const path = `/webhook-endpoints/${id}`;
    const off = await harness.call('PATCH', path, { asymmetric: false });
    expect(off.json).toMatchObject({ version: 2, asymmetric: false, publicKeys: [] });
    for (const one of await deliver(id)) expect(versionsOf(one)).toEqual(['v1']);
    expect((await published(id)).answer.statusCode).toBe(404);
    const on = await harness.call('PATCH', path, { asymmetric: true });
    expect(on.json).toMatchObject({ version: 3, asymmetric: true });
    expect(on.json['publicKeys']).toHaveLength(1);
    expect(on.json['publicKeys']).not.toEqual(publicKeys);
  });

  it.each([['yes'], [1], [null], [['v1a']]])('%j is a 400 at /asymmetric', async (asymmetric) => {
    const { id } = await harness.addEndpoint();
    const refused = { status: 400, json: { details: [{ path: '/asymmetric' }] } };
    const patched = await harness.call('PATCH', `/webhook-endpoints/${id}`, { asymmetric });
    expect(patched).toMatchObject(refused);
    const { url } = harness.receiver;
    const added = await harness.call('POST', '/webhook-endpoints', { url, asymmetric });
    expect(added).toMatchObject(refused);
  });

  it('a key is not chosen by the partner', async () => {
    const { url } = harness.receiver;
    const body = { url, publicKeys: [{ publicKey: 'whpk_AAAA', expiresAt: null }] };
    const added = await harness.call('POST', '/webhook-endpoints', body);
    expect(added).toMatchObject({ status: 400, json: { details: [{ path: '/publicKeys' }] } });
  });
});

describe('rotate-secret of an asymmetric endpoint', () => {
  const keysOf = (json: Record<string, unknown>) => json['publicKeys'] as PublishedKey[];

  it('both secrets and both keys verify while they overlap, then only the new ones', async () => {
    const { id, secret, publicKeys } = await addAsymmetric();
    const rotated = await harness.call('POST', `/webhook-endpoints/${id}/rotate-secret`, {});
    const freshSecret = String(rotated.json['secret']);
    const [fresh, previous] = keysOf(rotated.json).map(({ publicKey }) => publicKey);
    expect(previous).toBe(publicKeys[0]?.publicKey);
    const until = rotated.json['previousSecretExpiresAt'];
    expect(keysOf(rotated.json).map(({ expiresAt }) => expiresAt)).toEqual([null, until]);
    const { keys } = await published(id);
    expect(keys.map(({ publicKey }) => publicKey)).toEqual([fresh, previous]);

    const during = await deliver(id);
    for (const one of during) {
      expect(versionsOf(one)).toEqual(['v1', 'v1', 'v1a', 'v1a']);
      expect(one.signature.length).toBeLessThanOrEqual(300);
      for (const key of [secret, freshSecret]) {
        expect(new Webhook(key).verify(one.body, headersOf(one))).toBeTruthy();
      }
      expect([fresh, previous].map((key) => verifies(one, key ?? ''))).toEqual([true, true]);
    }

    harness.clock.advance(24 * 3_600_000);
    const after = await deliver(id);
    for (const one of after) {
      expect(versionsOf(one)).toEqual(['v1', 'v1a']);
      expect([fresh, previous].map((key) => verifies(one, key ?? ''))).toEqual([true, false]);
    }
    expect((await published(id)).keys.map(({ publicKey }) => publicKey)).toEqual([fresh]);
    const shown = await harness.call('GET', `/webhook-endpoints/${id}`);
    expect(keysOf(shown.json)).toEqual([{ publicKey: fresh, expiresAt: null }]);
  });

  it('a leaked key ends at once without an overlap', async () => {
    const { id, publicKeys } = await addAsymmetric();
    const path = `/webhook-endpoints/${id}/rotate-secret`;
    const rotated = await harness.call('POST', path, { overlapHours: 0 });
    expect(keysOf(rotated.json)).toHaveLength(1);
    expect(keysOf(rotated.json)).not.toEqual(publicKeys);
    expect((await published(id)).keys).toHaveLength(1);
    for (const one of await deliver(id)) {
      expect(versionsOf(one)).toEqual(['v1', 'v1a']);
      expect(verifies(one, publicKeys[0]?.publicKey ?? '')).toBe(false);
    }
  });

  it('of three pairs the two newest sign', async () => {
    const { id, publicKeys } = await addAsymmetric();
    const path = `/webhook-endpoints/${id}/rotate-secret`;
    await harness.call('POST', path, {});
    const third = keysOf((await harness.call('POST', path, {})).json);
    expect(third).toHaveLength(2);
    const all = [...third, ...publicKeys].map(({ publicKey }) => publicKey);
    for (const one of await deliver(id)) {
      expect(all.map((key) => verifies(one, key))).toEqual([true, true, false]);
    }
  });

  it('repeated under one Idempotency-Key it is one rotation', async () => {
    const { id } = await addAsymmetric();
    const path = `/webhook-endpoints/${id}/rotate-secret`;
    const key = { 'idempotency-key': 'rotate-once' };
    const [first, again] = [
      await harness.call('POST', path, {}, key),
      await harness.call('POST', path, {}, key),
    ];
    expect(again.json).toEqual(first.json);
    expect(first.json).toMatchObject({ version: 2 });
  });

  it('that writes the same secret leaves the key pair as it is', async () => {
    const { id, publicKeys } = await addAsymmetric();
    await harness.db.write(harness.scope, (tx) =>
      tx.query(
        'UPDATE webhook_endpoints SET version = version + 1, secret = secret WHERE id = $1',
        [id],
      ),
    );
    for (const one of await deliver(id)) {
      expect(verifies(one, publicKeys[0]?.publicKey ?? '')).toBe(true);
    }
  });
});

describe('GET /.well-known/webhook-keys/{id}', () => {
  it('an endpoint without keys, a deleted one and none at all are the same 404', async () => {
    const { id: symmetric } = await harness.addEndpoint();
    const { id: deleted } = await addAsymmetric();
    expect((await published(deleted)).keys).toHaveLength(1);
    await harness.app.inject({
      ...{ method: 'DELETE', url: `/api/v1/webhook-endpoints/${deleted}` },
      headers: { authorization: `Bearer ${harness.token}` },
    });
    const hostile = ['whe_x', deleted.toUpperCase(), "'%20OR%20'1'='1", '..%2f..%2fhealth'];
    const bodies = new Set<string>();
    for (const id of [symmetric, deleted, newId('whe'), ...hostile]) {
      const { answer } = await published(id);
      expect([id, answer.statusCode]).toEqual([id, 404]);
      expect(answer.headers['cache-control']).toBe('no-store');
      bodies.add(answer.body.replace(/req_[0-9a-z]{26}/, 'req_'));
    }
    expect([...bodies]).toHaveLength(1);
  });

  it('a parameter that the document does not name is refused, as everywhere', async () => {
    const { id } = await addAsymmetric();
    const url = `/.well-known/webhook-keys/${id}?colour=red`;
    const answer = await harness.app.inject({ url });
    expect(answer.statusCode).toBe(400);
    const details = [{ path: '/query/colour' }];
    expect(answer.json()).toMatchObject({ error: 'invalid_parameter', details });
  });

  it('is there for a disabled endpoint, whose tests are signed', async () => {
    const { id } = await addAsymmetric();
    await harness.call('PATCH', `/webhook-endpoints/${id}`, { status: 'DISABLED' });
    expect((await published(id)).keys).toHaveLength(1);
  });
});

describe('the database', () => {
  it('refuses private keys without public ones, and the reverse', async () => {
    const { id } = await addAsymmetric();
    for (const change of ["public_keys = '[]'", 'signing_keys = NULL']) {
      const done = harness.db.write(harness.scope, (tx) =>
        tx.query(`UPDATE webhook_endpoints SET ${change} WHERE id = $1`, [id]),
      );
      await expect(done).rejects.toThrow('keys_come_in_pairs');
    }
  });
});
