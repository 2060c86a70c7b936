import { BadInput } from '../sandbox-server.ts';
import { NO_FLAW, RETURNS_LESS, SETTLES, SETTLES_LATER, rejects } from './behaviour.ts';
import type { AnswerFlaw, Behaviour } from './behaviour.ts';

const COUNT_MAX = 100_000;
const WAIT_MS_MAX = 600_000;
const FAULTS_MAX = 1_000;

/**
 * What can be ordered for the next PUTs. `refuse_503` and `hang` execute nothing, and the bank
 * forgets the request; `garbage` executes and answers something that is no JSON; after
 * `settle_before_answer` the SETTLED callback arrives before the answer, which says ACCEPTED;
 * `return_less` settles, and gives nine tenths of the amount back later.
 */
export const FAULT_NAMES = [
  'execute_then_drop',
  'execute_then_500',
  'execute_then_hang',
  'execute_then_wait',
  'refuse_503',
  'hang',
  'garbage',
  'reject_retryable',
  'accept_then_callback',
  'settle_before_answer',
  'return_less',
] as const;

type FaultName = (typeof FAULT_NAMES)[number];

interface FaultOrder {
  readonly fault: FaultName;
  /** How many more PUTs it applies to. */
  count: number;
  /** Only this reference; otherwise any. */
  readonly reference?: string;
  /** How long `execute_then_wait` waits between execution and answer. */
  readonly ms?: number;
}

/** What a fault does to a PUT: refuse it, swallow it, or take it with a behaviour and a flaw. */
type FaultEffect =
  | { readonly kind: 'REFUSE' }
  | { readonly kind: 'SWALLOW' }
  | { readonly kind: 'TAKE'; readonly behaviour: Behaviour; readonly flaw: AnswerFlaw };

export interface FaultQueue {
  order(order: FaultOrder): void;
  /** The oldest order that fits, used up by one. Orders are not journalled: a restart forgets them. */
  take(reference: string): FaultOrder | null;
  pending(): readonly FaultOrder[];
  clear(): void;
}

export function createFaultQueue(): FaultQueue {
  let orders: FaultOrder[] = [];
  return {
    order(order) {
      if (orders.length >= FAULTS_MAX) throw new BadInput(422, 'fault', 'too many faults wait');
      orders.push({ ...order });
    },
    take(reference) {
      const found = orders.find((one) => (one.reference ?? reference) === reference);
      if (found === undefined) return null;
      found.count -= 1;
      orders = orders.filter((one) => one.count > 0);
      return { ...found };
    },
    pending: () => orders,
    clear() {
      orders = [];
    },
  };
}

export function faultEffect({ fault, ms }: FaultOrder): FaultEffect {
  const take = (flaw: AnswerFlaw, behaviour: Behaviour = SETTLES): FaultEffect => {
    return { kind: 'TAKE', behaviour, flaw };
  };
  switch (fault) {
    case 'execute_then_drop':
      return take({ kind: 'DROP' });
    case 'execute_then_500':
      return take({ kind: 'ERROR_500' });
    case 'execute_then_hang':
      return take({ kind: 'HANG' });
    case 'execute_then_wait':
      return take({ kind: 'WAIT', ms: ms ?? 0 });
    case 'refuse_503':
      return { kind: 'REFUSE' };
    case 'hang':
      return { kind: 'SWALLOW' };
    case 'garbage':
      return take({ kind: 'GARBAGE' });
    case 'reject_retryable':
      return take(NO_FLAW, rejects('BANK_UNAVAILABLE'));
    case 'accept_then_callback':
      return take(NO_FLAW, SETTLES_LATER);
    case 'settle_before_answer':
      return take({ kind: 'CALLBACK_FIRST' }, { ...SETTLES, answers: 'ACCEPTED' });
    case 'return_less':
      return take(NO_FLAW, RETURNS_LESS);
  }
}

/** Reads the body of `POST /faults`. Throws BadInput. */
export function readFaultOrder(body: unknown): FaultOrder {
  const { fault, count = 1, reference, ms } = (body ?? {}) as Record<string, unknown>;
  const known = FAULT_NAMES.find((name) => name === fault);
  if (known === undefined) throw new BadInput(400, 'fault', `one of ${FAULT_NAMES.join(', ')}`);
  if (!isWithin(count, 1, COUNT_MAX)) throw new BadInput(400, 'count', `1 to ${COUNT_MAX}`);
  if (reference !== undefined && typeof reference !== 'string') {
    throw new BadInput(400, 'reference', 'a text');
  }
  if (ms !== undefined && !isWithin(ms, 0, WAIT_MS_MAX)) {
    throw new BadInput(400, 'ms', `0 to ${WAIT_MS_MAX}`);
  }
  return { fault: known, count, reference, ms };
}

function isWithin(value: unknown, min: number, max: number): value is number {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
}
