/** What a piece of the work came to, so that one request's refusal concerns it alone. */
export function settleSync<Value>(work: () => Value): PromiseSettledResult<Value> {
  try {
    return { status: 'fulfilled', value: work() };
  } catch (reason) {
    return { status: 'rejected', reason };
  }
}
