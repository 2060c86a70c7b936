import { ERRORS, type ErrorCode } from '../domain/errors/registry.ts';
import { Refusal, type Problem } from '../domain/errors/refusal.ts';
import { isDatabaseOutage, ScopeBusy, SlowList } from '../db/client/outage.ts';

interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly error: ErrorCode;
  readonly message: string;
  readonly details: readonly Problem[];
}

const RETRY_AFTER_OUTAGE_SECONDS = '1';

/** Fastify's own errors that a caller can cause. */
const FASTIFY_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_json',
  FST_ERR_BAD_URL: 'invalid_parameter',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
  FST_ERR_NOT_FOUND: 'not_found',
};

/** What any thrown thing is answered with. Nothing of an unforeseen error's text gets out. */
export function errorAnswer(thrown: unknown): ErrorAnswer {
  if (thrown instanceof Refusal) return answerOf(thrown);
  const { code, statusCode } = (thrown ?? {}) as { code?: string; statusCode?: number };
  const known = code === undefined ? undefined : FASTIFY_CODES[code];
  if (known !== undefined) return answerOf(new Refusal(known, ERRORS[known].description));
  // The caller's doing in Fastify's eyes, as a connection that ended in the middle of the body:
  // its code is the one that PostgreSQL's connection would have.
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return answerOf(new Refusal('validation_failed', 'The request could not be read.'));
  }
  if (thrown instanceof SlowList) {
    const message =
      'The list could not be read within 2 seconds. Narrow the filters, or try again.';
    return answerOf(new Refusal('service_unavailable', message));
  }
  if (thrown instanceof ScopeBusy) {
    const message =
      'Your earlier writes did not finish in time. Repeat the request with the same Idempotency-Key.';
    return answerOf(new Refusal('service_unavailable', message));
  }
  if (isDatabaseOutage(thrown)) {
    const outage = 'service_unavailable';
    return answerOf(new Refusal(outage, ERRORS[outage].description));
  }
  return answerOf(new Refusal('internal_error', ERRORS.internal_error.description));
}

function answerOf(refusal: Refusal): ErrorAnswer {
  const { status } = ERRORS[refusal.code];
  const headers = Object.fromEntries(
    Object.entries(refusal.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  if (status === 503) headers['retry-after'] ??= RETRY_AFTER_OUTAGE_SECONDS;
  return {
    status,
    headers,
    error: refusal.code,
    message: refusal.message,
    details: refusal.details,
  };
}

/** The JSON text of an error's body: these four members and no other. */
export function renderErrorBody(answer: ErrorAnswer, requestId: string): string {
  return JSON.stringify({
    error: answer.error,
    message: answer.message,
    details: answer.details,
    requestId,
  });
}
