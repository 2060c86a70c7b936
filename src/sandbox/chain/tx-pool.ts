import type { Address } from 'viem';
import { transferFate, type SentTransaction, type TransferFate } from './sent-transaction.ts';

/** Pools of common nodes take a replacement only for a tenth more of both fees. */
const RAISE_PERCENT_MIN = 10n;
/** Transactions that a pool holds at most: an old one goes before a new one is refused. */
const ENTRIES_MAX = 1_000;
const NONCES_REMEMBERED_MAX = 10_000;
/** Something that no block takes keeps blocks coming for so long, and then an idle chain again. */
const WAITING_BLOCKS_MAX = 60;
const DROPS = 2;
const REPLACEMENTS = 2;

/** A transaction that waits for a block. */
export interface PoolEntry {
  readonly sent: SentTransaction;
  readonly fate: TransferFate;
  /** The head when it came. */
  readonly since: number;
  /** The first block that may hold it. */
  readonly notBefore: number;
}

/** What goes into the next block; alone where it reverts. */
interface NextBlock {
  readonly entries: readonly PoolEntry[];
  readonly reverts: boolean;
}

export interface TxPool {
  /** UNDERPRICED: another of the same sender and nonce is there, and pays too much to be replaced. */
  add(sent: SentTransaction, head: number): 'TAKEN' | 'KNOWN' | 'UNDERPRICED';
  find(hash: string): SentTransaction | null;
  /** Gives back what a replaced block held; it is reorganised no second time. */
  putBack(entry: PoolEntry, head: number, notBefore: number): void;
  /** Takes out what the next block holds. `nonceOf` gives an account's next nonce at the head. */
  take(head: number, nonceOf: (account: Address) => Promise<number>): Promise<NextBlock>;
  /** Does anything wait for a block that has not waited too long? */
  isWaiting(head: number): boolean;
}

interface NonceHistory {
  drops: number;
  replacements: number;
  wasReorged: boolean;
}

/** One pool for both providers of a network: it lives in memory, as the pools of nodes do. */
export function createTxPool(): TxPool {
  const entries = new Map<string, PoolEntry>();
  const histories = new Map<string, NonceHistory>();
  const keyOf = ({ from, nonce }: SentTransaction): string => `${from}/${String(nonce)}`;

  function historyOf(sent: SentTransaction): NonceHistory {
    const key = keyOf(sent);
    const known = histories.get(key);
    if (known !== undefined) return known;
    trimTo(histories, NONCES_REMEMBERED_MAX);
    const history = { drops: 0, replacements: 0, wasReorged: false };
    histories.set(key, history);
    return history;
  }

  function fateOf(sent: SentTransaction): TransferFate {
    const fate = sent.transfer === null ? 'PLAIN' : transferFate(sent.transfer);
    return fate === 'REORGED' && historyOf(sent).wasReorged ? 'PLAIN' : fate;
  }

  function isHeld({ sent, fate, notBefore }: PoolEntry, head: number): boolean {
    if (head + 1 < notBefore || fate === 'NEVER_MINED') return true;
    return fate === 'BUMPED_TWICE' && historyOf(sent).replacements < REPLACEMENTS;
  }

  function dropForgotten(): void {
    for (const [key, { sent, fate }] of entries) {
      const history = historyOf(sent);
      if (fate !== 'DROPPED_TWICE' || history.drops === DROPS) continue;
      history.drops += 1;
      entries.delete(key);
    }
  }

  return {
    add(sent, head) {
      const key = keyOf(sent);
      const there = entries.get(key);
      if (there?.sent.hash === sent.hash) return 'KNOWN';
      if (there !== undefined) {
        if (!isRaised(there.sent, sent)) return 'UNDERPRICED';
        historyOf(sent).replacements += 1;
      }
      trimTo(entries, ENTRIES_MAX);
      entries.set(key, { sent, fate: fateOf(sent), since: head, notBefore: 0 });
      return 'TAKEN';
    },
    find(hash) {
      for (const { sent } of entries.values()) if (sent.hash === hash) return sent;
      return null;
    },
    putBack({ sent }, head, notBefore) {
      historyOf(sent).wasReorged = true;
      entries.set(keyOf(sent), { sent, fate: fateOf(sent), since: head, notBefore });
    },
    async take(head, nonceOf) {
      dropForgotten();
      const taken: PoolEntry[] = [];
      const byNonce = [...entries.values()].sort((a, b) => a.sent.nonce - b.sent.nonce);
      for (const from of new Set(byNonce.map(({ sent }) => sent.from))) {
        let next = await nonceOf(from);
        for (const entry of byNonce.filter(({ sent }) => sent.from === from)) {
          if (entry.sent.nonce < next) {
            entries.delete(keyOf(entry.sent));
            continue;
          }
          if (entry.sent.nonce > next || isHeld(entry, head)) break;
          if (entry.fate === 'REVERTED' || entry.fate === 'FROZEN') {
            if (entry.sent.nonce > (await nonceOf(from))) break;
            entries.delete(keyOf(entry.sent));
            return { entries: [entry], reverts: true };
          }
          taken.push(entry);
          next += 1;
        }
      }
      for (const { sent } of taken) entries.delete(keyOf(sent));
      return { entries: taken, reverts: false };
    },
    isWaiting: (head) =>
      [...entries.values()].some(({ since }) => head < since + WAITING_BLOCKS_MAX),
  };
}

function isRaised(old: SentTransaction, fresh: SentTransaction): boolean {
  const enough = (before: bigint, after: bigint): boolean =>
    after * 100n >= before * (100n + RAISE_PERCENT_MIN);
  return (
    enough(old.maxFeePerGas, fresh.maxFeePerGas) &&
    enough(old.maxPriorityFeePerGas, fresh.maxPriorityFeePerGas)
  );
}

/** Makes room for one more by taking out the oldest. */
function trimTo(map: Map<string, unknown>, size: number): void {
  for (const key of map.keys()) {
    if (map.size < size) return;
    map.delete(key);
  }
}
