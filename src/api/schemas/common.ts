import { Type } from 'typebox';

const idempotencyKey = (title: string, description: string) =>
  Type.String({
    title,
    pattern: '^[ -~]{1,255}$',
    'x-error': 'invalid_idempotency_key',
    description: `${description} From 1 to 255 printable ASCII characters.`,
    examples: ['5f0c7b1e-4f7e-4a41-9d0a-2d9b6f3f8a10'],
  });

/** Request headers of a POST whose Idempotency-Key is optional. */
export const OptionalIdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    idempotencyKey(
      'IdempotencyKey',
      'A unique key for the request. For 30 days, a repeated request with the same key and body returns the first answer and has no further effect.',
    ),
  ),
});

/** Request headers of a change that may be bound to the version that its caller has seen. */
export const IfMatchHeaders = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      description:
        'The ETag of the version that you want to change, in double quotes, a comma-separated list of ETags, or `*`. If the version does not match, or the ETag is weak (`W/"3"`), the answer is a 412 `precondition_failed`. Any other value is an `invalid_parameter`.',
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
  {
    'idempotency-key': idempotencyKey(
      'RequiredIdempotencyKey',
      'A unique key for the payment. A repeated request with the same key and body returns the first answer and makes no second payment. The key never expires.',
    ),
  },
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

/** The code of a stablecoin in an answer. */
export const AssetCode = (description: string) =>
  Type.String({ pattern: '^[A-Z]{4}$', description, examples: ['USDC'] });

/** The code of a currency or of a stablecoin in an answer. */
export const UnitCode = (description: string) =>
  Type.String({ pattern: '^[A-Z]{3,4}$', description, examples: ['EUR'] });

/** What an amount in an answer is in: `currency` or `asset`, never both. */
export const Unit = (description: string) => ({
  currency: Type.Optional(CurrencyCode(`${description} ISO 4217 code. Absent for an asset.`)),
  asset: Type.Optional(AssetCode(`${description} Asset code. Absent for a currency.`)),
});

/** What a filter or a path names that balances are in. */
export const UnitFilter = (description: string) =>
  Type.String({
    pattern: '^[A-Z]{3,4}$',
    'x-error': { pattern: 'unsupported_currency' },
    description: `A three-letter ISO 4217 currency code, or the code of an asset. ${description}`,
    examples: ['EUR'],
  });

/** An amount in an answer: major units with exactly the decimals of its currency or asset. */
export const AmountText = (description: string) =>
  Type.String({ pattern: '^-?[0-9]+(\\.[0-9]+)?$', description, examples: ['10.00'] });

const AMOUNT_BOUNDS =
  'In major units, as a number or decimal text. Greater than 0 and less than 1000000000000, with no more decimals than its currency or asset has. Trailing zeros count as decimals. Signs and exponents are not allowed.';

/**
 * An amount in a body: a number or decimal text; its digits are read from the JSON text itself. The bounds are said
 * in words: parseAmount refuses what is outside under codes of its own, which keywords here would take the place of.
 */
export const AmountInput = (description: string) =>
  Type.Union(
    [
      // Generators take a plain number for 32 bits, which cannot hold 1234567.89.
      Type.Number({ format: 'double' }),
      Type.String({ pattern: '^(0|[1-9][0-9]*)(\\.[0-9]+)?$', minLength: 1, maxLength: 40 }),
    ],
    { description: `${description} ${AMOUNT_BOUNDS}`, examples: ['10.00'] },
  );

/** A rate in an answer: at least 15 significant digits where it has so many, up to 24 decimals. */
export const RateText = (description: string) =>
  Type.String({
    pattern: '^[0-9]+(\\.[0-9]{1,24})?$',
    description: `${description} Decimal text with up to 18 significant digits and up to 24 decimals, without trailing zeros.`,
    examples: ['0.853275'],
  });
