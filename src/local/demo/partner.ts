import { request } from 'undici';
import { DemoFailure } from './step.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

/** The API as a partner's program uses it: an address and a key. */
export interface Partner {
  get(path: string): Promise<Answer>;
  post(path: string, body: object, headers?: Record<string, string>): Promise<Answer>;
}

const TIMEOUT_MS = 10_000;

/** Calls the API; anything but a 2xx ends the demonstration with what the API said. */
export function createPartner(apiUrl: string, apiKey: string): Partner {
  async function call(
    method: 'GET' | 'POST',
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const answer = await request(`${apiUrl}/api/v1${path}`, {
      method,
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) {
      throw new DemoFailure(`${method} ${path} answered ${String(answer.statusCode)}: ${text}`);
    }
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text,
      body: JSON.parse(text) as Record<string, unknown>,
    };
  }
  return {
    get: (path) => call('GET', path),
    post: (path, body, headers) => call('POST', path, body, headers),
  };
}
