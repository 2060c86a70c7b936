import type { ChainNodes } from '../../domain/onchain/chain-nodes.ts';
import type { Clock } from '../../domain/clock.ts';

/** One of two providers stands still, or the other is ahead of the chain: nothing counts until both agree. */
export interface LagAlarm {
  readonly kind: 'PROVIDER_BEHIND';
  /** Its place in `rpcUrls`, from 1. */
  readonly node: string;
}

/** The newest block that both know is so old before a difference is told, in ms. A provider may lag a few blocks. */
const STANDING_MS = 120_000;

/** The same nodes. Their differing heads are told while the block that both know is old. */
export function tellLag<Nodes extends Pick<ChainNodes, 'heads'>>(
  nodes: Nodes,
  clock: Clock,
  tell: (alarm: LagAlarm) => void,
): Nodes {
  return {
    ...nodes,
    async heads() {
      const heads = await nodes.heads();
      const ageMs = clock.now().getTime() - heads.latest.at.getTime();
      if (heads.behind !== null && ageMs > STANDING_MS) {
        tell({ kind: 'PROVIDER_BEHIND', node: String(heads.behind.node) });
      }
      return heads;
    },
  };
}
