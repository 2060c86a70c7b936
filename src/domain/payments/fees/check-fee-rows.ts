import { isCountry } from '../corridors/countries.ts';
import { isNetwork } from '../../onchain/network.ts';
import { isRail } from '../corridors/rail.ts';
import { isMoneyCode, minorDigits } from '../../money/currencies.ts';
import { splitDecimal } from '../../money/decimal-text.ts';
import type { Environment } from '../../scope.ts';
import type { FeeRow, ScheduledFeeType } from './fee-schedule.ts';

/** A row of an operator's file whose shape is right. Amounts are major units as decimal text. */
interface WrittenFeeRow {
  readonly type: ScheduledFeeType;
  readonly currency: string;
  readonly environment?: Environment;
  readonly rail?: string;
  /** In place of a rail. */
  readonly network?: string;
  readonly country?: string;
  readonly fixed?: string;
  readonly bps?: number;
  readonly min?: string;
  readonly max?: string;
}

/** What is wrong with a row, counted from 1: the field, and what it must be. */
interface FeeRowProblem {
  readonly row: number;
  readonly field: string;
  readonly must: string;
}

type CheckedFeeRows =
  | { readonly ok: true; readonly rows: readonly FeeRow[] }
  | { readonly ok: false; readonly problems: readonly FeeRowProblem[] };

/** Judges the rows of an operator's schedule of fees, all problems at once. */
export function checkFeeRows(written: readonly WrittenFeeRow[]): CheckedFeeRows {
  const firstOf = new Map<string, number>();
  const problems = written.flatMap((row, index) => {
    const said = keyOf(row);
    const before = firstOf.get(said);
    firstOf.set(said, before ?? index + 1);
    const again: FieldProblem[] =
      before === undefined ? [] : [['type', `another row's: row ${String(before)} names the same`]];
    return [...again, ...problemsOf(row)].map(([field, must]) => ({ row: index + 1, field, must }));
  });
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, rows: written.map(toFeeRow) };
}

type FieldProblem = readonly [field: string, must: string];

const keyOf = ({ type, currency, environment, country, ...row }: WrittenFeeRow): string =>
  JSON.stringify([type, currency, environment ?? null, railOf(row), country ?? null]);

const railOf = ({ rail, network }: Pick<WrittenFeeRow, 'rail' | 'network'>): string | null =>
  network ?? rail ?? null;

function* problemsOf(row: WrittenFeeRow): Generator<FieldProblem> {
  const { currency, rail, country } = row;
  if (rail !== undefined && !isRail(rail)) yield ['rail', 'the name of a rail'];
  yield* networkProblems(row);
  if (country !== undefined && !isCountry(country)) {
    yield ['country', 'an ISO 3166-1 alpha-2 code'];
  }
  if (!isMoneyCode(currency)) {
    yield ['currency', 'an ISO 4217 code or an asset'];
    return;
  }
  const must = `an amount with the decimals of ${currency} at most, as text`;
  for (const field of ['fixed', 'min', 'max'] as const) {
    const text = row[field];
    if (text !== undefined && minorOf(text, currency) === null) yield [field, must];
  }
  const least = row.min === undefined ? null : minorOf(row.min, currency);
  const most = row.max === undefined ? null : minorOf(row.max, currency);
  if (least !== null && most !== null && least > most) yield ['max', 'no less than min'];
}

/** A network stands in place of rail and country, and its own fee is one fixed amount: gas is no share. */
function* networkProblems(row: WrittenFeeRow): Generator<FieldProblem> {
  const { type, network } = row;
  if (network !== undefined && !isNetwork(network)) yield ['network', 'the name of a network'];
  if (type === 'NETWORK' && network === undefined) yield ['network', 'there for a NETWORK fee'];
  const without = network === undefined ? [] : (['rail', 'country'] as const);
  const fixedOnly = type === 'NETWORK' ? (['bps', 'min', 'max'] as const) : [];
  for (const field of without) {
    if (row[field] !== undefined) yield [field, 'left out beside a network'];
  }
  for (const field of fixedOnly) {
    if (row[field] !== undefined) yield [field, 'left out of a NETWORK fee, which is fixed'];
  }
}

/** Whole digits of a fee: far more than any is, and nothing that an account could not hold. */
const WHOLE_DIGITS_MAX = 9;

/** Zero is an amount here: a row that costs nothing is an exception to another one. */
function minorOf(text: string, currency: string): bigint | null {
  const parts = splitDecimal(text);
  const digits = minorDigits(currency);
  if (parts === null || parts.fraction.length > digits) return null;
  if (parts.whole.length > WHOLE_DIGITS_MAX) return null;
  return BigInt(parts.whole + parts.fraction.padEnd(digits, '0'));
}

function toFeeRow({ type, currency, ...row }: WrittenFeeRow): FeeRow {
  const amount = (text: string | undefined) =>
    text === undefined ? null : minorOf(text, currency);
  return {
    type,
    currency,
    environment: row.environment ?? null,
    rail: railOf(row),
    country: row.country ?? null,
    fixed: amount(row.fixed) ?? 0n,
    bps: row.bps ?? 0,
    min: amount(row.min),
    max: amount(row.max),
  };
}
