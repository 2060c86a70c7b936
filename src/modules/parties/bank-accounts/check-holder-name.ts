import { findActiveBankAccount } from '../../../db/parties/bank-account-store.ts';
import type { Database } from '../../../db/client/database.ts';
import { findEndUser } from '../../../db/parties/end-user-store.ts';
import { hasNameCheck } from '../../../domain/parties/bank-accounts/name-check.ts';
import type { AskName, NameCheck } from '../../../domain/parties/bank-accounts/name-check.ts';
import type { CorridorTable } from '../../../domain/payments/corridors/corridor-table.ts';
import { Refusal } from '../../../domain/errors/refusal.ts';
import type { Environment, Scope } from '../../../domain/scope.ts';
import type { Vault } from '../../../vault/vault.ts';
import { fingerprintOf } from './account-fingerprint.ts';
import { judgeBankAccount } from './judge-bank-account.ts';
import type { BankAccountOrder, JudgedBankAccount } from './judge-bank-account.ts';
import { isForOperators } from './own-account-rule.ts';

/** Who is asked about names, by environment; no one where it is missing. */
export type NameChecks = Readonly<Partial<Record<Environment, AskName>>>;

/**
 * Asks how the holder's name compares with the bank's, outside any transaction: the bank may take its
 * time. It is not asked about an order that will be refused, nor about an account that is known: else
 * any holder's name could be guessed here. Of those the answer counts for nothing.
 */
export async function checkHolderName(
  deps: {
    readonly db: Database;
    readonly vault: Vault;
    readonly corridors: CorridorTable;
    readonly nameChecks: NameChecks;
  },
  scope: Scope,
  order: BankAccountOrder,
  isProposal = false,
): Promise<NameCheck> {
  const ask = deps.nameChecks[scope.environment];
  const judged = ask === undefined ? null : judgeQuietly(deps.corridors, order);
  if (ask === undefined || judged === null || !hasNameCheck(judged.rail)) return 'NOT_SUPPORTED';
  const fingerprint = fingerprintOf(deps.vault, scope, order, judged);
  const isNew = await deps.db.read(scope, async (tx) => {
    const endUser = await findEndUser(tx, scope, order.endUserId);
    if (endUser?.status !== 'ACTIVE') return false;
    if (!isProposal && isForOperators(endUser, scope.environment)) return false;
    return (await findActiveBankAccount(tx, scope, endUser.id, fingerprint)) === null;
  });
  if (!isNew) return 'UNAVAILABLE';
  const { country, currency, holderType, holderName } = order;
  const details = judged.details.normalised;
  return ask({ country, currency, rail: judged.rail, holderType, holderName, details });
}

/** The refusal itself belongs to the transaction, behind the look at the idempotency key. */
function judgeQuietly(corridors: CorridorTable, order: BankAccountOrder): JudgedBankAccount | null {
  try {
    return judgeBankAccount(corridors, order);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
