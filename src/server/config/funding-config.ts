import { Type, type Static } from 'typebox';
import type { FundingAccount } from '../../domain/ledger/funding/funding-account.ts';
import { madeUpAccounts } from '../../domain/ledger/funding/made-up-accounts.ts';
import type { Environment } from '../../domain/scope.ts';
import { readFundingAccountsFile } from './funding-accounts-file.ts';
import { perEnvironment, variableOf } from './setting-scope.ts';
import { jsonFile } from './setting-types.ts';
import type { Report } from './settings.ts';

const NAME = 'FUNDING_ACCOUNTS_FILE';

/** Where customers have money sent to. Read by the API. */
export const FUNDING = perEnvironment((environment) =>
  Type.Optional(
    jsonFile(
      NAME,
      'Our accounts that customers fund: [balances](balances.md). Without it, live lists no account.',
      environment === 'test' ? "the sandbox bank's" : '-',
    ),
  ),
);

type FundingFiles = Static<typeof FUNDING>;

/** Reports every value of the files that cannot be used, by file, row and field. */
export function checkFundingFiles(files: FundingFiles, report: Report): void {
  for (const environment of ['test', 'live'] as const) {
    const name = variableOf(environment, NAME);
    const read = readOne(files[environment]);
    if (read?.ok !== false) continue;
    for (const line of read.lines) report([name], `${name}: ${line}`);
  }
}

/** The accounts that the files name. They have been checked. */
export function fundingAccounts(
  files: FundingFiles,
): Readonly<Record<Environment, readonly FundingAccount[]>> {
  const test = readOne(files.test);
  const live = readOne(files.live);
  return {
    test: test === null ? madeUpAccounts() : accountsOf(test),
    live: live === null ? [] : accountsOf(live),
  };
}

type Read = ReturnType<typeof readFundingAccountsFile>;

const readOne = (file: unknown): Read | null =>
  file === undefined ? null : readFundingAccountsFile(file);

const accountsOf = (read: Read): readonly FundingAccount[] => (read.ok ? read.accounts : []);
