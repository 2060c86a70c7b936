import type { Transaction } from '../db/database.ts';
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
  tx: Transaction,
  scope: Scope,
  bankAccountId: string,
  vault: Vault,
): Promise<AccountPersonal> {
  const rows = await tx.query<{ personal: Buffer; country: string }>(
    `SELECT personal, country FROM bank_accounts
     WHERE customer_id = $1 AND environment = $2 AND id = $3`,
    [scope.customerId, scope.environment, bankAccountId],
  );
  const row = rows[0];
  if (row === undefined) throw new Error(`there is no bank account ${bankAccountId}`);
  const opened = vault.openJson<Omit<AccountPersonal, 'country'>>(
    row.personal,
    `bank_accounts/${bankAccountId}`,
  );
  return { holderName: opened.holderName, details: opened.details, country: row.country };
}
