import type { PaymentChange, PaymentState } from './payment.ts';

const KIND = 'PAID_BEFORE_RESTORE';

/** What is said of what no rail told, but a statement, a callback or a network. */
export const FOUND = 'FOUND';

type Reconciled = Pick<PaymentState, 'reconciliationStatus' | 'reconciliationEvidence'>;

/** A payment that waits for a deposit may have been paid by a database before a restore: operators look at it. */
export const paidBefore = (reference: string, said: string): PaymentChange => ({
  reconciliationStatus: 'EXCEPTION',
  reconciliationEvidence: { kind: KIND, reference, said },
});

/** It was not, or it is asked about like any other one from now on. */
export const NOT_PAID_BEFORE = {
  reconciliationStatus: 'PENDING',
  reconciliationEvidence: null,
} as const satisfies PaymentChange;

/** Whether the payment says so. */
export const isPaidBefore = ({ reconciliationEvidence }: Reconciled): boolean =>
  reconciliationEvidence?.['kind'] === KIND;

/** Whether it says just this. */
export const saysPaidBefore = (
  { reconciliationEvidence: known }: Reconciled,
  reference: string,
  said: string,
): boolean =>
  known?.['kind'] === KIND && known['reference'] === reference && known['said'] === said;

/**
 * Whether what it says is over, where rails have paid nothing: it was found in a place that does not show it any more, or
 * the bank had not decided and has rejected that transfer since.
 */
export const isOverSince = (
  { reconciliationEvidence: known }: Reconciled,
  rejected: readonly string[],
): boolean =>
  known?.['said'] === FOUND ||
  (known?.['said'] === 'ACCEPTED' &&
    rejected.some((reference) => reference === known['reference']));

/** Why a restored attempt is not sent: a rail, a network, a statement or a callback knows this reference of its payment. */
export const knownBefore = (reference: string, place: string): string =>
  `KNOWN_BEFORE_RESTORE ${reference} by ${place}`;

/** Likewise: a rail does not say whether it knows this reference. */
export const unclearBefore = (reference: string, rail: string): string =>
  `UNCLEAR_BEFORE_RESTORE ${reference} by ${rail}`;

/** What it begins with where networks may have paid it. */
export const NETWORK_UNSURE = 'NETWORK_UNSURE';

/** Likewise: networks may have paid it, for their hot addresses were not all looked at since. It goes on by itself then. */
export const unsureBefore = (networks: readonly string[]): string =>
  [NETWORK_UNSURE, ...networks].join(' ');

/** What operators do about what keeps an attempt from being sent, as one of the above. */
export const toDoAbout = (heldBy: string): string =>
  heldBy.startsWith(NETWORK_UNSURE)
    ? 'Thaw or retire each hot address of these networks, and resume the stopped networks (docs/how-to/operate-networks.md#chains-after-a-restore). The payment then continues by itself.'
    : 'Ask the named rail for the outcome of that reference: a retry alone stalls again. Two operators confirm the outcome of the payment, or that the transaction of a network paid nothing (docs/how-to/resolve-stuck-payments.md).';
