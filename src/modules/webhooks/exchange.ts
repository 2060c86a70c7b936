import type { Dispatcher } from 'undici';
import { AnswerTooLong } from './answer-limit.ts';

/** As much of an answer's body is read, so that the connection can serve again; then it is cut. */
const ANSWER_BYTES_MAX = 64 * 1_024;
/** As much of it is kept. */
const KEPT_BYTES_MAX = 4 * 1_024;
/** Below it an answer only announces the one to come. */
const FINAL_STATUS_MIN = 200;

interface ExchangeRequest {
  readonly origin: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  /** From the wait for a connection to the last byte of the answer that is read, in ms. */
  readonly timeoutMs: number;
}

/** What came back for one request. */
interface Exchanged {
  /** Undefined where no answer began. */
  readonly status: number | undefined;
  readonly retryAfter: string | string[] | undefined;
  /** The beginning of the body, never inflated. */
  readonly answer: string;
  /** Why the answer did not come to its end; undefined where it did. */
  readonly cut: unknown;
}

/**
 * One POST over a dispatcher's connections, which follows no redirect and reads no proxy variable. Never
 * rejects. An answer that is endless, slow or broken is cut.
 */
export function exchange(dispatcher: Dispatcher, request: ExchangeRequest): Promise<Exchanged> {
  return new Promise((resolve) => {
    const { origin, path, headers, body, timeoutMs } = request;
    const handler = new AnswerReader(resolve, timeoutMs);
    dispatcher.dispatch({ origin, path, method: 'POST', headers, body }, handler);
  });
}

/** Hears of one request. undici's own readers make a stream and an abort signal of each. */
class AnswerReader implements Dispatcher.DispatchHandler {
  readonly #resolve: (exchanged: Exchanged) => void;
  readonly #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #status: number | undefined;
  #retryAfter: string | string[] | undefined;
  #kept: Buffer[] | undefined;
  #bytes = 0;
  #isSettled = false;

  constructor(resolve: (exchanged: Exchanged) => void, timeoutMs: number) {
    this.#resolve = resolve;
    this.#timer = setTimeout(cutLate, timeoutMs, this);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // Its time was over before a connection was there: what is recorded as failed is not sent after that.
    if (this.#isSettled) controller.abort(late());
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status < FINAL_STATUS_MIN) return;
    this.#status = status;
    this.#retryAfter = headers['retry-after'];
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#bytes < KEPT_BYTES_MAX) {
      this.#kept ??= [];
      this.#kept.push(chunk.subarray(0, KEPT_BYTES_MAX - this.#bytes));
    }
    this.#bytes += chunk.length;
    if (this.#bytes > ANSWER_BYTES_MAX) this.cutOff(new AnswerTooLong('answer too long'));
  }

  onResponseEnd(): void {
    this.#settle(undefined);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#settle(error);
  }

  /** The connection goes with it. */
  cutOff(reason: Error): void {
    this.#settle(reason);
    this.#controller?.abort(reason);
  }

  #settle(cut: unknown): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    clearTimeout(this.#timer);
    const answer = this.#kept === undefined ? '' : Buffer.concat(this.#kept).toString('utf8');
    this.#resolve({ status: this.#status, retryAfter: this.#retryAfter, answer, cut });
  }
}

function cutLate(reader: AnswerReader): void {
  reader.cutOff(late());
}

function late(): NodeJS.ErrnoException {
  return Object.assign(new Error('the time is over'), { code: 'ETIMEDOUT' });
}
