import type { FeeType, PaymentFee } from '../../../domain/payments/fees/payment-fee.ts';
import { formatAmount } from '../../../domain/money/amount.ts';
import { unitOf } from '../../../domain/money/unit-of.ts';

const FEE_WORDS: Readonly<Record<FeeType, string>> = {
  SERVICE: 'Fee of the service',
  NETWORK: 'Fee of the network',
  RAIL: 'Fee of the rail',
  FIXED: 'Fixed fee of a conversion',
  PERCENTAGE: 'Share of the converted amount',
  ROUNDING: 'What the rounding of a conversion leaves over',
};

/** A fee as the API shows it, of a payment and of a quote alike; `code` is a currency or an asset. */
export const viewFee = ({ type, amount, bps }: PaymentFee, code: string) => ({
  ...{ type, amount: formatAmount(BigInt(amount), code), ...unitOf(code), bps },
  description: FEE_WORDS[type],
});
