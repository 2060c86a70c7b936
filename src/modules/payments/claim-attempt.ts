import { mayPredateRestoreOf } from '../../db/operations/restore-mode-store.ts';
import { insertAttempt, type AttemptRow } from '../../db/payments/settlement-attempt-store.ts';
import { systemActor } from '../../domain/actor.ts';
import { attemptClaimed, attemptRestored, readyAttemptOf } from '../../domain/payments/attempt.ts';
import { railOf } from '../../domain/payments/payment-destination.ts';
import type { SettlementTiming } from '../../domain/payments/settlement-timing.ts';
import type { KeyOwner } from '../../vault/owner-key.ts';
import type { Vault } from '../../vault/vault.ts';
import { readBeneficiary } from './beneficiary.ts';
import { changePayment } from './change-payment.ts';
import type { LockedPayment } from './locked-payment.ts';
import { openEncodedTransfer, prepareAttempt, type EncodeTransfer } from './ready-attempt.ts';
import { saveAttempt } from './take-steps.ts';
import { transferReference } from './transfer-reference.ts';

export interface ClaimDeps {
  readonly vault: Vault;
  readonly timing: SettlementTiming;
  readonly encodeFor: (rail: string) => EncodeTransfer;
}

/** Bytes that the bank is to get, sealed under the key of the end-user. */
export interface Send {
  readonly attempt: AttemptRow;
  readonly owner: KeyOwner;
}

/** The bank's turn: it is sent an attempt, or asked about it. */
export type BankCall =
  (Send & { readonly kind: 'SEND' }) | { readonly kind: 'ASK'; readonly attempt: AttemptRow };

/**
 * Claims the payment's READY attempt, or writes the next one with the exact bytes: they are sent once
 * this has committed. After a restore of an older database the bank is asked first: the one before may
 * have sent the reference. The first send is no version of the payment; a later one is.
 */
export async function claimAttempt(deps: ClaimDeps, locked: LockedPayment): Promise<BankCall> {
  const { tx, payment, now } = locked;
  const isRestored = await mayPredateRestoreOf(tx, payment);
  const begin = (ready: AttemptRow): AttemptRow =>
    isRestored ? attemptRestored(ready, now) : attemptClaimed(ready, now, deps.timing);
  const callBank = (attempt: AttemptRow): BankCall =>
    isRestored ? { kind: 'ASK', attempt } : { kind: 'SEND', attempt, owner: payment };
  const ready = readyAttemptOf(locked.attempts);
  if (ready !== null) {
    // Bytes that nothing would send, or that no key opens, are not claimed.
    deps.encodeFor(railOf(payment.destination));
    openEncodedTransfer(deps.vault, payment, ready);
    const attempt = begin(ready);
    const claimed = await saveAttempt(locked, attempt);
    if (payment.statusDetail !== 'QUEUED') await showSubmitting(claimed, attempt);
    return callBank(attempt);
  }
  const attempt = begin(await nextAttempt(deps, locked));
  await insertAttempt(tx, locked.scope, attempt);
  await showSubmitting(locked, attempt);
  return callBank(attempt);
}

async function nextAttempt(deps: ClaimDeps, locked: LockedPayment): Promise<AttemptRow> {
  const { tx, scope, payment, attempts, now: at } = locked;
  const number = attempts.length + 1;
  const reference = transferReference(deps.vault, scope, payment.idempotencyKey, number);
  const beneficiary = await readBeneficiary(tx, scope, payment);
  const encode = deps.encodeFor(railOf(payment.destination));
  const { vault } = deps;
  return prepareAttempt({ vault, encode }, payment, beneficiary, { number, reference, at });
}

function showSubmitting(locked: LockedPayment, { reference }: AttemptRow): Promise<LockedPayment> {
  const { refs } = locked.payment;
  const isShown = refs.some(({ value }) => value === reference);
  return changePayment(
    locked,
    {
      status: 'PROCESSING',
      statusDetail: 'SUBMITTING',
      fundsStatus: 'HELD',
      hasOpenAttempt: true,
      refs: isShown ? refs : [...refs, { type: 'END_TO_END_ID', value: reference }],
    },
    systemActor('settlement'),
  );
}
