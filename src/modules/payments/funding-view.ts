import type { ShownFunding } from '../../domain/onchain/deposits/shown-funding.ts';
import { formatAmount } from '../../domain/money/amount.ts';

const FROM_BALANCE = {
  type: 'BALANCE',
  ...{ asset: null, network: null, address: null },
  ...{ amountDue: null, amountReceived: null, expiresAt: null },
  refundWalletId: null,
} as const;

/** What pays for a payment, as the API shows it: amounts in major units. */
export function viewFunding(funding: ShownFunding | null): Record<string, unknown> {
  if (funding === null) return FROM_BALANCE;
  const { asset, network, address, amountDue, amountReceived, expiresAt, refundWalletId } = funding;
  return {
    type: 'CRYPTO_DEPOSIT',
    ...{ asset, network, address },
    amountDue: formatAmount(BigInt(amountDue), asset),
    amountReceived: formatAmount(BigInt(amountReceived), asset),
    expiresAt,
    refundWalletId,
  };
}
