import type { FeeType, PaymentFee } from '../domain/fees/payment-fee.ts';
import { formatAmount } from '../domain/money/amount.ts';

const FEE_WORDS: Readonly<Record<FeeType, string>> = {
  SERVICE: 'Fee of the service',
  RAIL: 'Fee of the rail',
  FIXED: 'Fixed fee of a conversion',
  PERCENTAGE: 'Share of the converted amount',
};

/** A fee as the API shows it, of a payment and of a quote alike. */
export const viewFee = ({ type, amount, bps }: PaymentFee, currency: string) => ({
  ...{ type, amount: formatAmount(BigInt(amount), currency), currency, bps },
  description: FEE_WORDS[type],
});
