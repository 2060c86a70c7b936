import { Refusal } from '../../domain/errors/refusal.ts';
import type { Scope } from '../../domain/scope.ts';

/** Test sends of one customer's environment at a time, in one process; each takes up to 15 s. */
const AT_A_TIME = 4;
const RETRY_AFTER_SECONDS = '15';

/** Runs work of a scope; refuses with rate_limited where too much of it is under way. */
type InTestTurn = <Result>(scope: Scope, work: () => Promise<Result>) => Promise<Result>;

/** Bounds the sockets that test sends hold in a process that also takes payments. */
export function createTestTurns(): InTestTurn {
  const underWay = new Map<string, number>();
  return async ({ customerId, environment }, work) => {
    const key = `${environment}/${customerId}`;
    const others = underWay.get(key) ?? 0;
    if (others >= AT_A_TIME) {
      const message = `${String(AT_A_TIME)} tests are being sent; wait for one of them.`;
      throw new Refusal('rate_limited', message, [], { 'retry-after': RETRY_AFTER_SECONDS });
    }
    underWay.set(key, others + 1);
    try {
      return await work();
    } finally {
      const left = (underWay.get(key) ?? 1) - 1;
      if (left === 0) underWay.delete(key);
      else underWay.set(key, left);
    }
  };
}
