/**
 * Why a delivery is sent now: its first time, again on schedule, put off and its receiver is back, or to
 * find out whether the receiver is back.
 */
export type DueTurn = 'FIRST' | 'REPEATED' | 'PUT_OFF' | 'PROBE';

interface Ordered {
  readonly resourceId: string;
  readonly resourceVersion: number;
  readonly turn: DueTurn;
}

/**
 * Splits deliveries into chains that may be sent side by side, each one strictly in its order. The
 * first deliveries of one resource, and those that were put off while its receiver was away, form one
 * chain by version, so that none overtakes an earlier one; one that is repeated on schedule has had its
 * turn and waits for no other.
 */
export function chainByVersion<Delivery extends Ordered>(
  deliveries: readonly Delivery[],
): Delivery[][] {
  const chains: Delivery[][] = [];
  const inOrder = new Map<string, Delivery[]>();
  for (const delivery of deliveries) {
    const isInOrder = delivery.turn === 'FIRST' || delivery.turn === 'PUT_OFF';
    const open = isInOrder ? inOrder.get(delivery.resourceId) : undefined;
    if (open !== undefined) {
      open.push(delivery);
      continue;
    }
    const chain = [delivery];
    chains.push(chain);
    if (isInOrder) inOrder.set(delivery.resourceId, chain);
  }
  for (const chain of inOrder.values()) {
    chain.sort((a, b) => a.resourceVersion - b.resourceVersion);
  }
  return chains;
}
