import { join } from 'node:path';
import { MADE_UP_COUNTRY, madeUpAccounts } from '../../domain/ledger/funding/made-up-accounts.ts';
import { writeAtomically } from '../embedded/data-folder.ts';

/** The file of made-up accounts for the sandbox bank that plays the live one; answers its path. */
export function keepFundingAccounts(dataDir: string): string {
  const file = join(dataDir, 'funding-accounts.json');
  const accounts = madeUpAccounts().map((account) => ({ ...account, country: MADE_UP_COUNTRY }));
  writeAtomically(file, `${JSON.stringify({ accounts }, null, 2)}\n`);
  return file;
}
