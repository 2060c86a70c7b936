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
  throw outcome?.reason ?? new Error('every piece of the work has an outcome');
}
