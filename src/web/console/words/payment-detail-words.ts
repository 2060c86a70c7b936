import type { StatusDetail } from '../../../domain/payments/payment-states.ts';

interface DetailWords {
  /** A few words for tables and the history. */
  readonly label: string;
  /** Why the payment is where it is. */
  readonly sentence: string;
}

/** Why a payment is where it is, for operators. The dashboard has its own words for partners. */
const DETAILS: Readonly<Record<StatusDetail, DetailWords>> = {
  AWAITING_DEPOSIT: {
    label: 'Waiting for a deposit',
    sentence: 'The deposit that pays for it has not arrived in full.',
  },
  DEPOSIT_SEEN: {
    label: 'Deposit seen',
    sentence: 'A block holds its deposit, but not enough blocks have followed.',
  },
  QUEUED: { label: 'Queued', sentence: 'Its funds are reserved.' },
  SCHEDULED: {
    label: 'Scheduled',
    sentence: 'Its funds are reserved until its release time.',
  },
  SUBMITTING: { label: 'Sending to the bank', sentence: 'The engine is sending it to the bank.' },
  OUTCOME_UNKNOWN: {
    label: 'Outcome unknown',
    sentence: 'The engine sent it and does not know whether the bank has it.',
  },
  STALLED: {
    label: 'Outcome still unknown',
    sentence: 'The engine cannot find out whether it was paid.',
  },
  IN_RAIL: { label: 'With the bank', sentence: 'The bank has accepted it and has not settled it.' },
  RETRYING: { label: 'Retrying', sentence: 'The engine is trying again.' },
  SETTLEMENT_FAILED: {
    label: 'Bank does not take it',
    sentence: 'The bank did not take it, and the engine stopped trying.',
  },
  KYC_WITHDRAWN: {
    label: 'KYC approval withdrawn',
    sentence: 'The end-user’s KYC approval was withdrawn.',
  },
  COMPLIANCE_REVIEW: {
    label: 'Compliance review',
    sentence: 'A name or wallet of this payment may be on a sanctions list.',
  },
  COMPLIANCE_DECLINED: {
    label: 'Declined by compliance',
    sentence: 'It was declined for compliance reasons.',
  },
  CUSTOMER_SUSPENDED: { label: 'Customer suspended', sentence: 'The customer is suspended.' },
  END_USER_NOT_ACTIVE: {
    label: 'End-user not active',
    sentence: 'The end-user is not active.',
  },
  BANK_ACCOUNT_DISABLED: {
    label: 'Bank account disabled',
    sentence: 'The beneficiary’s bank account was disabled.',
  },
  WALLET_NOT_ACTIVE: {
    label: 'Wallet not active',
    sentence: 'The wallet was disabled or is not cleared.',
  },
  WALLET_NOT_PROVED: {
    label: 'Wallet ownership not proven',
    sentence: 'The ownership of the wallet must be proven for this amount.',
  },
  TRAVEL_RULE: {
    label: 'Travel Rule',
    sentence: 'The provider that keeps the wallet has not accepted the transfer.',
  },
  TRAVEL_RULE_REJECTED: {
    label: 'Travel Rule: not accepted',
    sentence: 'The provider that keeps the wallet did not accept the transfer.',
  },
  CORRIDOR_UNAVAILABLE: {
    label: 'Corridor unavailable',
    sentence: 'Its corridor is closed.',
  },
  QUOTE_EXPIRED: {
    label: 'Rate no longer held',
    sentence: 'It could not be sent while its rate was held.',
  },
  AWAITING_RATE: {
    label: 'Waiting for a rate',
    sentence: 'Its rate is over, and there is no rate at which its price is within its maximum.',
  },
  REQUOTED: { label: 'Priced anew', sentence: 'Its rate was over, and it has a new price.' },
  CUSTOMER_APPROVAL: {
    label: 'Waiting for the customer',
    sentence: 'It is over a limit that the customer set. A user of the customer must approve it.',
  },
  APPROVAL_EXPIRED: {
    label: 'Not approved in time',
    sentence: 'It was over a limit of the customer, and no user approved it within 7 days.',
  },
  RELEASE_STOPPED: {
    label: 'Release stopped',
    sentence: 'An operator stopped the release of payments that include this one.',
  },
  AWAITING_LIQUIDITY: {
    label: 'Balance too low to send',
    sentence: 'No hot address of its network can send the amount.',
  },
  NETWORK_CONGESTED: {
    label: 'Network congested',
    sentence: 'The network’s fees are above the cap.',
  },
  SIGNING_STOPPED: {
    label: 'Signing stopped',
    sentence: 'No hot address of its network signs now, or the amount for an hour is used up.',
  },
  ENGINE_FAULT: {
    label: 'Engine fault',
    sentence: 'A fault in the engine stopped it.',
  },
  DELIVERED: { label: 'Delivered', sentence: 'The beneficiary has the money.' },
  REJECTED_BY_BANK: {
    label: 'Rejected by the bank',
    sentence: 'The bank rejected it, and its funds are back in the customer’s balance.',
  },
  VOIDED: {
    label: 'Transfer given up',
    sentence: 'The transfer was given up, and its funds are back in the customer’s balance.',
  },
  REVERTED: {
    label: 'Refused by the token',
    sentence: 'The token refused the transfer, and the funds are back in the customer’s balance.',
  },
  RETURNED_BY_BANK: {
    label: 'Returned by the bank',
    sentence: 'The bank returned it.',
  },
  CANCELED_ON_REQUEST: {
    label: 'Canceled',
    sentence: 'It was canceled before it was sent.',
  },
  DEPOSIT_EXPIRED: { label: 'No deposit in time', sentence: 'No deposit arrived in time.' },
  DEPOSIT_UNDERPAID: {
    label: 'Deposit too small',
    sentence: 'Less than the amount due arrived in time. It is in the customer’s balance.',
  },
};

/** The words of a detail; its code where a later version has a new one. */
export const detailWordsOf = (detail: string): DetailWords =>
  Object.hasOwn(DETAILS, detail)
    ? DETAILS[detail as StatusDetail]
    : { label: detail, sentence: `Its detail is ${detail}.` };
