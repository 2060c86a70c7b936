import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import {
  newWebhookSecret,
  signWebhook,
  verifyWebhook,
} from '../../../src/vault/webhook-signatures/signature.ts';

/** The published test vector of Standard Webhooks. */
const VECTOR = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestampSeconds: 1614265330,
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};
const AT = new Date(VECTOR.timestampSeconds * 1000);
const HEADERS = {
  'webhook-id': VECTOR.id,
  'webhook-timestamp': String(VECTOR.timestampSeconds),
  'webhook-signature': VECTOR.signature,
};

const after = (seconds: number) => new Date(AT.getTime() + seconds * 1000);

describe('signing a webhook', () => {
  it('gives the signature of the published vector', () => {
    expect(signWebhook(VECTOR.secret, VECTOR)).toBe(VECTOR.signature);
    expect(signWebhook(VECTOR.secret, { ...VECTOR, body: Buffer.from(VECTOR.body) })).toBe(
      VECTOR.signature,
    );
  });

  it('is accepted by the independent library, text outside ASCII included', () => {
    const secret = newWebhookSecret(randomBytes);
    const body = JSON.stringify({ note: 'Zoë Sample, 東京' });
    const timestampSeconds = Math.floor(Date.now() / 1000);
    const signature = signWebhook(secret, { id: 'evt_1', timestampSeconds, body });
    const headers = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(timestampSeconds),
      'webhook-signature': signature,
    };
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  });

  it('refuses a secret that is not base64, rather than signing with a part of it', () => {
    for (const secret of ['', 'whsec_', 'whsec_not base64', 'whsec_****']) {
      expect(() => signWebhook(secret, VECTOR)).toThrow(RangeError);
    }
  });

  it('makes secrets of 32 bytes that differ', () => {
    const secret = newWebhookSecret(randomBytes);
    expect(secret).toMatch(/^whsec_/);
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    expect(newWebhookSecret(randomBytes)).not.toBe(secret);
  });
});

describe('verifying a webhook', () => {
  it('refuses every age where the tolerance or the clock is not a number', () => {
    const judge = (now: Date, tolerance?: number) =>
      verifyWebhook([VECTOR.secret], HEADERS, VECTOR.body, now, tolerance);
    expect(judge(AT, NaN)).toMatchObject({ ok: false });
    expect(judge(new Date(NaN))).toMatchObject({ ok: false });
  });

  it('accepts the published vector and what the independent library signs', () => {
    expect(verifyWebhook([VECTOR.secret], HEADERS, VECTOR.body, AT)).toEqual({
      ok: true,
      id: VECTOR.id,
    });
    const signature = new Webhook(VECTOR.secret).sign('msg_2', AT, 'body');
    const headers = { ...HEADERS, 'webhook-id': 'msg_2', 'webhook-signature': signature };
    expect(verifyWebhook([VECTOR.secret], headers, 'body', AT).ok).toBe(true);
  });

  it('refuses one changed byte in body, id or timestamp', () => {
    const mismatch = { ok: false, reason: 'signature_mismatch' };
    const verify = (headers: Record<string, string>, body: string) =>
      verifyWebhook([VECTOR.secret], { ...HEADERS, ...headers }, body, AT);
    expect(verify({}, VECTOR.body + ' ')).toEqual(mismatch);
    expect(verify({ 'webhook-id': 'msg_other' }, VECTOR.body)).toEqual(mismatch);
    const later = String(VECTOR.timestampSeconds + 1);
    expect(verify({ 'webhook-timestamp': later }, VECTOR.body)).toEqual(mismatch);
    expect(verify({ 'webhook-timestamp': `0${VECTOR.timestampSeconds}` }, VECTOR.body)).toEqual(
      mismatch,
    );
  });

  it('accepts five minutes of difference and no more, in both directions', () => {
    const at = (seconds: number) =>
      verifyWebhook([VECTOR.secret], HEADERS, VECTOR.body, after(seconds));
    expect(at(300).ok).toBe(true);
    expect(at(-300).ok).toBe(true);
    expect(at(301)).toEqual({ ok: false, reason: 'timestamp_too_old' });
    expect(at(-301)).toEqual({ ok: false, reason: 'timestamp_too_new' });
  });

  it('finds the right one among several signatures and several secrets', () => {
    const old = newWebhookSecret(randomBytes);
    const headers = {
      ...HEADERS,
      'webhook-signature': `v1a,AAAA v1,short ${signWebhook(old, VECTOR)} ${VECTOR.signature}`,
    };
    expect(verifyWebhook([VECTOR.secret], headers, VECTOR.body, AT).ok).toBe(true);
    expect(verifyWebhook([old], headers, VECTOR.body, AT).ok).toBe(true);
    expect(verifyWebhook([old, VECTOR.secret], HEADERS, VECTOR.body, AT).ok).toBe(true);
    expect(verifyWebhook([old], HEADERS, VECTOR.body, AT).ok).toBe(false);
    expect(verifyWebhook([], HEADERS, VECTOR.body, AT).ok).toBe(false);
  });

  it('ignores signatures of another version', () => {
    const headers = { ...HEADERS, 'webhook-signature': VECTOR.signature.replace('v1', 'v2') };
    expect(verifyWebhook([VECTOR.secret], headers, VECTOR.body, AT)).toEqual({
      ok: false,
      reason: 'signature_mismatch',
    });
  });

  it('says which part is missing or unreadable, and reads header names in any case', () => {
    const verify = (headers: Record<string, string | undefined>) =>
      verifyWebhook([VECTOR.secret], headers, VECTOR.body, AT);
    for (const name of Object.keys(HEADERS)) {
      expect(verify({ ...HEADERS, [name]: undefined })).toEqual({
        ok: false,
        reason: 'missing_header',
      });
    }
    expect(verify({ ...HEADERS, 'webhook-timestamp': '1e9' })).toEqual({
      ok: false,
      reason: 'malformed_timestamp',
    });
    const shouted = Object.fromEntries(
      Object.entries(HEADERS).map(([name, value]) => [name.toUpperCase(), value]),
    );
    expect(verify(shouted).ok).toBe(true);
  });
});
