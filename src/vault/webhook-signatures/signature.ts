import { isPublicKey } from './ed25519-public-key.ts';
import { createEd25519Signer, isSigningKey, verifiesEd25519 } from './ed25519-signature.ts';
import {
  createHmacSigner,
  matchesHmac,
  SECRET_PREFIX,
  type RawBody,
  type SignedContent,
} from './hmac-signature.ts';

const SECRET_BYTES = 32;
const SYMMETRIC = 'v1';
const ASYMMETRIC = 'v1a';
const TOLERANCE_SECONDS = 300;
/** A header holds four signatures during a rotation; far more than that is an attempt to cost time. */
const SIGNATURES_MAX = 20;

type WebhookHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

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

type WebhookVerdict =
  | { readonly ok: true; readonly id: string }
  | { readonly ok: false; readonly reason: WebhookRefusal };

/** The value of `webhook-signature` for a message. */
export type WebhookSigner = (message: WebhookMessage) => string;

/**
 * Signs with one key, which is read once: with a secret (`whsec_`) `v1,` and the base64 of HMAC-SHA256 over
 * `id.timestamp.body`; with a private key (`whsk_`) `v1a,` and that of Ed25519 over the same. Several of them go into
 * one header, separated by a space. Throws RangeError when the key is neither.
 * Standard Webhooks 1.0, "Signature scheme".
 */
export function createWebhookSigner(key: string): WebhookSigner {
  if (isSigningKey(key)) {
    const signEd25519 = createEd25519Signer(key);
    return (message) => {
      const content = signedContent(message.id, timestampOf(message), message.body);
      return `${ASYMMETRIC},${signEd25519(content)}`;
    };
  }
  const signHmac = createHmacSigner(key);
  return (message) => {
    const signature = signHmac(message.id, timestampOf(message), message.body);
    return `${SYMMETRIC},${signature.toString('base64')}`;
  };
}

/** The same for one message. */
export const signWebhook = (key: string, message: WebhookMessage): string =>
  createWebhookSigner(key)(message);

function timestampOf({ timestampSeconds }: WebhookMessage): string {
  if (!Number.isInteger(timestampSeconds)) {
    throw new RangeError('a webhook timestamp is whole seconds');
  }
  return String(timestampSeconds);
}

/**
 * Judges a received message against every key that is valid now (two during a rotation): secrets (`whsec_`)
 * judge its `v1` signatures, public keys (`whpk_`) its `v1a` ones, and neither the other's. Where only the
 * sender shall be able to sign, give public keys alone.
 * The body must be the bytes as they arrived, before any parsing.
 * Throws RangeError when a key is none of the two: a wrong setting must not look like a forgery.
 * Standard Webhooks 1.0, "Verifying signatures".
 */
export function verifyWebhook(
  keys: readonly string[],
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
  // So put that NaN, of a wrong tolerance or clock, refuses: no comparison with it holds.
  if (!(ageSeconds <= toleranceSeconds)) return { ok: false, reason: 'timestamp_too_old' };
  if (!(ageSeconds >= -toleranceSeconds)) return { ok: false, reason: 'timestamp_too_new' };

  // The text of the timestamp is what was signed: a leading zero must not be normalised away.
  const content = [id, timestamp, rawBody] as const;
  const secrets = keys.filter((key) => !isPublicKey(key));
  const hasMatch = matchesHmac(secrets, readSignatures(offered, SYMMETRIC), content);
  const publicKeys = keys.filter(isPublicKey);
  const signatures = readSignatures(offered, ASYMMETRIC);
  const isSigned = verifiesEd25519(publicKeys, signatures, signedContent(...content));
  return hasMatch || isSigned ? { ok: true, id } : { ok: false, reason: 'signature_mismatch' };
}

/** A fresh secret, `whsec_` and the base64 of 32 bytes. Give it node:crypto's `randomBytes`. */
export function newWebhookSecret(randomBytes: (size: number) => Uint8Array): string {
  return SECRET_PREFIX + Buffer.from(randomBytes(SECRET_BYTES)).toString('base64');
}

function signedContent(...[id, timestamp, body]: SignedContent): Buffer {
  return Buffer.concat([Buffer.from(`${id}.${timestamp}.`), Buffer.from(body)]);
}

/** The base64 of a header's signatures of one version. */
function readSignatures(header: string, version: string): string[] {
  return header
    .split(' ', SIGNATURES_MAX)
    .filter((part) => part.startsWith(`${version},`))
    .map((part) => part.slice(version.length + 1));
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
