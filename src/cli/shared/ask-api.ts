import { request } from 'undici';
import type { Installation } from '../../server/config/listen-config.ts';

export interface ApiQuestion {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Behind /api/v1. */
  readonly path: string;
  readonly body?: object | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** For the head of the answer, and again for its body. */
  readonly timeoutMs: number;
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Calls the API of an installation as a partner's program does: an address and a key. */
export async function askApi(
  { apiUrl, apiKey }: Installation,
  { method, path, body, headers, timeoutMs }: ApiQuestion,
): Promise<ApiAnswer> {
  const answer = await request(`${apiUrl}/api/v1${path}`, {
    method,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.body.text();
  return { status: answer.statusCode, headers: answer.headers, text };
}
