import type { Tone } from '../../kit/parts/chip.tsx';
import type { PaymentStatus, StatusDetail } from '../../../domain/payments/payment-states.ts';

/** A status as people read it. */
export const STATUS_WORDS: Readonly<
  Record<PaymentStatus, { readonly tone: Tone; readonly text: string }>
> = {
  PROCESSING: { tone: 'moving', text: 'Processing' },
  ON_HOLD: { tone: 'wait', text: 'On hold' },
  SENT: { tone: 'moving', text: 'Sent' },
  COMPLETED: { tone: 'ok', text: 'Completed' },
  FAILED: { tone: 'bad', text: 'Failed' },
  CANCELED: { tone: 'none', text: 'Canceled' },
  EXPIRED: { tone: 'none', text: 'Expired' },
  RETURNED: { tone: 'back', text: 'Returned' },
};

/** Why a payment is where it is, and what that means for its customer. */
const DETAIL_WORDS: Readonly<Record<StatusDetail, string>> = {
  AWAITING_DEPOSIT: 'It waits for its deposit, or for the rest of it.',
  DEPOSIT_SEEN: 'A deposit is in a block of its network, and waits for the blocks after it.',
  QUEUED: 'The funds are reserved.',
  SCHEDULED: 'The funds are reserved until its day.',
  SUBMITTING: 'It is being handed to the bank.',
  OUTCOME_UNKNOWN: 'The bank did not answer. It is asked what became of it.',
  STALLED: 'The bank does not say what became of it. The operator looks into it.',
  IN_RAIL: 'The bank has taken it on.',
  RETRYING: 'It is handed to the bank again.',
  SETTLEMENT_FAILED: 'The bank did not take it. The operator looks into it.',
  KYC_WITHDRAWN: 'The end-user is not approved any more: start a new KYC check.',
  COMPLIANCE_REVIEW: 'The operator reviews it.',
  COMPLIANCE_DECLINED: 'It was declined for compliance reasons.',
  CUSTOMER_SUSPENDED: 'Your account is suspended. Ask the operator.',
  END_USER_NOT_ACTIVE: 'The end-user is not active: cancel it, or ask the operator.',
  BANK_ACCOUNT_DISABLED: 'The bank account was disabled: cancel it.',
  WALLET_NOT_ACTIVE: 'The wallet is not active any more: cancel it.',
  WALLET_NOT_PROVED: 'The ownership of the wallet must be proved first, or cancel it.',
  TRAVEL_RULE: 'The provider that keeps the wallet is asked whether it takes the transfer.',
  TRAVEL_RULE_REJECTED:
    'The provider that keeps the wallet did not accept it; the funds are back in your balance.',
  CORRIDOR_UNAVAILABLE: 'Its corridor is not served now. The operator opens it again.',
  RELEASE_STOPPED: 'The operator has stopped payments for now.',
  AWAITING_LIQUIDITY: 'It waits until the wallet that it is paid from is filled up.',
  NETWORK_CONGESTED: 'The network asks for more than we pay for a transfer: it waits.',
  ENGINE_FAULT: 'Something went wrong here. The operator looks into it.',
  DELIVERED: 'The beneficiary has the money.',
  REJECTED_BY_BANK: 'The bank refused it; the funds are back in your balance.',
  VOIDED: 'It was withdrawn before the network took it; the funds are back in your balance.',
  REVERTED: 'The token refused the transfer; the funds are back in your balance.',
  RETURNED_BY_BANK: 'It came back from the bank.',
  CANCELED_ON_REQUEST: 'It was canceled before it was sent; the funds are back in your balance.',
  DEPOSIT_EXPIRED: 'Nothing was sent to its address in time.',
  DEPOSIT_UNDERPAID: 'Less than was due was sent in time; it is in your balance.',
};

/** The sentence of a detail; its own name where a later version has a new one. */
export const detailWords = (detail: string): string =>
  Object.hasOwn(DETAIL_WORDS, detail)
    ? DETAIL_WORDS[detail as StatusDetail]
    : `${detail.replaceAll('_', ' ').toLowerCase()}.`;

/** The words of a status; its own name where a later version has a new one. */
export const statusWords = (status: string): { readonly tone: Tone; readonly text: string } =>
  Object.hasOwn(STATUS_WORDS, status)
    ? STATUS_WORDS[status as PaymentStatus]
    : { tone: 'none', text: status };
