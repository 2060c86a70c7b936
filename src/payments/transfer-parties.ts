import { findBankAccount } from '../db/bank-account-store.ts';
import type { ScopedTransaction } from '../db/database.ts';
import type { Scope } from '../domain/scope.ts';
import type { Vault } from '../vault/vault.ts';

/** What a transfer needs of its beneficiary's account, opened for the bank alone. */
export interface AccountPersonal {
  readonly holderName: string;
  readonly details: Readonly<Record<string, string>>;
  readonly country: string;
}

/** Opens the sealed part of a bank account for the transfer that goes there. */
export async function openPersonal(
  tx: ScopedTransaction,
  scope: Scope,
  bankAccountId: string,
  vault: Vault,
): Promise<AccountPersonal> {
  const row = await findBankAccount(tx, scope, bankAccountId);
  if (row === null) throw new Error(`there is no bank account ${bankAccountId}`);
  const opened = vault.openJson<Omit<AccountPersonal, 'country'>>(
    row.personal,
    `bank_accounts/${bankAccountId}`,
  );
  return { holderName: opened.holderName, details: opened.details, country: row.country };
}
