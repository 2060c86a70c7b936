/** What takes two operators: it widens what may happen. What narrows takes one. */
export const APPROVAL_ACTIONS = [
  /** A KYC check gets the status that operators give it. */
  'KYC_OVERRIDE',
  /** A screening hit is no hit: the payments that it holds go on. */
  'SCREENING_RELEASE',
  /** What was found at a wallet's address is nothing: the wallet is paid. */
  'WALLET_RELEASE',
  /** Nothing is wrong with the sender of a deposit: it is credited. */
  'DEPOSIT_CLEARANCE',
  /** What becomes of a deposit whose sender is on a list: it is credited, or kept for good. */
  'BLOCKED_DEPOSIT',
  /** What becomes of money of a final payment that came back. */
  'LATE_RETURN',
  /** The bank paid a payment of which it does not tell the engine: it settles. */
  'CONFIRM_SETTLED',
  /** The bank did not pay it, and will not: it fails, and its funds go back. */
  'CONFIRM_FAILED',
  /** A trade against our position in currencies is recorded. */
  'FX_COVER',
  /** An unmatched credit of a statement is a customer's. */
  'CREDIT_ASSIGNMENT',
  /** It left the bank again without having been a customer's. */
  'CREDIT_CLOSING',
  /** Lines of a statement have their effect although its sums do not add up. */
  'STATEMENT_SUMS',
  /** An exception of a statement or a payment is ended, by moving money or by a reason. */
  'EXCEPTION_ACT',
  /** Exceptions of one kind are ended by the acts that rules suggest, each judged anew. */
  'EXCEPTION_SET',
  /** Such an act is reversed. */
  'EXCEPTION_REVERSAL',
  /** A bank account is a customer's own: payments may go there. */
  'OWN_ACCOUNT',
  /** A range of addresses that a live key may be used from. */
  'ADDRESS',
  /** A user or an operator has lost all passkeys: they log in by a code again. */
  'REMOVE_PASSKEYS',
  /** A suspended customer works again. */
  'CUSTOMER_RESUMPTION',
  /** A customer may move real money: its live keys work. */
  'LIVE_ACCESS',
  /** A hot address of a chain that was frozen pays again. */
  'SIGNER_ACCOUNT_THAW',
  /** A frozen hot address is given up for ever. */
  'SIGNER_ACCOUNT_RETIRE',
  /** A transaction that used a nonce of a hot address is no payment of ours. */
  'FOREIGN_NONCE',
  /** A transaction that used the nonce of a payment, and was not made by us, paid the payment, or did not. */
  'FOREIGN_PAYMENT',
  /** A network that went back behind a final block goes on behind a later one. */
  'CHAIN_RESUMPTION',
  /** What lies at an address of deposits below the floor of its asset becomes deposits. */
  'DUST_DEPOSITS',
] as const;

export type ApprovalAction = (typeof APPROVAL_ACTIONS)[number];

/** A proposal that was not decided in this time cannot be approved any more. Milliseconds. */
export const APPROVAL_LIFE_MS = 7 * 24 * 60 * 60 * 1000;

/** What is proposed: the effect follows from it alone, so that the second operator sees all of it. */
export interface ApprovalContent {
  readonly action: ApprovalAction;
  /** The resource that the effect changes. */
  readonly subjectId: string;
  /** Its version when the proposal was made: a change in between makes the approval void. */
  readonly subjectVersion: number;
  /** Ids and codes, nothing personal. */
  readonly content: Readonly<Record<string, string | number | readonly string[]>>;
}
