/** What a piece of the work came to, so that one request's refusal concerns it alone. */
export function settled<Value>(work: () => Value): PromiseSettledResult<Value> {
  try {
    return { status: 'fulfilled', value: work() };
  } catch (reason) {
    return { status: 'rejected', reason };
  }
}

/** What it came to, or throws why it came to nothing. */
export function valueOf<Value>(outcome: PromiseSettledResult<Value> | undefined): Value {
  if (outcome?.status === 'fulfilled') return outcome.value;
  const reason: unknown = outcome?.reason;
  throw reason instanceof Error ? reason : new Error('the work came to nothing', { cause: reason });
}
