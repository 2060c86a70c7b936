import { Type } from 'typebox';

const idempotencyKey = (description: string) =>
  Type.String({
    pattern: '^[ -~]{1,255}$',
    'x-error': 'invalid_idempotency_key',
    description: `${description} 1 to 255 printable ASCII characters.`,
    examples: ['5f0c7b1e-4f7e-4a41-9d0a-2d9b6f3f8a10'],
  });

/** Request headers of a POST whose Idempotency-Key is optional. */
export const OptionalIdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    idempotencyKey('Makes a repeated request answer as the first one did, for 30 days.'),
  ),
});

/** Request headers of a change that may be bound to the version that its caller has seen. */
export const IfMatchHeaders = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      description:
        'The ETag of the version that the change is meant for, a list of them, or `*`. Another version is a 412 `precondition_failed`.',
      examples: ['"3"'],
    }),
  ),
});

/** Request headers of a POST that changes a resource which is there. */
export const ActionHeaders = Type.Object({
  ...OptionalIdempotencyHeaders.properties,
  ...IfMatchHeaders.properties,
});

/** Request headers of a POST that needs an Idempotency-Key. */
export const RequiredIdempotencyHeaders = Type.Object(
  { 'idempotency-key': idempotencyKey('Binds this request to its answer for ever.') },
  { 'x-error': { required: 'idempotency_key_required' } },
);

/** A time as the API writes it: ISO 8601 in UTC with milliseconds. */
export const Timestamp = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-09-29T12:00:00.000Z'] });

/** The same where there may be none. */
export const NullableTimestamp = (description: string) =>
  Type.Union([Timestamp(description), Type.Null()], { description });

/** An ISO 4217 code in an answer. */
export const CurrencyCode = (description: string) =>
  Type.String({ pattern: '^[A-Z]{3}$', description, examples: ['EUR'] });

/** A currency that a filter or a path names. */
export const CurrencyFilter = (description: string) =>
  Type.String({
    pattern: '^[A-Z]{3}$',
    'x-error': { pattern: 'unsupported_currency' },
    description: `ISO 4217. ${description}`,
    examples: ['EUR'],
  });

/** An amount in an answer: major units with exactly the currency's decimals. */
export const AmountText = (description: string) =>
  Type.String({ pattern: '^-?[0-9]+(\\.[0-9]+)?$', description, examples: ['10.00'] });

/** An amount in a body: a number or decimal text; its digits are read from the JSON text itself. */
export const AmountInput = (description: string) =>
  Type.Union(
    [
      // Generators take a plain number for 32 bits, which cannot hold 1234567.89.
      Type.Number({ format: 'double' }),
      Type.String({ pattern: '^(0|[1-9][0-9]*)(\\.[0-9]+)?$', minLength: 1, maxLength: 40 }),
    ],
    { description, examples: ['10.00'] },
  );

/** A rate in an answer: at least 15 significant digits where it has so many, up to 24 decimals. */
export const RateText = (description: string) =>
  Type.String({
    pattern: '^[0-9]+(\\.[0-9]{1,24})?$',
    description: `${description} A plain decimal: 18 significant digits within 24 decimals, zeros at the end left out.`,
    examples: ['0.853275'],
  });
