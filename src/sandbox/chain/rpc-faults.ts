import { BadInput } from '../sandbox-server.ts';

export const PROVIDERS = ['a', 'b'] as const;
export type Provider = (typeof PROVIDERS)[number];

/**
 * How one of a network's two URLs lies. `lag`: it knows nothing of the three newest blocks. `omit_logs`: it
 * finds no event. `drop`: it closes every connection without an answer.
 */
const RPC_FAULTS = ['lag', 'omit_logs', 'drop'] as const;
type RpcFault = (typeof RPC_FAULTS)[number];

interface RpcFaultOrder {
  readonly provider: Provider;
  readonly kind: RpcFault;
}

/** The faults of one network; each stays until all are cleared. A restart forgets them. */
export interface RpcFaults {
  order(order: RpcFaultOrder): void;
  has(provider: Provider, kind: RpcFault): boolean;
  list(): readonly RpcFaultOrder[];
  clear(): void;
}

export function createRpcFaults(): RpcFaults {
  let orders: RpcFaultOrder[] = [];
  const has = (provider: Provider, kind: RpcFault): boolean =>
    orders.some((order) => order.provider === provider && order.kind === kind);
  return {
    order(order) {
      if (!has(order.provider, order.kind)) orders.push(order);
    },
    has,
    list: () => orders,
    clear() {
      orders = [];
    },
  };
}

/** Reads `provider` and `kind` of the body of `POST /faults`. Throws BadInput. */
export function readRpcFault(body: unknown): RpcFaultOrder {
  const { provider, kind } = (body ?? {}) as Record<string, unknown>;
  const knownProvider = PROVIDERS.find((one) => one === provider);
  if (knownProvider === undefined) throw new BadInput(400, 'provider', 'one of a, b');
  const knownKind = RPC_FAULTS.find((one) => one === kind);
  if (knownKind === undefined) throw new BadInput(400, 'kind', `one of ${RPC_FAULTS.join(', ')}`);
  return { provider: knownProvider, kind: knownKind };
}
