import { toHex } from 'viem';

/** So many of the newest blocks a lagging provider does not know. */
const LAG_BLOCKS = 3;
const BLOCKS_UNDER: Readonly<Record<string, number>> = {
  pending: 0,
  latest: 0,
  safe: 3,
  finalized: 6,
};

/** The head that a lagging provider sees of a chain. */
export const laggingHead = (head: number): number => Math.max(0, head - LAG_BLOCKS);

/** The parameters with every tag replaced by the number that it stands for under the lagging head. */
export function lagParams(params: unknown, head: number): unknown {
  if (typeof params === 'string') {
    const under = BLOCKS_UNDER[params];
    return under === undefined ? params : toHex(Math.max(0, head - under));
  }
  if (Array.isArray(params)) return params.map((one) => lagParams(one, head));
  if (typeof params === 'object' && params !== null) {
    return Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, lagParams(value, head)]),
    );
  }
  return params;
}

/** An answer without what lies above the lagging head: blocks, receipts, mined transactions, logs. */
export function lagResult(result: unknown, head: number): unknown {
  if (Array.isArray(result)) return result.filter((one) => !isAbove(one, head));
  return isAbove(result, head) ? null : result;
}

function isAbove(result: unknown, head: number): boolean {
  if (typeof result !== 'object' || result === null) return false;
  const { number, blockNumber = number } = result as Record<string, unknown>;
  return typeof blockNumber === 'string' && Number(blockNumber) > head;
}
