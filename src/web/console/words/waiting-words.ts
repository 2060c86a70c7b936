import {
  COUNTED_MAX,
  type WaitingKind,
  type WaitingRow,
} from '../../../db/operations/waiting-store.ts';
import { durationWords } from '../../kit/duration-words.ts';
import { groupDigits } from '../../kit/parts/money.tsx';

interface KindWords {
  /** After "1": "payment is on hold". */
  readonly one: string;
  /** After any other number: "payments are on hold". */
  readonly many: string;
  /** The list of exactly these. */
  readonly href: string;
}

/** Each kind in words, and its list. In the order in which they are shown. */
export const WAITING_WORDS: Readonly<Record<WaitingKind, KindWords>> = {
  PAYMENT_CONTRADICTED: {
    one: 'payment is contradicted by the bank or a statement',
    many: 'payments are contradicted by the bank or a statement',
    href: '/payments?show=contradicted',
  },
  PAYMENT_UNSURE: {
    one: 'payment may have been paid by a network before a restore',
    many: 'payments may have been paid by a network before a restore',
    href: '/payments?show=unsure',
  },
  PAYMENT_HELD: {
    one: 'payment is on hold',
    many: 'payments are on hold',
    href: '/payments?show=held',
  },
  DEPOSIT_NOT_PAID_ON: {
    one: 'deposit was not paid on in time',
    many: 'deposits were not paid on in time',
    href: '/payments?show=not-paid-on',
  },
  LATE_RETURN: {
    one: 'late return needs a decision',
    many: 'late returns need a decision',
    href: '/reconciliation?show=late-returns',
  },
  UNMATCHED_CREDIT: {
    one: 'credit from a statement belongs to no customer',
    many: 'credits from statements belong to no customer',
    href: '/reconciliation?show=credits',
  },
  STATEMENT_REFUSED: {
    one: 'statement was refused or cannot be read',
    many: 'statements were refused or cannot be read',
    href: '/reconciliation?show=statements',
  },
  RELEASE_STOP: {
    one: 'release stop is active',
    many: 'release stops are active',
    href: '/release?show=stops',
  },
  CHAIN_STOP: {
    one: 'network is stopped',
    many: 'networks are stopped',
    href: '/release?show=stopped-networks',
  },
  CHAIN_NOT_READ: {
    one: 'network is not being read for deposits',
    many: 'networks are not being read for deposits',
    href: '/release?show=unread-networks',
  },
  SCREENING_CASE: {
    one: 'screening hit needs a decision',
    many: 'screening hits need a decision',
    href: '/reviews?show=screening',
  },
  WALLET_REVIEW: {
    one: 'wallet is under review',
    many: 'wallets are under review',
    href: '/reviews?show=wallets',
  },
  DEPOSIT_HELD: {
    one: 'deposit is held until its sender is reviewed',
    many: 'deposits are held until their senders are reviewed',
    href: '/reviews?show=deposits',
  },
  DEPOSIT_BLOCKED: {
    one: 'deposit from a listed sender is in suspense',
    many: 'deposits from listed senders are in suspense',
    href: '/reviews?show=blocked-deposits',
  },
  APPROVAL_NOT_IN_EFFECT: {
    one: 'approval has not taken effect',
    many: 'approvals have not taken effect',
    href: '/approvals?state=NOT_IN_EFFECT',
  },
  APPROVAL_PROPOSED: {
    one: 'proposal needs a second operator',
    many: 'proposals need a second operator',
    href: '/approvals?state=PROPOSED',
  },
  APPROVAL_HANDED_IN: {
    one: 'proposal from the command line needs an operator',
    many: 'proposals from the command line need an operator',
    href: '/approvals?state=HANDED_IN',
  },
  ACCESS_REQUEST: {
    one: 'access request needs a decision',
    many: 'access requests need a decision',
    href: '/requests?show=access',
  },
  ADDRESS_PENDING: {
    one: 'IP address of a live key needs a decision',
    many: 'IP addresses of live keys need a decision',
    href: '/requests/addresses',
  },
  LIVE_REQUEST: {
    one: 'request for live access needs a decision',
    many: 'requests for live access need a decision',
    href: '/requests/live',
  },
  MAIL_UNSENT: {
    one: 'email was not sent',
    many: 'emails were not sent',
    href: '/mails',
  },
};

const ORDER = Object.keys(WAITING_WORDS);

export const inOrder = (one: WaitingRow, other: WaitingRow): number =>
  ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind);

/** What waits and since when: "3 payments are on hold. The oldest has waited 2 hours." */
export function waitingSentence({ kind, count, oldest }: WaitingRow, now: Date): string {
  const { one, many } = WAITING_WORDS[kind];
  const waited = durationWords(now.getTime() - oldest.getTime());
  if (count === 1) return `1 ${one}. It has waited ${waited}.`;
  const number =
    count > COUNTED_MAX
      ? `More than ${groupDigits(String(COUNTED_MAX))}`
      : groupDigits(String(count));
  return `${number} ${many}. The oldest has waited ${waited}.`;
}
