import type { ErrorBody } from './generated/schemas.ts';
import type { OperationId } from './operation-types.ts';

/** Every code of an error that this version knows; `GET /errors` lists those of an installation. */
export type ErrorCode = ErrorBody['error'];

/** One problem of a request: where it is, its code, and a sentence for developers. */
export type ErrorDetail = ErrorBody['details'][number];

/** What is known of a call that failed. */
export interface FailedCall {
  /** As the API's document calls it, e.g. `createPayment`. */
  readonly operation: OperationId;
  /** How often it was sent. */
  readonly attempts: number;
  /** The key that it was sent with: with the same one it can be sent again. Null where it takes none. */
  readonly idempotencyKey: string | null;
  /**
   * Whether it may have taken effect: an answer was lost on its way, or was one of 5xx. Never so of a
   * call that only reads.
   */
  readonly isOutcomeUnknown: boolean;
}

/** What this client throws: one of the classes below. No message of them holds the API key. */
export class CausewayError extends Error {
  override readonly name: string = 'CausewayError';
}

/** A call that the API did not do, or of which it is not known. */
export abstract class CausewayCallError extends CausewayError implements FailedCall {
  readonly operation: OperationId;
  readonly attempts: number;
  readonly idempotencyKey: string | null;
  readonly isOutcomeUnknown: boolean;

  constructor(message: string, call: FailedCall, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.operation = call.operation;
    this.attempts = call.attempts;
    this.idempotencyKey = call.idempotencyKey;
    this.isOutcomeUnknown = call.isOutcomeUnknown;
  }
}

/** What the API answered in place of what was asked for. */
export interface ErrorAnswer {
  readonly status: number;
  readonly error: string;
  readonly message: string;
  readonly details: readonly ErrorDetail[];
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
}

/** The API answered with an error. Switch on `error`. */
export class CausewayApiError extends CausewayCallError {
  override readonly name = 'CausewayApiError';
  /** `unexpected_answer` where the answer is none of the API's, such as a proxy's page. More codes may come. */
  readonly error: ErrorCode | 'unexpected_answer' | (string & {});
  readonly status: number;
  readonly details: readonly ErrorDetail[];
  /** Name it when you ask the operators of the service about the call. */
  readonly requestId: string | null;
  /** After how long it may be sent again, where the API says so. */
  readonly retryAfterSeconds: number | null;

  constructor(answer: ErrorAnswer, call: FailedCall) {
    const { status, error, message, requestId } = answer;
    const request = requestId === null ? '' : `, request ${requestId}`;
    super(`${message} (${error}, status ${String(status)}${request})${adviceOf(call)}`, call);
    this.error = error;
    this.status = status;
    this.details = answer.details;
    this.requestId = requestId;
    this.retryAfterSeconds = answer.retryAfterSeconds;
  }
}

/** Why there is no answer. */
export type ConnectionFault = 'connection' | 'timeout' | 'aborted' | 'unreadable_answer';

const FAULTS: Readonly<Record<ConnectionFault, string>> = {
  connection: 'The connection failed',
  timeout: 'No answer came in time',
  aborted: 'The call was ended by its signal',
  unreadable_answer: 'The answer could not be read',
};

/** There is no answer. `cause` is what went wrong, or the signal's reason. */
export class CausewayConnectionError extends CausewayCallError {
  override readonly name = 'CausewayConnectionError';
  readonly fault: ConnectionFault;

  constructor(fault: ConnectionFault, call: FailedCall, cause: unknown) {
    const sent = call.attempts === 1 ? 'one attempt' : `${String(call.attempts)} attempts`;
    super(`${FAULTS[fault]} (${call.operation}, ${sent})${adviceOf(call)}`, call, { cause });
    this.fault = fault;
  }
}

/** Why a webhook was refused. */
export type WebhookFault =
  | 'missing_header'
  | 'malformed_timestamp'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  | 'signature_mismatch';

const WEBHOOK_FAULTS: Readonly<Record<WebhookFault, string>> = {
  missing_header: 'webhook-id, webhook-timestamp or webhook-signature is missing',
  malformed_timestamp: 'webhook-timestamp is not seconds since 1970',
  timestamp_too_old: 'it was signed too long ago, or this clock is fast',
  timestamp_too_new: 'it was signed in the future, or this clock is slow',
  signature_mismatch:
    'no signature fits: the secret is of another endpoint, or the body is not as it arrived',
};

/** A webhook that is not genuine, or not of now: answer 401 and do nothing else. */
export class CausewayWebhookError extends CausewayError {
  override readonly name = 'CausewayWebhookError';
  readonly fault: WebhookFault;

  constructor(fault: WebhookFault) {
    super(`The webhook is not to be trusted: ${WEBHOOK_FAULTS[fault]}`);
    this.fault = fault;
  }
}

function adviceOf({ isOutcomeUnknown, idempotencyKey, attempts }: FailedCall): string {
  if (attempts === 0) return '. Nothing was sent.';
  if (!isOutcomeUnknown) return '';
  const advice =
    idempotencyKey === null
      ? 'read the resource before you send it again.'
      : 'send the same again with the idempotencyKey of this error: it is done once.';
  return `. It is not known whether it took effect: ${advice}`;
}
