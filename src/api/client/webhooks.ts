import { verifyWebhook } from '../../vault/webhook-signatures/signature.ts';
import { CausewayError, CausewayWebhookError } from './errors.ts';
import type { Event, ThinEvent } from './generated/schemas.ts';
import { readCount } from './settings.ts';

/** The type of every event that this version knows. More may come: keep a `default` in a switch. */
export type EventType = Event['type'];

/** The event of a type. */
export type EventOf<Type extends EventType> = Extract<Event, { readonly type: Type }>;

/** The headers of a request: a web standard's, Node's, or any record of them. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The body as it arrived. A Buffer is a Uint8Array. */
export type RawWebhookBody = string | Uint8Array | ArrayBuffer;

export interface VerifyOptions {
  /** How far `webhook-timestamp` may be from the clock, a whole number. 300 unless given. */
  readonly toleranceSeconds?: number | undefined;
  /** For tests: milliseconds since 1970; the machine's clock unless given. */
  readonly now?: (() => number) | undefined;
}

const NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
const SECRET_BYTES_MIN = 24;
const TOLERANCE_SECONDS = 300;

const HOW_TO_GET_IT = `a webhook's signature is over the body as it arrived, and this one was parsed.
  Express: app.post('/hooks', express.raw({ type: 'application/json' }), ...), then request.body
  Fastify: app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => done(null, body)), then request.body
  Next.js: await request.text() in a route handler`;

/** What a receiver of webhooks needs. It takes no API key. */
export const webhooks = {
  /**
   * The event of a genuine webhook. `secrets` is the endpoint's `whsec_...`, or all that are good now
   * (two during a rotation); for one that is `asymmetric` its public keys, `whpk_...`.
   * Throws CausewayWebhookError where it is not genuine, or not of now: answer 401. Throws TypeError
   * where the body was parsed, or a secret or an option is none: the program is to be mended.
   * Standard Webhooks 1.0. An event may come twice: keep each `id` once.
   */
  verify: (
    rawBody: RawWebhookBody,
    headers: WebhookHeaders,
    secrets: string | readonly string[],
    options?: VerifyOptions,
  ): Event => readVerified(rawBody, headers, secrets, options) as Event,

  /** The same of an endpoint that is `thin`: ids alone. */
  verifyThin: (
    rawBody: RawWebhookBody,
    headers: WebhookHeaders,
    secrets: string | readonly string[],
    options?: VerifyOptions,
  ): ThinEvent => readVerified(rawBody, headers, secrets, options) as ThinEvent,
};

function readVerified(
  rawBody: RawWebhookBody,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS, now = () => Date.now() }: VerifyOptions = {},
): unknown {
  const body = readRawBody(rawBody);
  const keys = readKeys(secrets);
  const at = new Date(now());
  const tolerance = readCount('toleranceSeconds', toleranceSeconds, 0);
  const verdict = verifyWebhook(keys, pickHeaders(headers), body, at, tolerance);
  if (!verdict.ok) throw new CausewayWebhookError(verdict.reason);
  try {
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body)) as unknown;
  } catch (cause) {
    throw new CausewayError('The webhook is genuine, and its body is no JSON', { cause });
  }
}

function readRawBody(rawBody: unknown): string | Uint8Array {
  if (typeof rawBody === 'string' || rawBody instanceof Uint8Array) return rawBody;
  if (rawBody instanceof ArrayBuffer) return new Uint8Array(rawBody);
  throw new TypeError(HOW_TO_GET_IT);
}

/** A forgotten setting must not become an empty key, with which anything can be signed. */
function readKeys(secrets: string | readonly string[]): readonly string[] {
  const keys = typeof secrets === 'string' ? [secrets] : secrets;
  const isKey = (key: unknown): boolean =>
    typeof key === 'string' &&
    (key.startsWith('whpk_') ||
      (/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(key) &&
        Buffer.from(key.slice('whsec_'.length), 'base64').length >= SECRET_BYTES_MIN));
  if (keys.length > 0 && keys.every(isKey)) return keys;
  throw new TypeError('secrets must be what the endpoint was made with: "whsec_..."');
}

function pickHeaders(headers: WebhookHeaders): Record<string, string | readonly string[]> {
  if (typeof headers.get !== 'function') return headers as Record<string, string>;
  const { get } = headers;
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = get.call(headers, name);
      return value === null ? [] : [[name, value] as const];
    }),
  );
}
