import { CausewayWebhookError, webhooks, type WebhookHeaders } from 'causeway/client';
import { describe, expect, it } from 'vitest';
import {
  newSigningKey,
  publicKeyOf,
} from '../../../../src/vault/webhook-signatures/ed25519-signature.ts';
import { createWebhookHeaders } from '../../../../src/modules/webhooks/webhook-headers.ts';
import { genuineWebhooks, hostileWebhooks } from '../../../support/webhooks/hostile-webhooks.ts';

const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;
const SECRET = secretOf(1);
const NOW = Date.parse('2026-11-23T12:00:00Z');
const EVENT = { id: 'evt_sample', type: 'payment.completed', data: { amount: '10.00' } };
const body = JSON.stringify(EVENT);

const signed = (keys: readonly string[], atMs = NOW) =>
  createWebhookHeaders(keys)({ id: 'evt_sample', timestampSeconds: atMs / 1_000, body });
const verify = (
  headers: WebhookHeaders,
  secrets: string | readonly string[] = SECRET,
  raw: Parameters<typeof webhooks.verify>[0] = body,
) => webhooks.verify(raw, headers, secrets, { now: () => NOW });

describe('webhooks.verify', () => {
  it('answers the event, whatever form body and headers have', () => {
    const headers = signed([SECRET]);
    const bytes = new TextEncoder().encode(body);
    for (const raw of [body, Buffer.from(body), bytes, bytes.buffer]) {
      expect(verify(headers, SECRET, raw)).toEqual(EVENT);
    }
    const upper = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]);
    const forms: WebhookHeaders[] = [
      ...[headers, new Headers(headers), new Map(Object.entries(headers)) as never],
      Object.fromEntries(upper) as Record<string, string[]>,
    ];
    for (const form of forms) expect(verify(form)).toEqual(EVENT);
  });

  it('takes two secrets during a rotation, and the public key of an endpoint', () => {
    const [old, next] = [secretOf(2), secretOf(3)];
    expect(verify(signed([next, old]), old)).toEqual(EVENT);
    expect(verify(signed([next]), [old, next])).toEqual(EVENT);
    const key = newSigningKey((size) => Buffer.alloc(size, 7));
    expect(verify(signed([SECRET, key]), publicKeyOf(key))).toEqual(EVENT);
    expect(() => verify(signed([SECRET]), publicKeyOf(key))).toThrow(CausewayWebhookError);
  });

  it('takes no tolerance that would leave the age unjudged', () => {
    const headers = signed([SECRET], NOW - 24 * 3_600_000);
    const check = (options: object) => webhooks.verify(body, headers, SECRET, options);
    for (const toleranceSeconds of [NaN, Infinity, -1, 0.5, '300']) {
      expect(() => check({ now: () => NOW, toleranceSeconds })).toThrow(TypeError);
    }
    expect(() => check({ now: () => NaN })).toThrow(CausewayWebhookError);
    expect(() => check({ now: () => NOW, toleranceSeconds: 0 })).toThrow(CausewayWebhookError);
    expect(check({ now: () => NOW, toleranceSeconds: 24 * 3_600 })).toEqual(EVENT);
  });

  it('takes what is genuine and refuses each known forgery', () => {
    const tell = ({ headers, body: raw }: { headers: Record<string, string>; body: string }) =>
      webhooks.verify(raw, headers, SECRET);
    for (const [name, one] of Object.entries(genuineWebhooks(SECRET))) {
      expect(() => tell(one), name).not.toThrow();
    }
    const hostile = Object.entries(hostileWebhooks(SECRET));
    expect(hostile.length).toBeGreaterThan(20);
    for (const [name, one] of hostile) {
      expect(() => tell(one), name).toThrow(CausewayWebhookError);
    }
  });

  it('says why, so that a wrong clock is told from a wrong secret', () => {
    const faultOf = (headers: WebhookHeaders) => {
      try {
        verify(headers);
      } catch (error) {
        return (error as CausewayWebhookError).fault;
      }
      return null;
    };
    expect(faultOf(signed([SECRET], NOW - 301_000))).toBe('timestamp_too_old');
    expect(faultOf(signed([SECRET], NOW - 300_000))).toBeNull();
    expect(faultOf(signed([SECRET], NOW + 301_000))).toBe('timestamp_too_new');
    expect(faultOf(signed([secretOf(9)]))).toBe('signature_mismatch');
    expect(faultOf({})).toBe('missing_header');
    expect(faultOf({ ...signed([SECRET]), 'webhook-timestamp': 'now' })).toBe(
      'malformed_timestamp',
    );
  });

  it('refuses a body that was parsed, and tells how to get it as it arrived', () => {
    const refused = () => verify(signed([SECRET]), SECRET, EVENT as never);
    expect(refused).toThrow(TypeError);
    expect(refused).not.toThrow(CausewayWebhookError);
    for (const framework of ['Express', 'Fastify', 'Next.js']) {
      expect(refused).toThrow(new RegExp(framework));
    }
  });

  it('refuses to work without a secret that only the two sides hold', () => {
    for (const secrets of ['', [], [''], 'whsec_', 'whsec_AAAA', secretOf(1).slice(6), 'whsec_*']) {
      expect(() => verify(signed([SECRET]), secrets), String(secrets)).toThrow(TypeError);
    }
  });

  it('answers ids alone for an endpoint that is thin', () => {
    const thin = webhooks.verifyThin(body, signed([SECRET]), SECRET, { now: () => NOW });
    expect(thin.id).toBe('evt_sample');
  });
});
