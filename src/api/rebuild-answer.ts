import { viewBankAccount } from '../modules/parties/bank-accounts/bank-account-view.ts';
import { findBankAccount } from '../db/parties/bank-account-store.ts';
import type { ScopedTransaction } from '../db/client/database.ts';
import { findEndUser } from '../db/parties/end-user-store.ts';
import { findKycCheck } from '../db/parties/kyc-check-store.ts';
import { readHistory } from '../db/payments/payment-history-store.ts';
import { findPayment } from '../db/payments/payment-store.ts';
import { findWallet } from '../db/parties/wallet-store.ts';
import { ID_PREFIXES } from '../domain/ids.ts';
import type { Scope } from '../domain/scope.ts';
import { viewEndUser } from '../modules/parties/end-users/end-user-view.ts';
import { viewKycCheck } from '../modules/parties/kyc/kyc-view.ts';
import { ENDED } from '../modules/payments/payment-arrival.ts';
import { paymentView } from '../modules/payments/payment-view.ts';
import { viewWallet } from '../modules/parties/wallets/wallet-view.ts';
import type { HttpDeps } from './deps.ts';

/**
 * What is left of a resource whose end-user was erased, as the API shows it: the body of the answer to a
 * repeated request, in the place of the one that cannot be read any more.
 */
export async function rebuildResource(
  deps: Pick<HttpDeps, 'vault' | 'settings'>,
  tx: ScopedTransaction,
  scope: Scope,
  id: string,
): Promise<object> {
  const { vault } = deps;
  const body = await view(id.slice(0, id.lastIndexOf('_')));
  if (body === null) throw new Error(`nothing tells what ${id} was`);
  return body;

  async function view(prefix: string): Promise<object | null> {
    switch (prefix) {
      case ID_PREFIXES.endUser: {
        const row = await findEndUser(tx, scope, id);
        return row && viewEndUser(row, vault);
      }
      case ID_PREFIXES.bankAccount: {
        const row = await findBankAccount(tx, scope, id);
        return row && viewBankAccount(row, vault);
      }
      case ID_PREFIXES.wallet: {
        const row = await findWallet(tx, scope, id);
        return row && viewWallet(row, { vault, publicUrl: deps.settings.publicUrl });
      }
      case ID_PREFIXES.kycCheck: {
        const row = await findKycCheck(tx, scope, id);
        return row && viewKycCheck(row, { vault, publicUrl: deps.settings.publicUrl });
      }
      case ID_PREFIXES.payment: {
        const row = await findPayment(tx, scope, id);
        if (row === null) return null;
        const history = await readHistory(tx, scope, [id]);
        // The one action that is bound to a payment cancels it.
        return paymentView(row, { history, arrival: ENDED }, vault);
      }
      default:
        return null;
    }
  }
}
