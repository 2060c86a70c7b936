import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';

/** An installation as a partner has it: an address and a key. */
export interface Installation {
  /** Without `/api/v1`. */
  readonly apiUrl: string;
  readonly apiKey: string;
}

export type Json = Readonly<Record<string, unknown>>;

export interface PartnerAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Empty where the answer is no JSON object. */
  readonly body: Json;
}

export interface PartnerApi {
  /** Paths are those behind /api/v1. A body makes it a POST. Throws where no answer comes. */
  get(path: string): Promise<PartnerAnswer>;
  post(path: string, body: object, idempotencyKey?: string): Promise<PartnerAnswer>;
  patch(path: string, body: object): Promise<PartnerAnswer>;
}

const ANSWER_MS_MAX = 30_000;
/** 429 and 503 say when to come back; so often at the most. */
const TRIES_MAX = 5;
const RETRY_AFTER_S_MAX = 30;

/** Calls an installation as a partner's program does. What is posted with a key may be posted again. */
export function createPartnerApi({ apiUrl, apiKey }: Installation): PartnerApi {
  async function once(
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    body: object | undefined,
    headers: Readonly<Record<string, string>>,
  ): Promise<PartnerAnswer> {
    const answer = await request(`${apiUrl}/api/v1${path}`, {
      method,
      headersTimeout: ANSWER_MS_MAX,
      bodyTimeout: ANSWER_MS_MAX,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    return { status: answer.statusCode, headers: answer.headers, text, body: toObject(text) };
  }

  async function call(...question: Parameters<typeof once>): Promise<PartnerAnswer> {
    for (let tries = 1; ; tries += 1) {
      const answer = await once(...question);
      const isBusy = answer.status === 429 || answer.status === 503;
      if (!isBusy || tries === TRIES_MAX) return answer;
      const seconds = Number(answer.headers['retry-after'] ?? 1) || 1;
      await pause(1_000 * Math.min(seconds, RETRY_AFTER_S_MAX));
    }
  }

  return {
    get: (path) => call('GET', path, undefined, {}),
    post: (path, body, key) =>
      call('POST', path, body, key === undefined ? {} : { 'idempotency-key': key }),
    patch: (path, body) => call('PATCH', path, body, {}),
  };
}

function toObject(text: string): Json {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Json) : {};
  } catch {
    return {};
  }
}
