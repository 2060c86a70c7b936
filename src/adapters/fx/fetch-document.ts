import { request } from 'undici';
import type { Dispatcher } from 'undici';

import { FxSourceError } from '../../domain/payments/fx/fx-source.ts';

interface DocumentRequest {
  readonly source: string;
  readonly url: string;
  /** The media type to ask for. */
  readonly accept: string;
  /** Milliseconds until the last byte, not per step: a source that drips is as good as absent. */
  readonly timeoutMs: number;
  readonly bytesMax: number;
  readonly dispatcher?: Dispatcher;
}

/**
 * GETs a UTF-8 document. Redirects are not followed: the configured address is the source. Throws
 * FxSourceError for any status but 200, and for an answer that is too late, too large or no UTF-8.
 */
export async function fetchDocument(wanted: DocumentRequest): Promise<string> {
  const { source, url, accept, timeoutMs, bytesMax, dispatcher } = wanted;
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await request(url, { signal, dispatcher, headers: { accept } });
    // undici emits an error on a body that is dropped unread; without a listener that ends the process.
    answer.body.on('error', () => undefined);
    if (answer.statusCode !== 200) {
      answer.body.destroy();
      throw new FxSourceError(source, `answered HTTP ${String(answer.statusCode)}`);
    }
    return decodeUtf8(source, await readBytes(source, answer.body, bytesMax));
  } catch (error) {
    if (error instanceof FxSourceError) throw error;
    const problem = signal.aborted ? `no answer within ${String(timeoutMs)} ms` : 'not reachable';
    throw new FxSourceError(source, problem, { cause: error });
  }
}

async function readBytes(
  source: string,
  body: AsyncIterable<Buffer>,
  bytesMax: number,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop destroys the body, so no more than one chunk beyond the limit is ever held.
  for await (const chunk of body) {
    size += chunk.length;
    if (size > bytesMax) throw new FxSourceError(source, `answer over ${String(bytesMax)} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function decodeUtf8(source: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new FxSourceError(source, 'answer is not UTF-8', { cause: error });
  }
}
