import { createHmac, timingSafeEqual } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;
const SIGNATURE_VERSION = 'v1';
const TOLERANCE_SECONDS = 300;
/** A header holds two signatures during a rotation; far more than that is an attempt to cost time. */
const SIGNATURES_MAX = 20;

export type RawBody = string | Uint8Array;
export type WebhookHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WebhookMessage {
  readonly id: string;
  readonly timestampSeconds: number;
  readonly body: RawBody;
}

export type WebhookRefusal =
  | 'missing_header'
  | 'malformed_timestamp'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  | 'signature_mismatch';

export type WebhookVerdict =
  | { readonly ok: true; readonly id: string }
  | { readonly ok: false; readonly reason: WebhookRefusal };

/**
 * The value of `webhook-signature` for one secret: `v1,` and the base64 of HMAC-SHA256 over
 * `id.timestamp.body`. Several of them go into one header, separated by a space.
 * Throws RangeError when the secret is not base64. Standard Webhooks 1.0, "Signature scheme".
 */
export function signWebhook(secret: string, message: WebhookMessage): string {
  return `${SIGNATURE_VERSION},${digest(secret, message).toString('base64')}`;
}

/**
 * Judges a received message against every secret that is valid now (two during a rotation).
 * The body must be the bytes as they arrived, before any parsing.
 * Throws RangeError when a secret is not base64: a wrong setting must not look like a forgery.
 * Standard Webhooks 1.0, "Verifying signatures".
 */
export function verifyWebhook(
  secrets: readonly string[],
  headers: WebhookHeaders,
  rawBody: RawBody,
  now: Date,
  toleranceSeconds = TOLERANCE_SECONDS,
): WebhookVerdict {
  const id = readHeader(headers, 'webhook-id');
  const timestamp = readHeader(headers, 'webhook-timestamp');
  const offered = readHeader(headers, 'webhook-signature');
  if (!id || !timestamp || !offered) return { ok: false, reason: 'missing_header' };

  if (!/^\d{1,12}$/.test(timestamp)) return { ok: false, reason: 'malformed_timestamp' };
  const timestampSeconds = Number(timestamp);
  const ageSeconds = Math.floor(now.getTime() / 1000) - timestampSeconds;
  if (ageSeconds > toleranceSeconds) return { ok: false, reason: 'timestamp_too_old' };
  if (ageSeconds < -toleranceSeconds) return { ok: false, reason: 'timestamp_too_new' };

  const candidates = readSignatures(offered);
  // The text of the timestamp is what was signed: a leading zero must not be normalised away.
  const expected = secrets.map((secret) => hmac(secret, id, timestamp, rawBody));
  // Every pair is compared, so that the time taken says nothing about which secret came close.
  let matches = false;
  for (const candidate of candidates) {
    for (const one of expected) {
      if (candidate.length === one.length && timingSafeEqual(candidate, one)) matches = true;
    }
  }
  return matches ? { ok: true, id } : { ok: false, reason: 'signature_mismatch' };
}

/** A fresh secret, `whsec_` and the base64 of 32 bytes. Give it node:crypto's `randomBytes`. */
export function newWebhookSecret(randomBytes: (size: number) => Uint8Array): string {
  return SECRET_PREFIX + Buffer.from(randomBytes(SECRET_BYTES)).toString('base64');
}

function digest(secret: string, message: WebhookMessage): Buffer {
  if (!Number.isInteger(message.timestampSeconds)) {
    throw new RangeError('a webhook timestamp is whole seconds');
  }
  return hmac(secret, message.id, String(message.timestampSeconds), message.body);
}

function hmac(secret: string, id: string, timestamp: string, body: RawBody): Buffer {
  return createHmac('sha256', decodeSecret(secret))
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest();
}

function decodeSecret(secret: string): Buffer {
  const text = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
  // Buffer.from skips what it cannot read: a wrong secret would become a short or empty key.
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) {
    throw new RangeError('a webhook secret is "whsec_" followed by base64');
  }
  return Buffer.from(text, 'base64');
}

function readSignatures(header: string): Buffer[] {
  return header
    .split(' ')
    .slice(0, SIGNATURES_MAX)
    .filter((part) => part.startsWith(`${SIGNATURE_VERSION},`))
    .map((part) => Buffer.from(part.slice(SIGNATURE_VERSION.length + 1), 'base64'));
}

function readHeader(headers: WebhookHeaders, name: string): string | undefined {
  const direct = headers[name];
  if (typeof direct === 'string') return direct;
  for (const [key, value] of Object.entries(headers)) {
    if (key.toLowerCase() !== name) continue;
    return typeof value === 'string' ? value : value?.length === 1 ? value[0] : undefined;
  }
  return undefined;
}
