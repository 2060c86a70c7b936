interface Ordered {
  readonly resourceId: string;
  readonly resourceVersion: number;
  readonly attempts: number;
}

/**
 * Splits deliveries into chains that may be sent side by side, each one strictly in its order. The
 * first deliveries of one resource form one chain by version, so that none overtakes an earlier one;
 * a repeated delivery has had its turn and waits for no other.
 */
export function chainByVersion<Delivery extends Ordered>(
  deliveries: readonly Delivery[],
): Delivery[][] {
  const chains: Delivery[][] = [];
  const firstOnes = new Map<string, Delivery[]>();
  for (const delivery of deliveries) {
    const open = delivery.attempts === 0 ? firstOnes.get(delivery.resourceId) : undefined;
    if (open !== undefined) {
      open.push(delivery);
      continue;
    }
    const chain = [delivery];
    chains.push(chain);
    if (delivery.attempts === 0) firstOnes.set(delivery.resourceId, chain);
  }
  for (const chain of firstOnes.values()) {
    chain.sort((a, b) => a.resourceVersion - b.resourceVersion);
  }
  return chains;
}
