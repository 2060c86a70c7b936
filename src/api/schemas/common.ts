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
        'The ETag of the version that the change is meant for, in its double quotes; a list of them with commas between; or `*`. Another version, or a weak tag (`W/"3"`), is a 412 `precondition_failed`; what is none of these is `invalid_parameter`.',
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

/** The code of a stablecoin in an answer. */
export const AssetCode = (description: string) =>
  Type.String({ pattern: '^[A-Z]{4}$', description, examples: ['USDC'] });

/** The code of a currency or of a stablecoin in an answer. */
export const UnitCode = (description: string) =>
  Type.String({ pattern: '^[A-Z]{3,4}$', description, examples: ['EUR'] });

/** What an amount in an answer is in: `currency` or `asset`, never both. */
export const Unit = (description: string) => ({
  currency: Type.Optional(CurrencyCode(`${description} ISO 4217; absent where it is an asset.`)),
  asset: Type.Optional(AssetCode(`${description} Absent where it is a currency.`)),
});

/** What a filter or a path names that balances are in. */
export const UnitFilter = (description: string) =>
  Type.String({
    pattern: '^[A-Z]{3,4}$',
    'x-error': { pattern: 'unsupported_currency' },
    description: `ISO 4217, or the code of an asset. ${description}`,
    examples: ['EUR'],
  });

/** An amount in an answer: major units with exactly the decimals of its currency or asset. */
export const AmountText = (description: string) =>
  Type.String({ pattern: '^-?[0-9]+(\\.[0-9]+)?$', description, examples: ['10.00'] });

const AMOUNT_BOUNDS =
  'More than 0 and less than 1000000000000. No more decimals than its currency or asset has, zeros at the end included; no sign, no exponent.';

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
    description: `${description} A plain decimal: 18 significant digits within 24 decimals, zeros at the end left out.`,
    examples: ['0.853275'],
  });
