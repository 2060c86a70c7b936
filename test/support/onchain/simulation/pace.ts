/** How fast a network makes blocks, and how far behind its tags are. */
export interface Pace {
  readonly blockMs: number;
  /** The blocks that `safe` and `finalized` name while the newest one has that number. */
  readonly safe: (head: number) => number;
  readonly finalized: (head: number) => number;
  /** The most blocks between the newest one and `finalized`. */
  readonly finalBlocksMax: number;
}

const EPOCH = 32;
const SAFE_OF_BASE = 60;
const FINAL_OF_BASE = 600;

/** The networks that are simulated, as they are live. */
export const PACES: Readonly<Record<'ETHEREUM' | 'BASE', Pace>> = {
  /** A block every 12 s. Epochs of 32 blocks; the one before the last whole one is final: 13 to 19 minutes behind. */
  ETHEREUM: {
    blockMs: 12_000,
    safe: (head) => Math.max(0, (Math.floor(head / EPOCH) - 1) * EPOCH),
    finalized: (head) => Math.max(0, (Math.floor(head / EPOCH) - 2) * EPOCH),
    finalBlocksMax: 3 * EPOCH - 1,
  },
  /** A block every 2 s, on Ethereum after 2 minutes, final there after 20. */
  BASE: {
    blockMs: 2_000,
    safe: (head) => Math.max(0, head - SAFE_OF_BASE),
    finalized: (head) => Math.max(0, head - FINAL_OF_BASE),
    finalBlocksMax: FINAL_OF_BASE,
  },
};
