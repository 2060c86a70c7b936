import { isBelowAmountLimit } from '../../money/amount.ts';
import { statementMinor } from '../../reconciliation/statement-amount.ts';
import { REFERENCES_MAX } from './creditor-reference.ts';

/** Why a credit on a statement is unmatched. */
export type UnmatchedReason =
  /** It bears no reference of our form with right check digits. */
  | 'NO_REFERENCE'
  /** What it bears is no customer's reference in this environment. */
  | 'UNKNOWN_REFERENCE'
  /** It bears references of several customers or currencies. */
  | 'SEVERAL_REFERENCES'
  /** The reference is for another currency. */
  | 'WRONG_CURRENCY'
  /** It bears the reference of a payout, whatever else, and the bank does not call it a return. */
  | 'PAYOUT_REFERENCE'
  /** The bank marks it as a return, and it names no payment of ours. */
  | 'MARKED_RETURN'
  /** The bank's reversal of it was seen first, and found nothing to take back. */
  | 'REVERSED_FIRST'
  /** It may be the booking of an earlier credit, which another statement showed. */
  | 'POSSIBLE_DUPLICATE'
  /** Its amount or currency is none that we can hold; it is in no book until an operator looked at it. */
  | 'AMOUNT_UNUSABLE';

/** A credit of a statement, as far as judging whose it is needs it. */
interface ArrivedCredit {
  /** As the bank wrote it. */
  readonly amount: string;
  readonly currency: string;
  /** With right check digits; more than `REFERENCES_MAX` of them are too many. */
  readonly references: readonly string[];
  /** It bears a reference that we sent a payout under. */
  readonly bearsPayout: boolean;
  /** The bank marks it as a return. */
  readonly isReturn: boolean;
}

/** Whose reference it is, and for which currency. */
export interface KnownReference {
  readonly reference: string;
  readonly customerId: string;
  readonly currency: string;
}

export type CreditVerdict =
  | { readonly kind: 'CREDIT'; readonly minor: bigint; readonly to: KnownReference }
  /** `minor`: null where it is no amount that we can hold. */
  | {
      readonly kind: 'UNMATCHED';
      readonly minor: bigint | null;
      readonly reason: UnmatchedReason;
    };

/**
 * Whose a credit is: the owner's of the one known reference that it bears, of its own currency.
 * Who pays does not matter: money that comes in is the owner's of the reference. An unknown one beside it
 * changes nothing. A payout's reference does: it may be a return that the bank failed to mark, of another
 * customer's payout than the reference is of, so that operators decide. So does the bank's own mark of a return,
 * whatever references the beneficiary's bank copied into it.
 */
export function judgeCredit(
  credit: ArrivedCredit,
  known: ReadonlyMap<string, KnownReference>,
): CreditVerdict {
  const amount = statementMinor(credit);
  const isUsable = amount.ok && isBelowAmountLimit(amount.minor, credit.currency);
  const minor = isUsable && amount.minor > 0n ? amount.minor : null;
  const unmatched = (reason: UnmatchedReason): CreditVerdict => ({
    kind: 'UNMATCHED',
    minor,
    reason: minor === null ? 'AMOUNT_UNUSABLE' : reason,
  });
  const { references } = credit;
  if (credit.isReturn) return unmatched('MARKED_RETURN');
  if (credit.bearsPayout) return unmatched('PAYOUT_REFERENCE');
  if (references.length > REFERENCES_MAX) return unmatched('SEVERAL_REFERENCES');
  const [found, another] = references.flatMap((reference) => known.get(reference) ?? []);
  if (another !== undefined) return unmatched('SEVERAL_REFERENCES');
  if (found === undefined) {
    return unmatched(references.length === 0 ? 'NO_REFERENCE' : 'UNKNOWN_REFERENCE');
  }
  if (found.currency !== credit.currency) return unmatched('WRONG_CURRENCY');
  return minor === null ? unmatched('AMOUNT_UNUSABLE') : { kind: 'CREDIT', minor, to: found };
}
