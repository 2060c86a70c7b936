import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { checkDetails } from '../../domain/parties/bank-accounts/rail-details.ts';
import { isCountry } from '../../domain/payments/corridors/countries.ts';
import { isRail } from '../../domain/payments/corridors/rail.ts';
import type { FundingAccount } from '../../domain/ledger/funding/funding-account.ts';
import { isCurrency } from '../../domain/money/currencies.ts';
import { shapeProblems } from './shape-problems.ts';

const closed = { additionalProperties: false } as const;
const line = (max: number) => Type.String({ pattern: '^\\S(.*\\S)?$', maxLength: max });

const AccountRow = Type.Object(
  {
    currency: Type.String(),
    rail: Type.String(),
    country: Type.String(),
    account: Type.Record(Type.String(), Type.String()),
    holderName: line(140),
    bankName: Type.Optional(line(140)),
  },
  closed,
);

const AccountsFile = Type.Object({ accounts: Type.Array(AccountRow, { maxItems: 1_000 }) }, closed);

type Row = Type.Static<typeof AccountRow>;

type ReadAccounts =
  | { readonly ok: true; readonly accounts: readonly FundingAccount[] }
  | { readonly ok: false; readonly lines: readonly string[] };

/** Reads the JSON of FUNDING_ACCOUNTS_FILE: our accounts, or a line for everything that is wrong. */
export function readFundingAccountsFile(json: unknown): ReadAccounts {
  if (!Value.Check(AccountsFile, json)) {
    return { ok: false, lines: shapeProblems(AccountsFile, json) };
  }
  const { accounts: rows } = json;
  const lines = rows.flatMap((row, index) =>
    [...problemsOf(row, rows.slice(0, index))].map(
      ([field, must]) => `row ${String(index + 1)} of accounts: ${field} must be ${must}`,
    ),
  );
  if (lines.length > 0) return { ok: false, lines };
  return { ok: true, accounts: rows.flatMap(toAccount) };
}

function* problemsOf(row: Row, before: readonly Row[]): Generator<readonly [string, string]> {
  if (!isCurrency(row.currency)) yield ['currency', 'an ISO 4217 code'];
  if (!isCountry(row.country)) yield ['country', 'an ISO 3166-1 alpha-2 code'];
  if (!isRail(row.rail)) yield ['rail', 'the name of a rail'];
  if (before.some(({ currency, rail }) => currency === row.currency && rail === row.rail)) {
    yield ['rail', 'in one row only with this currency'];
  }
  if (!isRail(row.rail) || !isCountry(row.country)) return;
  const details = checkDetails(row.rail, placeOf(row), row.account);
  if (details.ok) return;
  for (const { message } of details.problems) yield ['account', `right: ${message}`];
}

/** Ours are accounts of a business. */
const placeOf = ({ country }: Row) => ({ country, holderType: 'BUSINESS' as const });

function toAccount(row: Row): FundingAccount[] {
  const { currency, rail, holderName, bankName = null } = row;
  if (!isRail(rail)) return [];
  const details = checkDetails(rail, placeOf(row), row.account);
  if (!details.ok) return [];
  return [{ currency, rail, account: details.normalised, holderName, bankName }];
}
