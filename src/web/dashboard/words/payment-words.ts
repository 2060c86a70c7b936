import type { StatusDetail } from '../../../domain/payments/payment-states.ts';

/** Why a payment is where it is, and what that means for its customer. */
const DETAIL_WORDS: Readonly<Record<StatusDetail, string>> = {
  AWAITING_DEPOSIT: 'The deposit has not arrived in full.',
  DEPOSIT_SEEN: 'A block holds the deposit. More blocks have to follow.',
  QUEUED: 'The funds are reserved.',
  SCHEDULED: 'The funds are reserved until its day.',
  SUBMITTING: 'We are sending the payment to the bank.',
  OUTCOME_UNKNOWN: 'The bank did not answer. We are asking the bank what happened to the payment.',
  STALLED:
    'The bank has not told us what happened to the payment. The operator is looking into it.',
  IN_RAIL: 'The bank accepted the payment.',
  RETRYING: 'We are sending the payment again.',
  SETTLEMENT_FAILED: 'The bank did not accept the payment. The operator is looking into it.',
  KYC_WITHDRAWN: 'The end-user’s KYC approval was withdrawn. Start a new KYC check.',
  COMPLIANCE_REVIEW: 'The operator is reviewing the payment.',
  COMPLIANCE_DECLINED: 'The payment was declined for compliance reasons.',
  CUSTOMER_SUSPENDED: 'Your account is suspended. Contact the operator.',
  END_USER_NOT_ACTIVE: 'The end-user is not active. Cancel the payment, or contact the operator.',
  BANK_ACCOUNT_DISABLED: 'The bank account was disabled. Cancel the payment.',
  WALLET_NOT_ACTIVE: 'The wallet is no longer active. Cancel the payment.',
  WALLET_NOT_PROVED: 'Prove the ownership of the wallet, or cancel the payment.',
  TRAVEL_RULE: 'We are asking the provider that keeps the wallet whether it accepts the transfer.',
  TRAVEL_RULE_REJECTED:
    'The provider that keeps the wallet did not accept the transfer. The funds are back in your balance.',
  CORRIDOR_UNAVAILABLE: 'The corridor is closed. The payment continues when the operator opens it.',
  QUOTE_EXPIRED:
    'The payment could not be sent while its rate was held. The funds are back in your balance.',
  AWAITING_RATE:
    'The rate of the payment is over. The payment continues when its price is within its maximum. You can cancel it.',
  REQUOTED: 'The rate of the payment was over. The payment has a new price.',
  CUSTOMER_APPROVAL:
    'The payment is over a limit of your company. It waits for the approval of a user.',
  APPROVAL_EXPIRED:
    'No user approved the payment within 7 days. The funds are back in your balance.',
  RELEASE_STOPPED: 'The operator stopped payments. The payment continues when they resume.',
  AWAITING_LIQUIDITY:
    'The operator’s wallet does not hold enough. The payment continues when it does.',
  NETWORK_CONGESTED: 'The network’s fees are too high. The payment continues when they fall.',
  SIGNING_STOPPED:
    'The operator’s wallets of the network do not sign now. The payment continues when they do.',
  ENGINE_FAULT: 'Something went wrong on our side. The operator is looking into it.',
  DELIVERED: 'The beneficiary has the money.',
  REJECTED_BY_BANK: 'The bank rejected the payment. The funds are back in your balance.',
  VOIDED: 'The transfer was withdrawn before it was sent. The funds are back in your balance.',
  REVERTED: 'The token refused the transfer. The funds are back in your balance.',
  RETURNED_BY_BANK: 'The bank returned the payment.',
  CANCELED_ON_REQUEST:
    'The payment was canceled before it was sent. The funds are back in your balance.',
  DEPOSIT_EXPIRED: 'No deposit arrived in time.',
  DEPOSIT_UNDERPAID: 'Less than the amount due arrived in time. It is in your balance.',
};

/** The sentence of a detail; its own name where a later version has a new one. */
export const detailWords = (detail: string): string =>
  Object.hasOwn(DETAIL_WORDS, detail)
    ? DETAIL_WORDS[detail as StatusDetail]
    : `${detail.replaceAll('_', ' ').toLowerCase()}.`;
