import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import type { Dispatcher } from 'undici';
import { NAME_CHECKS } from '../../domain/parties/bank-accounts/name-check.ts';
import type { NameCheck } from '../../domain/parties/bank-accounts/name-check.ts';
import { NameCheckError } from '../../domain/parties/bank-accounts/name-check-provider.ts';
import type { NameCheckProvider } from '../../domain/parties/bank-accounts/name-check-provider.ts';

const ANSWER_BYTES_MAX = 4 * 1024;

interface HttpNameCheckOptions {
  /** Where the provider is, without a slash at the end. */
  readonly url: string;
  /** Milliseconds until the last byte of an answer. */
  readonly timeoutMs: number;
  readonly dispatcher?: Dispatcher;
}

/**
 * Name checks over HTTP: `POST {url}/name-checks` (docs/how-to/connect-a-kyc-provider.md). Redirects are not
 * followed, an answer is 4 KiB at most, nothing is repeated: the caller waits.
 */
export function createHttpNameCheck(options: HttpNameCheckOptions): NameCheckProvider {
  const { url, timeoutMs, dispatcher } = options;

  async function post(body: object): Promise<{ status: number; bytes: Buffer }> {
    try {
      const answer = await request(`${url}/name-checks`, {
        method: 'POST',
        dispatcher,
        signal: AbortSignal.timeout(timeoutMs),
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status: answer.statusCode, bytes: await readBytes(answer.body) };
    } catch (error) {
      if (error instanceof NameCheckError) throw error;
      throw new NameCheckError('NAME_CHECK_UNREACHABLE');
    }
  }

  return {
    async check(question) {
      const reference = randomUUID();
      const { status, bytes } = await post({ reference, ...question });
      if (status >= 500) throw new NameCheckError('NAME_CHECK_FAILED');
      if (status !== 200) throw new NameCheckError('NAME_CHECK_REFUSED');
      return readResult(bytes, reference);
    },
  };
}

function readResult(bytes: Uint8Array, reference: string): NameCheck {
  const answer = readObject(bytes);
  // An answer about another name must not vouch for this one.
  if (answer['reference'] !== reference) throw new NameCheckError('NAME_CHECK_GARBLED');
  const result = NAME_CHECKS.find((one) => one === answer['result']);
  if (result === undefined) throw new NameCheckError('NAME_CHECK_GARBLED');
  return result;
}

function readObject(bytes: Uint8Array): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Told below.
  }
  throw new NameCheckError('NAME_CHECK_GARBLED');
}

async function readBytes(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop destroys the body, so no more than one chunk beyond the limit is ever held.
  for await (const chunk of body) {
    size += chunk.length;
    if (size > ANSWER_BYTES_MAX) throw new NameCheckError('NAME_CHECK_GARBLED');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
