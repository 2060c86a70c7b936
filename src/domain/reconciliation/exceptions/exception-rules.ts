import type { DifferenceAccount, ExceptionAct } from './exception-act.ts';

/** What a rule may ask of an exception, each in words. All conditions of a rule must hold. */
export const RULE_CONDITIONS = {
  IS_DEBIT: 'the line is a debit',
  IS_CREDIT: 'the line is a credit',
  IN_SUSPENSE: 'the bank had told the return, and the difference is in suspense',
  MORE_LEFT: 'the bank shows less money than the books',
  MORE_CAME: 'the bank shows more money than the books',
  SAME_CURRENCY: 'the payment was sent, and is paid from and to the currency of the line',
  NO_TWIN: 'no other line may be the same booking, or correct it',
  CREDITABLE: 'no more than was sent, and has not come back',
  GAP_FILLED: 'every statement of the gap has arrived since',
  NAMES_TRADE:
    'the line bears the reference of a recorded cover trade, and shows an open part of it',
} as const;
export type RuleCondition = keyof typeof RULE_CONDITIONS;

/** The most that a rule suggests, in major units of a currency, as decimal text. */
export interface RuleLimit {
  /** Of one exception. */
  readonly each: string;
  /** Of all exceptions of one environment and UTC day together. */
  readonly day: string;
}

/** Which act is suggested for exceptions of a kind. A rule suggests; two operators decide. */
export interface ExceptionRule {
  readonly name: string;
  /** The kind of the exception. */
  readonly kind: string;
  readonly when: readonly RuleCondition[];
  readonly act: ExceptionAct;
  readonly account: DifferenceAccount | null;
  /** By currency. In another currency the rule suggests nothing. Null: the act moves no money. */
  readonly limits: Readonly<Record<string, RuleLimit>> | null;
  /** Why the act is right, for the operators who decide. */
  readonly why: string;
}

/** What banks deduct or charge for one payment, or for one side of a cover trade. */
export const CHARGE_LIMITS: Readonly<Record<string, RuleLimit>> = {
  EUR: { each: '25.00', day: '500.00' },
  USD: { each: '40.00', day: '800.00' },
  GBP: { each: '25.00', day: '500.00' },
  CHF: { each: '25.00', day: '500.00' },
};

/** The rest of a return is a customer's own money. */
const RETURNS: Readonly<Record<string, RuleLimit>> = {
  EUR: { each: '1000.00', day: '10000.00' },
  USD: { each: '1000.00', day: '10000.00' },
  GBP: { each: '1000.00', day: '10000.00' },
  CHF: { each: '1000.00', day: '10000.00' },
};

/** Every rule. Of several that fit an exception the first one counts. */
export const EXCEPTION_RULES: readonly ExceptionRule[] = [
  {
    ...{ name: 'charges-on-payout', kind: 'AMOUNT_MISMATCH' },
    when: ['IS_DEBIT', 'MORE_LEFT', 'SAME_CURRENCY', 'NO_TWIN'],
    ...{ act: 'WRITE_OFF', account: 'BANK_CHARGES', limits: CHARGE_LIMITS },
    why: 'The bank debited the payment and a small amount more, as it does with charges.',
  },
  {
    ...{ name: 'charges-on-return', kind: 'AMOUNT_MISMATCH' },
    when: ['IS_CREDIT', 'IN_SUSPENSE', 'MORE_LEFT', 'SAME_CURRENCY', 'NO_TWIN'],
    ...{ act: 'WRITE_OFF', account: 'BANK_CHARGES', limits: CHARGE_LIMITS },
    why: 'A small amount less came back than the bank had told, as with charges on the way.',
  },
  {
    ...{ name: 'rest-of-return', kind: 'AMOUNT_MISMATCH' },
    when: ['IS_CREDIT', 'MORE_CAME', 'SAME_CURRENCY', 'CREDITABLE', 'NO_TWIN'],
    ...{ act: 'CREDIT_RETURN', account: null, limits: RETURNS },
    why: 'The rest of a payment came back after a part of it.',
  },
  {
    ...{ name: 'cover-trade', kind: 'UNEXPECTED_AT_BANK' },
    when: ['IS_DEBIT', 'NAMES_TRADE', 'NO_TWIN'],
    ...{ act: 'TIE_TRADE', account: null, limits: CHARGE_LIMITS },
    why: 'The bank debited what a cover trade sold, or a charge for it. The limits are of the charge.',
  },
  {
    ...{ name: 'gap-filled', kind: 'SEQUENCE_GAP' },
    ...{ when: ['GAP_FILLED'], act: 'ACKNOWLEDGE', account: null, limits: null },
    why: 'The statements that were missing have arrived since.',
  },
];
