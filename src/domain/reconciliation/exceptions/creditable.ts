/** Minor units of a payment's target currency. */
export interface ReturnedOf {
  readonly isSettled: boolean;
  /** Came back to its customer: by its own movements, and by acts that stand. */
  readonly returned: bigint;
  /** Came back late, and waits for a decision. */
  readonly waiting: bigint;
  /** Recovered by acts that stand. */
  readonly recovered: bigint;
}

/** Sent, or recovered since, and neither back nor waiting: what an act may still credit. */
export function creditableOf(
  payment: { readonly amount: bigint },
  { isSettled, returned, waiting, recovered }: ReturnedOf,
): bigint {
  const left = (isSettled ? payment.amount : 0n) + recovered - returned - waiting;
  return left < 0n ? 0n : left < payment.amount ? left : payment.amount;
}
