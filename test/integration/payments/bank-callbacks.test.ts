import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signedCallback } from '../../support/signed-callback.ts';
import { createTestApp, testSettings, type TestApp } from '../../support/test-app.ts';

const secretOf = (fill: number) => `whsec_${Buffer.alloc(32, fill).toString('base64')}`;
const SECRETS = { test: secretOf(1), live: secretOf(2) };

let harness: TestApp;
beforeAll(async () => {
  harness = await createTestApp({ settings: testSettings({ bankCallbackSecrets: SECRETS }) });
});
afterAll(() => harness.close());

const report = (more: object = {}) => ({
  reference: 'CWSAMPLE01',
  status: 'SETTLED',
  bankReference: 'B-1',
  at: '2026-09-29T12:00:00Z',
  ...more,
});

interface Overrides {
  readonly secret?: string;
  readonly id?: string;
  readonly secondsAgo?: number;
  readonly headers?: Record<string, string>;
  readonly sent?: string;
}

const post = (body: unknown, overrides: Overrides = {}) => {
  const { secret = SECRETS.test, id = `msg_${randomUUID()}`, secondsAgo = 0 } = overrides;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const timestampSeconds = Math.floor(harness.clock.now().getTime() / 1_000) - secondsAgo;
  const signed = signedCallback(secret, { id, timestampSeconds, body: text });
  return harness.app.inject({
    ...signed,
    headers: { ...signed.headers, ...overrides.headers },
    payload: overrides.sent ?? text,
  });
};

const stored = () =>
  harness.database.db.system((tx) =>
    tx.query<{ environment: string; reference: string; status: string; reason: string | null }>(
      'SELECT environment, reference, status, reason FROM transfer_reports ORDER BY id',
    ),
  );

describe('POST /rails/http-bank/callbacks', () => {
  it('a callback that the bank signed is kept and answered by 202', async () => {
    const answer = await post(report({ reference: 'CWKEPT', extra: 'is passed over' }));
    expect([answer.statusCode, answer.json()]).toEqual([202, {}]);
    expect(await stored()).toContainEqual({
      ...{ environment: 'test', reference: 'CWKEPT', status: 'SETTLED', reason: null },
    });
  });

  it('the secret that signed a callback decides its environment', async () => {
    await post(report({ reference: 'CWLIVE' }), { secret: SECRETS.live });
    expect(await stored()).toContainEqual(
      expect.objectContaining({ environment: 'live', reference: 'CWLIVE' }),
    );
  });

  it('two reports that a bank gives one id are both kept', async () => {
    const twoReports = [
      report({ reference: 'CWONEID', status: 'SETTLED' }),
      report({ reference: 'CWONEID', status: 'RETURNED' }),
      report({ reference: 'CWONEIDTOO', status: 'SETTLED' }),
    ];
    for (const sent of [...twoReports, ...twoReports]) {
      expect((await post(sent, { id: 'CWONEID' })).statusCode).toBe(202);
    }
    const kept = (await stored()).filter(({ reference }) => reference.startsWith('CWONEID'));
    expect(kept.map(({ reference, status }) => `${reference} ${status}`)).toEqual([
      'CWONEID SETTLED',
      'CWONEID RETURNED',
      'CWONEIDTOO SETTLED',
    ]);
  });

  it('a callback that comes twice is kept once', async () => {
    for (let n = 0; n < 3; n += 1) {
      expect((await post(report({ reference: 'CWTWICE' }), { id: 'msg_twice' })).statusCode).toBe(
        202,
      );
    }
    const same = (await stored()).filter(({ reference }) => reference === 'CWTWICE');
    expect(same).toHaveLength(1);
  });

  it.each<[string, Overrides]>([
    ['another secret', { secret: secretOf(3) }],
    ['a body changed on the way', { sent: JSON.stringify(report({ status: 'REJECTED' })) }],
    ['a signature of five minutes ago', { secondsAgo: 301 }],
    ['a signature of the future', { secondsAgo: -301 }],
    ['no id', { headers: { 'webhook-id': '' } }],
    ['no timestamp', { headers: { 'webhook-timestamp': '' } }],
    ['no signature', { headers: { 'webhook-signature': '' } }],
    ['another id than was signed', { headers: { 'webhook-id': 'msg_other' } }],
  ])('answers 401 invalid_signature to %s, and keeps nothing', async (_what, overrides) => {
    const before = await stored();
    const answer = await post(report(), overrides);
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({ error: 'invalid_signature' });
    expect(await stored()).toEqual(before);
  });

  it.each([
    [{ reference: '' }, '/reference'],
    [{ reference: 'x'.repeat(65) }, '/reference'],
    [{ reference: 7 }, '/reference'],
    [{ status: 'PAID' }, '/status'],
    [{ status: undefined }, '/status'],
    [{ at: 'yesterday' }, '/at'],
    [{ at: undefined }, '/at'],
    [{ bankReference: 7 }, '/bankReference'],
    [{ reason: {} }, '/reason'],
  ])('answers 400 to %j, naming the field', async (overrides, path) => {
    const before = await stored();
    const answer = await post(report(overrides));
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ error: 'validation_failed', details: [{ path }] });
    expect(await stored()).toEqual(before);
  });

  it.each(['[]', '"text"', 'null', '{"status":'])('answers 400 to the body %s', async (body) => {
    expect((await post(body)).statusCode).toBe(400);
  });

  it('an unsigned callback is told nothing of what a callback looks like', async () => {
    const answers = [
      await post('{}', { secret: secretOf(3) }),
      await post(report(), { secret: secretOf(3) }),
    ];
    const texts = answers.map(({ body }) => body.replace(/req_[0-9a-z]+/, 'req'));
    expect(new Set(texts).size).toBe(1);
  });

  it('prose for a reason is kept as UNSPECIFIED: it may name people', async () => {
    const reason = 'The account of Ada Sample, 1 Sample Street, was closed';
    await post(report({ reference: 'CWPROSE', status: 'REJECTED', reason }));
    const kept = (await stored()).find(({ reference }) => reference === 'CWPROSE');
    expect(kept?.reason).toBe('UNSPECIFIED');
  });
});
