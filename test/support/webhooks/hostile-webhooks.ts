import { createHmac } from 'node:crypto';
import { signWebhook } from '../../../src/vault/webhook-signatures/signature.ts';

/** One request as it goes over the wire. */
export interface SentWebhook {
  readonly headers: Record<string, string>;
  readonly body: string;
}

const ID = 'evt_01k6b7q0e8f1htx9n3r5p7v2ab';
const BODY = JSON.stringify({ id: ID, type: 'payment.completed', data: { note: 'Zoë, 東京' } });
/** 32 bytes that no receiver here has. */
const STRANGER = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

const nowSeconds = () => Math.floor(Date.now() / 1_000);
const headersOf = (timestamp: number | string, signature: string) => ({
  'webhook-id': ID,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': signature,
});

function signedAt(secret: string, timestampSeconds: number, body = BODY): SentWebhook {
  const signature = signWebhook(secret, { id: ID, timestampSeconds, body });
  return { headers: headersOf(timestampSeconds, signature), body };
}

/** What every receiver must take, by what is unusual about it. */
export function genuineWebhooks(secret: string): Record<string, SentWebhook> {
  const plain = signedAt(secret, nowSeconds());
  const signature = plain.headers['webhook-signature'] ?? '';
  const with_ = (signatures: string) => ({
    ...plain,
    headers: { ...plain.headers, 'webhook-signature': signatures },
  });
  const ofStranger = signedAt(STRANGER, nowSeconds()).headers['webhook-signature'] ?? '';
  return {
    'nothing unusual': plain,
    'signed four minutes ago': signedAt(secret, nowSeconds() - 240),
    'signed by a clock that is four minutes ahead': signedAt(secret, nowSeconds() + 240),
    'its signature is the second one': with_(`${ofStranger} ${signature}`),
    'its signature is the first one': with_(`${signature} ${ofStranger}`),
    'a signature of another kind is in front': with_(`v1a,${'A'.repeat(86)}== ${signature}`),
    'a signature that is no base64 is in front': with_(`v1,*%* ${signature}`),
  };
}

/** What no receiver may take, by what is wrong with it. */
export function hostileWebhooks(secret: string): Record<string, SentWebhook> {
  const now = nowSeconds();
  const genuine = signedAt(secret, now);
  const signature = genuine.headers['webhook-signature'] ?? '';
  const but = (headers: Record<string, string>) => ({
    ...genuine,
    headers: { ...genuine.headers, ...headers },
  });
  const without = (name: string) => ({
    ...genuine,
    headers: Object.fromEntries(Object.entries(genuine.headers).filter(([one]) => one !== name)),
  });
  return {
    'a byte of the body is another': { ...genuine, body: BODY.replace('Zoë', 'Zoe') },
    'the body has a byte more': { ...genuine, body: `${BODY} ` },
    'the body is written anew': { ...genuine, body: JSON.stringify(JSON.parse(BODY), null, 1) },
    'the body is empty': { ...genuine, body: '' },
    'it was signed six minutes ago': signedAt(secret, now - 360),
    'it was signed for in six minutes': signedAt(secret, now + 360),
    'its old timestamp was made new': {
      ...signedAt(secret, now - 360),
      headers: headersOf(now, signedAt(secret, now - 360).headers['webhook-signature'] ?? ''),
    },
    'another secret signed it': signedAt(STRANGER, now),
    'an empty key signed it': but({
      'webhook-signature': `v1,${createHmac('sha256', '')
        .update(`${ID}.${String(now)}.${BODY}`)
        .digest('base64')}`,
    }),
    'its id is another': but({ 'webhook-id': ID.replace('ab', 'cd') }),
    'it has no id': without('webhook-id'),
    'it has no timestamp': without('webhook-timestamp'),
    'it has no signature': without('webhook-signature'),
    'its id is empty': but({ 'webhook-id': '' }),
    'its signature is empty': but({ 'webhook-signature': '' }),
    'its signature is none': but({ 'webhook-signature': 'v1,' }),
    'its signature is a star': but({ 'webhook-signature': '*' }),
    'its signature is cut short': but({ 'webhook-signature': signature.slice(0, -8) }),
    'its signature goes on': but({ 'webhook-signature': `${signature}AAAA` }),
    'its signature is of another kind': but({
      'webhook-signature': signature.replace('v1,', 'v1a,'),
    }),
    'its timestamp is no number': but({ 'webhook-timestamp': 'now' }),
    'its timestamp is negative': but({ 'webhook-timestamp': `-${String(now)}` }),
    'its timestamp is endless': but({ 'webhook-timestamp': '9'.repeat(400) }),
    'ten signatures, none of them right': but({
      'webhook-signature': Array.from({ length: 10 }, (_, n) =>
        signWebhook(STRANGER, { id: ID, timestampSeconds: now - n, body: BODY }),
      ).join(' '),
    }),
  };
}
