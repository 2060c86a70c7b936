import { request, type Dispatcher } from 'undici';
import {
  ScreeningError,
  type ScreeningProvider,
} from '../../domain/screening/screening-provider.ts';
import { readListVersion, readScreening } from './screening-answer.ts';

const TIMEOUT_MS = 5_000;
const ANSWER_BYTES_MAX = 256 * 1024;

export interface HttpScreeningOptions {
  /** Where the provider is, without a slash at the end. */
  readonly url: string;
  readonly maxAgeMs: number;
  /** Milliseconds until the last byte of an answer. */
  readonly timeoutMs?: number;
  readonly dispatcher?: Dispatcher;
}

/**
 * A screening provider over HTTP: `POST {url}/screenings` and `GET {url}/list`. Redirects are not
 * followed, an answer is 256 KiB at most, in 5 s. See docs/screening-provider.md.
 */
export function createHttpScreening(options: HttpScreeningOptions): ScreeningProvider {
  const { url, maxAgeMs, timeoutMs = TIMEOUT_MS, dispatcher } = options;

  async function call(method: 'GET' | 'POST', path: string, body?: object): Promise<Buffer> {
    try {
      const answer = await request(`${url}${path}`, {
        method,
        dispatcher,
        signal: AbortSignal.timeout(timeoutMs),
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      const { statusCode } = answer;
      const bytes = await readBytes(answer.body);
      if (statusCode === 200) return bytes;
      throw new ScreeningError(statusCode >= 500 ? 'SCREENING_FAILED' : 'SCREENING_REFUSED');
    } catch (error) {
      if (error instanceof ScreeningError) throw error;
      throw new ScreeningError('SCREENING_UNREACHABLE');
    }
  }

  return {
    listVersion: async () => readListVersion(await call('GET', '/list')),
    screen: async (subjects) =>
      readScreening(await call('POST', '/screenings', { subjects }), subjects),
    screenNow: null,
    maxAgeMs,
  };
}

async function readBytes(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop destroys the body, so no more than one chunk beyond the limit is ever held.
  for await (const chunk of body) {
    size += chunk.length;
    if (size > ANSWER_BYTES_MAX) throw new ScreeningError('SCREENING_GARBLED');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
