import { Type, type TObject } from 'typebox';
import { FIELD_CODE_NAMES } from '../../domain/errors/problem-codes.ts';
import { ERRORS, ERROR_CODES, type ErrorCode } from '../../domain/errors/registry.ts';

/** One problem of a request. */
export const Problem = Type.Object(
  {
    path: Type.String({
      description:
        'The field of the problem: a JSON Pointer into the body, or /query/<name>, /path/<name>, or /header/<name>.',
      examples: ['/currency'],
    }),
    code: Type.String({
      description: `The code of the problem: an error code, or one of ${FIELD_CODE_NAMES.join(', ')}. More values may be added.`,
      examples: ['validation_failed'],
    }),
    message: Type.String(),
    meta: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { additionalProperties: false },
);

function errorBodyOf(codes: readonly ErrorCode[], description: string, title?: string) {
  return Type.Object(
    {
      error: Type.Unsafe<ErrorCode>({
        ...(title !== undefined && { title }),
        type: 'string',
        enum: [...codes],
        description: 'The stable error code. Base your error handling on this code.',
      }),
      message: Type.String({ description: 'A description for developers. The text may change.' }),
      details: Type.Array(Problem),
      requestId: Type.String({ examples: ['req_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
    },
    { description, additionalProperties: false },
  );
}

/** The body of every answer of 4xx and 5xx. */
export const ErrorBody = errorBodyOf(ERROR_CODES, 'An error.', 'ErrorCode');

/** Codes that any route behind a key may answer with, by the frame alone. */
export const FRAME_CODES: readonly ErrorCode[] = [
  'validation_failed',
  'invalid_parameter',
  'missing_api_key',
  'invalid_api_key',
  'api_key_expired',
  'api_key_revoked',
  'ip_not_allowed',
  'insufficient_scope',
  'customer_suspended',
  'live_access_not_granted',
  'not_found',
  'rate_limited',
  'internal_error',
  'service_unavailable',
];

/** Codes that come with reading a body. */
const BODY_CODES: readonly ErrorCode[] = [
  'invalid_json',
  'payload_too_large',
  'unsupported_media_type',
];

/** Codes that come with If-Match. */
export const IF_MATCH_CODES: readonly ErrorCode[] = ['precondition_failed'];

/** Codes that come with an optional Idempotency-Key. */
export const IDEMPOTENCY_CODES: readonly ErrorCode[] = [
  'invalid_idempotency_key',
  'idempotency_key_in_progress',
  'idempotency_key_closed',
  'idempotency_key_mismatch',
];

interface ErrorResponseOptions {
  /** The route reads a body. */
  readonly body?: boolean;
  /** Answered without a key. */
  readonly public?: boolean;
}

/**
 * The error half of a route's `response` schemas, by status, from the codes that the route itself may
 * answer with and those of the frame: `{ 201: Payment, ...errorResponses(['kyc_not_approved']) }`.
 */
export function errorResponses(
  codes: readonly ErrorCode[],
  options: ErrorResponseOptions = {},
): Record<number, TObject> {
  const isOpen = (code: ErrorCode) =>
    options.public === true && [401, 403].includes(ERRORS[code].status);
  const all = new Set<ErrorCode>([
    ...FRAME_CODES.filter((code) => !isOpen(code)),
    ...(options.body === true ? BODY_CODES : []),
    ...codes,
  ]);
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of ERROR_CODES.filter((known) => all.has(known))) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries([...byStatus].map(([status, known]) => [status, sharedBodyOf(known)]));
}

const sharedBodies = new Map<string, TObject>();

/** One schema for all answers with the same codes: some 650 answers have 60 schemas. */
function sharedBodyOf(codes: readonly ErrorCode[]): TObject {
  const description = codes.map((code) => `\`${code}\``).join(', ');
  const body = sharedBodies.get(description) ?? errorBodyOf(codes, description);
  sharedBodies.set(description, body);
  return body;
}
