import type { Dispatcher } from 'undici';
import { StatementUnreadable } from '../../domain/reconciliation/statement-unreadable.ts';
import { SourceUnreadable } from '../../domain/payments/connector.ts';
import { whyFailed } from '../http/why-failed.ts';

interface DownloadRequest {
  readonly origin: string;
  readonly path: string;
  /** Longest silence, before the first byte and between two. */
  readonly idleTimeoutMs: number;
  readonly bytesMax: number;
}

/** Opens a large GET: the bytes as they arrive, read no faster than they are taken. */
export async function* download(
  dispatcher: Dispatcher,
  { origin, path, idleTimeoutMs, bytesMax }: DownloadRequest,
): AsyncGenerator<Uint8Array> {
  const answer = await dispatcher
    .request({
      origin,
      path,
      method: 'GET',
      headers: { accept: 'application/xml' },
      headersTimeout: idleTimeoutMs,
      bodyTimeout: idleTimeoutMs,
    })
    .catch((error: unknown) => {
      throw new SourceUnreadable(whyFailed(error, false));
    });
  if (answer.statusCode !== 200) {
    // Not worth reading, and destroying it is an error to its listeners.
    answer.body.on('error', () => undefined).destroy();
    throw new SourceUnreadable(`HTTP_${answer.statusCode}`);
  }
  yield* limitBytes(answer.body, bytesMax);
}

async function* limitBytes(
  body: AsyncIterable<Uint8Array>,
  bytesMax: number,
): AsyncGenerator<Uint8Array> {
  let receivedBytes = 0;
  try {
    for await (const chunk of body) {
      receivedBytes += chunk.length;
      if (receivedBytes > bytesMax) throw new StatementUnreadable('TOO_LARGE');
      yield chunk;
    }
  } catch (error) {
    if (error instanceof StatementUnreadable) throw error;
    throw new SourceUnreadable(whyFailed(error, true));
  }
}
