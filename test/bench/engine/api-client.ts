import { Client } from 'undici';

/** The API as a partner's program uses it, over one connection that is kept. */
export interface ApiClient {
  /** One request; answers whatever the API does. */
  send(
    method: 'GET' | 'POST',
    path: string,
    body?: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<{ readonly status: number; readonly text: string }>;
  /** The same, for what has to succeed. Throws with the answer where it is not a 2xx. */
  call<Body>(method: 'GET' | 'POST', path: string, body?: object): Promise<Body>;
  close(): Promise<void>;
}

const ANSWER_MS_MAX = 60_000;

/** Opens a connection of its own. */
export function openApiClient(apiUrl: string, apiKey: string): ApiClient {
  const client = new Client(apiUrl, { pipelining: 1, headersTimeout: ANSWER_MS_MAX });
  const authorization = `Bearer ${apiKey}`;
  const send: ApiClient['send'] = async (method, path, body, headers = {}) => {
    const answer = await client.request({
      method,
      path: `/api/v1${path}`,
      headers: {
        authorization,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.statusCode, text: await answer.body.text() };
  };
  return {
    send,
    async call<Body>(method: 'GET' | 'POST', path: string, body?: object) {
      const { status, text } = await send(method, path, body);
      if (status >= 300) throw new Error(`${method} ${path} answered ${String(status)}: ${text}`);
      return JSON.parse(text) as Body;
    },
    close: () => client.close(),
  };
}
