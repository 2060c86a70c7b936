import { destinationOf, toMinor } from './currencies.ts';

/** What the operator takes for a payment, as a file says it: amounts in major units. */
export interface WrittenFee {
  readonly type: 'SERVICE' | 'RAIL';
  readonly currency: string;
  readonly rail?: string;
  readonly country?: string;
  readonly environment?: 'test' | 'live';
  readonly fixed?: string;
  readonly bps?: number;
  readonly min?: string;
  readonly max?: string;
}

/** Of several rows of a type the one that says most counts: those are written last here. */
export const FEES: readonly WrittenFee[] = [
  { type: 'SERVICE', currency: 'EUR', fixed: '0.35', bps: 12, min: '0.40', max: '9.99' },
  { type: 'RAIL', currency: 'EUR', fixed: '0.03' },
  { type: 'RAIL', currency: 'EUR', rail: 'SEPA', fixed: '0.05' },
  { type: 'RAIL', currency: 'EUR', rail: 'SWIFT', fixed: '11.00' },
  { type: 'SERVICE', currency: 'USD', bps: 33 },
  { type: 'SERVICE', currency: 'USD', environment: 'live', bps: 66 },
  { type: 'RAIL', currency: 'USD', country: 'US', rail: 'ACH', fixed: '0.20' },
  { type: 'SERVICE', currency: 'JPY', bps: 7, min: '1' },
  { type: 'RAIL', currency: 'KWD', fixed: '0.125', bps: 1 },
  { type: 'SERVICE', currency: 'BHD', bps: 250, max: '0.500' },
  { type: 'SERVICE', currency: 'CLP', fixed: '90' },
  { type: 'RAIL', currency: 'INR', rail: 'IMPS', bps: 3, min: '0.05' },
  { type: 'SERVICE', currency: 'THB', fixed: '2.50' },
];

/** The fee of a plain payment, in minor units: of each type one row. */
export const plainFee = (currency: string, minor: bigint): bigint =>
  feesOf(['SERVICE', 'RAIL'], currency, destinationOf(currency), minor);

/** What the rail of the target costs a conversion, in minor units of the source. */
export const railFee = (source: string, target: string, converted: bigint): bigint =>
  feesOf(['RAIL'], source, destinationOf(target), converted);

function feesOf(
  types: readonly WrittenFee['type'][],
  currency: string,
  { rail, country }: { readonly rail: string; readonly country: string },
  minor: bigint,
): bigint {
  return types.reduce((sum, type) => {
    const row = FEES.findLast(
      (one) =>
        one.type === type &&
        one.currency === currency &&
        (one.rail ?? rail) === rail &&
        (one.country ?? country) === country &&
        (one.environment ?? 'test') === 'test',
    );
    return row === undefined ? sum : sum + charge(row, minor);
  }, 0n);
}

function charge({ currency, fixed, bps = 0, min, max }: WrittenFee, minor: bigint): bigint {
  const amount = (text: string) => toMinor(text, currency);
  const share = (minor * BigInt(bps) + 9_999n) / 10_000n;
  const plain = (fixed === undefined ? 0n : amount(fixed)) + share;
  const atLeast = min !== undefined && plain < amount(min) ? amount(min) : plain;
  return max !== undefined && atLeast > amount(max) ? amount(max) : atLeast;
}
