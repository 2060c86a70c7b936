import type { ChainTransferRow } from '../../db/onchain/chain-transfer-store.ts';
import { findPayment } from '../../db/payments/payment-store.ts';
import { ScreeningError } from '../../domain/parties/screening/screening-provider.ts';
import { screenWallet } from '../parties/wallets/screen-wallet.ts';
import type { ChainDeps } from './chain-deps.ts';

/** Look-ups of one poll cycle, of a few seconds each at worst; what is left comes with the next one. */
const LOOK_UPS_MAX = 20;

/** Looks up the wallets of payments that have waited since their last look-up. */
export interface WalletLookUps {
  /**
   * Looks the wallet of a transfer's payment up, where that was not done within a day. False where the provider did not
   * answer, or enough was asked in this poll cycle. No transaction is open meanwhile.
   */
  screen(transfer: ChainTransferRow): Promise<boolean>;
}

/** Those of one poll cycle. A provider that does not answer once is asked no more in it. */
export function createWalletLookUps(deps: ChainDeps): WalletLookUps {
  let left = LOOK_UPS_MAX;
  return {
    async screen({ customerId, environment, paymentId }) {
      if (left === 0) return false;
      left -= 1;
      const scope = { customerId, environment };
      const payment = await deps.db.read(scope, (tx) => findPayment(tx, scope, paymentId));
      if (payment?.destination.kind !== 'WALLET') return false;
      try {
        await screenWallet(deps, scope, payment.destination.walletId);
        return true;
      } catch (error) {
        if (!(error instanceof ScreeningError)) throw error;
        left = 0;
        return false;
      }
    },
  };
}
