import type { ErrorAnswer } from './errors.ts';
import type { ErrorBody } from './generated/schemas.ts';
import { readRetryAfter } from './retry-rules.ts';

interface Answered {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly text: string;
}

/**
 * What an answer of 2xx holds: JSON, the text of another type, undefined where it is empty. Throws
 * SyntaxError where JSON is cut short.
 */
export function readSuccess({ status, headers, text }: Answered): unknown {
  if (status === 204) return undefined;
  const isText = /^(text\/csv|application\/xml)\b/.test(headers.get('content-type') ?? '');
  return isText ? text : (JSON.parse(text) as unknown);
}

/** What an answer says that is none of 2xx, from the API or from what stands before it. */
export function readErrorAnswer(answer: Answered, now: number): ErrorAnswer {
  const { status, headers, text } = answer;
  const body = readErrorBody(text);
  const retryAfterSeconds = readRetryAfter(headers.get('retry-after'), now);
  const requestId = body?.requestId ?? headers.get('x-request-id');
  if (body === null) {
    const message = 'The answer is none of the API';
    return {
      ...{ status, requestId, retryAfterSeconds, message },
      ...{ error: 'unexpected_answer', details: [] },
    };
  }
  const { error, message, details } = body;
  return { status, error, message, details, requestId, retryAfterSeconds };
}

function readErrorBody(text: string): ErrorBody | null {
  try {
    const body = JSON.parse(text) as Partial<ErrorBody> | null;
    const isError = typeof body?.error === 'string' && typeof body.message === 'string';
    return isError ? ({ requestId: '', ...body, details: body.details ?? [] } as ErrorBody) : null;
  } catch {
    return null;
  }
}
