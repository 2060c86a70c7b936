import type { Dispatcher } from 'undici';
import type { Why } from './why.ts';
import { whyFailed } from './why-failed.ts';

export interface ExchangeRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: 'GET' | 'PUT' | 'POST';
  readonly body?: Uint8Array;
  readonly timeoutMs: number;
  readonly bodyBytesMax: number;
}

export type ExchangeOutcome =
  | { readonly kind: 'NOT_SENT'; readonly why: Why }
  | { readonly kind: 'BROKEN'; readonly why: Why }
  | {
      readonly kind: 'ANSWER';
      readonly status: number;
      readonly contentType: string;
      readonly body: Buffer;
    }
  /** The status came, the body did not arrive whole. */
  | { readonly kind: 'HALF_ANSWER'; readonly status: number; readonly why: Why };

const ABORTED = new Error('exchange is over');

/**
 * One HTTP request, sent at most once, with one deadline over everything. Never throws for what the
 * other side does.
 *
 * NOT_SENT rests on one fact: undici calls onRequestStart right before it writes a request's first
 * byte to a connection. What fails before that call was not sent; whatever fails after it may have
 * been, with any error code (an ECONNRESET on a kept-alive connection proves nothing). A second call
 * for the same request would be undici sending it again of its own accord: that one is stopped.
 */
export function exchange(
  dispatcher: Dispatcher,
  { origin, path, method, body, timeoutMs, bodyBytesMax }: ExchangeRequest,
): Promise<ExchangeOutcome> {
  return new Promise((resolve) => {
    let started: Dispatcher.DispatchController | null = null;
    let isOver = false;
    let status = 0;
    let contentType = '';
    let receivedBytes = 0;
    const chunks: Buffer[] = [];

    const finish = (outcome: ExchangeOutcome) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(deadline);
      resolve(outcome);
    };
    const fail = (why: Why) => {
      if (started === null) finish({ kind: 'NOT_SENT', why });
      else if (status === 0) finish({ kind: 'BROKEN', why });
      else finish({ kind: 'HALF_ANSWER', status, why });
    };
    const stop = (why: Why) => {
      fail(why);
      started?.abort(ABORTED);
    };
    const isLate = createLateness(timeoutMs);
    const deadline = setTimeout(
      () => stop(started === null ? 'CONNECT_TIMEOUT' : 'TIMEOUT'),
      timeoutMs,
    );

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(controller) {
        if (started !== null || isOver) {
          fail('RESET');
          controller.abort(ABORTED);
          return;
        }
        // A process that was frozen hears of its connection before its timers fire: too late to send.
        if (isLate()) {
          fail('CONNECT_TIMEOUT');
          controller.abort(ABORTED);
          return;
        }
        started = controller;
      },
      onRequestUpgrade(_controller, _status, _headers, socket) {
        fail('GARBAGE');
        socket.destroy();
      },
      onResponseStart(_controller, statusCode, headers) {
        // 1xx come before the answer.
        if (statusCode < 200) return;
        status = statusCode;
        contentType = String(headers['content-type'] ?? '');
      },
      onResponseData(_controller, chunk) {
        receivedBytes += chunk.length;
        if (receivedBytes > bodyBytesMax) stop('TOO_LARGE');
        else chunks.push(chunk);
      },
      onResponseEnd() {
        finish({ kind: 'ANSWER', status, contentType, body: Buffer.concat(chunks) });
      },
      onResponseError(_controller, error) {
        fail(whyFailed(error, started !== null));
      },
    };

    const headers: Record<string, string> = { accept: 'application/json' };
    if (body !== undefined) headers['content-type'] = 'application/json';
    dispatcher.dispatch(
      {
        origin,
        path,
        method,
        headers,
        body: body === undefined ? null : Buffer.from(body),
        // The deadline above covers these, and trickling too, which they would not.
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      handler,
    );
  });
}

/** Whether the time is over, by either clock: the monotonic one stops while a machine sleeps. */
function createLateness(timeoutMs: number): () => boolean {
  const monotonic = performance.now();
  const wall = Date.now();
  return () => performance.now() - monotonic >= timeoutMs || Date.now() - wall >= timeoutMs;
}
