import { identifyingDetails } from '../../../domain/parties/bank-accounts/rail-details.ts';
import type { Scope } from '../../../domain/scope.ts';
import type { Vault } from '../../../vault/vault.ts';
import type { BankAccountOrder, JudgedBankAccount } from './judge-bank-account.ts';

/**
 * Equal for the same account within one scope; says nothing outside it, nor without the first pepper. Customers read it and
 * keep it, so it does not change when peppers rotate.
 */
export function fingerprintOf(
  vault: Vault,
  scope: Scope,
  order: BankAccountOrder,
  judged: JudgedBankAccount,
): string {
  const parts = [
    scope.customerId,
    scope.environment,
    judged.rail,
    order.country,
    order.currency,
    identifyingDetails(judged.rail, order, judged.details.normalised),
  ];
  return vault.steadyHash('bank_account', JSON.stringify(parts)).toString('base64url');
}
