import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { headersOf, targetOf, type FuzzRequest } from './fuzz-request.ts';

/** What came back; `failure` says why nothing did. */
export interface FuzzAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly failure: string | null;
}

const ANSWER_MS_MAX = 60_000;
/** 429 and 503 are asked again, as a partner's program does. */
const TRIES_MAX = 5;
const RETRY_AFTER_S_MAX = 10;

export interface Sender {
  send(request: FuzzRequest): Promise<FuzzAnswer>;
  close(): Promise<void>;
}

/** Sends requests as they are: neither path nor body is put right on the way. */
export function openSender(apiUrl: string, apiKey: string): Sender {
  const pool = new Pool(new URL(apiUrl).origin, {
    connections: 8,
    headersTimeout: ANSWER_MS_MAX,
    bodyTimeout: ANSWER_MS_MAX,
  });
  const base = new URL(apiUrl).pathname.replace(/\/$/, '');

  async function once(request: FuzzRequest): Promise<FuzzAnswer> {
    try {
      const answer = await pool.request({
        method: request.method,
        path: `${base}${targetOf(request)}`,
        headers: headersOf(request, apiKey),
        body: request.body,
      });
      const text = await answer.body.text();
      return { status: answer.statusCode, headers: answer.headers, text, failure: null };
    } catch (error) {
      const { code = 'no code', message } = error as NodeJS.ErrnoException;
      return { status: 0, headers: {}, text: '', failure: `${code}: ${message}` };
    }
  }

  return {
    async send(request) {
      for (let tries = 1; ; tries += 1) {
        const answer = await once(request);
        const isBusy = answer.status === 429 || answer.status === 503;
        if (!isBusy || tries === TRIES_MAX) return answer;
        const seconds = Number(answer.headers['retry-after'] ?? 1) || 1;
        await pause(1_000 * Math.min(seconds, RETRY_AFTER_S_MAX));
      }
    },
    close: () => pool.close(),
  };
}

/** A body as JSON; undefined where it is none. */
export function jsonOf({ text }: FuzzAnswer): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
