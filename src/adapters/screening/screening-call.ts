import { request, type Dispatcher } from 'undici';
import { ScreeningError } from '../../domain/parties/screening/screening-provider.ts';

const TIMEOUT_MS = 5_000;
const ANSWER_BYTES_MAX = 256 * 1024;

export interface ScreeningCallOptions {
  /** Where the provider is, without a slash at the end. */
  readonly url: string;
  /** Milliseconds until the last byte of an answer. */
  readonly timeoutMs?: number;
  readonly dispatcher?: Dispatcher;
}

/** Calls a provider and gives the bytes of its answer of 200. Throws ScreeningError. */
type ScreeningCall = (method: 'GET' | 'POST', path: string, body?: object) => Promise<Buffer>;

/** Redirects are not followed, an answer is 256 KiB at most, in 5 s. */
export function createScreeningCall(options: ScreeningCallOptions): ScreeningCall {
  const { url, timeoutMs = TIMEOUT_MS, dispatcher } = options;
  return async (method, path, body) => {
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
