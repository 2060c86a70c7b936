import type { PaymentRow } from '../../db/payments/payment-store.ts';
import { formatAmount } from '../../domain/money/amount.ts';
import { railOf } from '../../domain/payments/payment-destination.ts';
import type { TransferOrder } from '../../domain/payments/transfer-order.ts';
import type { Vault } from '../../vault/vault.ts';
import type { Beneficiary } from './beneficiary.ts';
import { paymentRow, type PaymentPersonal } from './payment-personal.ts';

/**
 * What the bank or the network's rail is asked to do under one reference. Opened for it alone. Throws where a
 * wallet is on another network than the payment.
 */
export function buildTransferOrder(
  vault: Vault,
  payment: PaymentRow,
  beneficiary: Beneficiary,
  reference: string,
): TransferOrder {
  const { unit } = payment;
  const rail = railOf(payment.destination);
  const amount = formatAmount(payment.amount, unit);
  if (beneficiary.kind === 'WALLET') {
    const { network, address } = beneficiary.wallet;
    if (network !== rail) throw new Error(`payment ${payment.id} is for another network`);
    return { reference, amount, asset: unit, network, address };
  }
  const { account } = beneficiary;
  const sealer = vault.of(payment);
  const creditor = sealer.openJson<{ holderName: string; details: Record<string, string> }>(
    account.personal,
    `bank_accounts/${account.id}`,
  );
  const personal = sealer.openJson<PaymentPersonal>(payment.personal, paymentRow(payment.id));
  return {
    ...{ reference, amount, currency: unit, rail },
    creditor: { name: creditor.holderName, account: creditor.details, country: account.country },
    remittance: personal.reference ?? '',
    onBehalfOf: payment.customerId,
  };
}
