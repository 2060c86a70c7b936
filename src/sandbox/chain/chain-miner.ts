import { toHex, type Address, type Hex } from 'viem';
import type { Clock } from '../../domain/clock.ts';
import type { SandboxLog } from '../sandbox-log.ts';
import type { TimerSet } from '../timer-set.ts';
import { NodeRefusal, type AnvilNode } from './anvil-node.ts';
import type { ChainGate } from './chain-gate.ts';
import type { TokenCodes } from './token-codes.ts';
import type { PoolEntry, TxPool } from './tx-pool.ts';

export interface MinerTimings {
  /** Between two blocks while something waits. */
  readonly blockMs: number;
  /** How long a block that will be replaced is left to be believed, four blocks under the head. */
  readonly beforeReorgMs: number;
  /** How long a transfer of a replaced block waits until it is mined again. */
  readonly reminedAfterMs: number;
}

export const MINER_TIMINGS: MinerTimings = {
  blockMs: 1_000,
  beforeReorgMs: 5_000,
  reminedAfterMs: 5_000,
};

/** A block is replaced once it lies so deep: believed in test, and not final. */
const REORG_DEPTH = 4;
/** What was in it is mined again no sooner than so many blocks later. */
/** So many blocks over the last transaction everything is final in test. */
const FINAL_DEPTH = 7;
const BLOCKS_REMEMBERED = 16;
/** Empty blocks would bring it down to almost nothing. */
const BASE_FEE = toHex(1_000_000_000n);
/** What an address of the sandbox has for its fees, in wei: a thousand coins. */
const COINS = toHex(10n ** 21n);

/** A transaction of the sandbox itself, from an address whose key does not exist. */
export interface SandboxTransaction {
  /** For `eth_sendTransaction`, the same each time: mined again it keeps its hash. */
  readonly request: Readonly<Record<string, string>>;
  /** ORPHANED: its block is replaced, and it is mined in no other. */
  readonly fate: 'STAYS' | 'ORPHANED';
}

/** Adds blocks while something waits, and none to an idle chain. */
interface ChainMiner {
  /** Something waits now. */
  wake(): void;
  /**
   * Mines the sandbox's own transactions in a block, at once, and gives their hashes. They are written
   * when nothing else can use their nonces.
   */
  mineOwn(write: () => Promise<readonly SandboxTransaction[]>): Promise<readonly string[]>;
  /** Adds empty blocks at once. */
  mineEmpty(count: number): Promise<void>;
  /**
   * Replaces so many of the newest blocks by empty ones, at once. What was in them waits for later blocks;
   * what was in the lowest of them a little longer.
   */
  reorganise(depth: number): Promise<void>;
}

type Included =
  | { readonly kind: 'SENT'; readonly entry: PoolEntry }
  | { readonly kind: 'OWN'; readonly own: SandboxTransaction };

export function createChainMiner(deps: {
  readonly node: AnvilNode;
  readonly gate: ChainGate;
  readonly pool: TxPool;
  readonly codes: TokenCodes;
  readonly clock: Clock;
  readonly timers: TimerSet;
  readonly timings: MinerTimings;
  readonly log: SandboxLog;
  /** Is told of a transaction that reverted. */
  readonly onReverted: (entry: PoolEntry) => void;
  /** Keeps the chain. Called when blocks hold something new, and when mining pauses. */
  readonly save: () => Promise<void>;
}): ChainMiner {
  const { node, gate, pool, clock, timers, timings, log } = deps;
  const blocks = new Map<number, readonly Included[]>();
  const again: SandboxTransaction[] = [];
  let reorgBlock: number | null = null;
  let reorgAt: number | null = null;
  let lastUsed = Number.NEGATIVE_INFINITY;
  let isAwake = false;
  const reminedAfter = Math.ceil(timings.reminedAfterMs / timings.blockMs);

  const head = async (): Promise<number> => Number(await node.call<Hex>('eth_blockNumber'));
  const nonceOf = async (account: Address): Promise<number> =>
    Number(await node.call<Hex>('eth_getTransactionCount', [account, 'latest']));

  async function send(included: Included): Promise<string | null> {
    try {
      if (included.kind === 'OWN') {
        // Each time: a reorganisation takes the coins along.
        await node.call('anvil_setBalance', [included.own.request['from'], COINS]);
        return await node.call<string>('eth_sendTransaction', [included.own.request]);
      }
      return await node.call<string>('eth_sendRawTransaction', [included.entry.sent.raw]);
    } catch (error) {
      if (!(error instanceof NodeRefusal)) throw error;
      log.warn({ reason: error.message }, 'sandbox chain: transaction dropped');
      return null;
    }
  }

  async function mine(included: readonly Included[]): Promise<readonly string[]> {
    const taken: Included[] = [];
    const hashes: string[] = [];
    for (const one of included) {
      const hash = await send(one);
      if (hash === null) continue;
      taken.push(one);
      hashes.push(hash);
    }
    await node.call('anvil_setNextBlockBaseFeePerGas', [BASE_FEE]);
    await node.call('evm_mine');
    const number = await head();
    blocks.delete(number - BLOCKS_REMEMBERED);
    if (taken.length === 0) return hashes;
    blocks.set(number, taken);
    lastUsed = number;
    if (taken.some(isToBeReplaced)) reorgBlock ??= number;
    return hashes;
  }

  async function mineReverting(entry: PoolEntry): Promise<void> {
    if (entry.sent.transfer === null) return;
    await deps.codes.refuseTransfers(entry.sent.transfer.token);
    try {
      await mine([{ kind: 'SENT', entry }]);
    } finally {
      await deps.codes.mend();
    }
    deps.onReverted(entry);
  }

  const isReorgDue = async (): Promise<boolean> =>
    reorgBlock !== null && (await head()) >= reorgBlock + REORG_DEPTH;

  async function replaceDue(): Promise<void> {
    if (reorgBlock !== null) await replaceBlocks(reorgBlock, await head());
  }

  async function replaceBlocks(from: number, top: number): Promise<void> {
    await node.call('anvil_reorg', [top - from + 1, []]);
    await deps.codes.mend();
    for (let number = from; number <= top; number += 1) {
      for (const one of blocks.get(number) ?? []) {
        const notBefore = number === from ? top + 1 + reminedAfter : 0;
        if (one.kind === 'SENT') pool.putBack(one.entry, top, notBefore);
        else if (one.own.fate === 'STAYS') again.push(one.own);
      }
      blocks.delete(number);
    }
    // One that is due below these blocks is so still.
    if (reorgBlock !== null && reorgBlock >= from) {
      reorgBlock = null;
      reorgAt = null;
    }
    lastUsed = top;
  }

  const takeAgain = (): readonly Included[] =>
    again.splice(0).map((own): Included => ({ kind: 'OWN', own }));

  async function addBlock(): Promise<void> {
    if (await isReorgDue()) {
      reorgAt ??= clock.now().getTime() + timings.beforeReorgMs;
      if (clock.now().getTime() < reorgAt) return;
      await replaceDue();
    }
    const { entries, reverts } = await pool.take(await head(), nonceOf);
    const [first] = entries;
    if (reverts && first !== undefined) {
      await mineReverting(first);
    } else {
      await mine([...takeAgain(), ...entries.map((entry): Included => ({ kind: 'SENT', entry }))]);
    }
    if (lastUsed === (await head())) await deps.save();
  }

  async function turn(): Promise<void> {
    try {
      await gate.act(async () => {
        await addBlock();
        const top = await head();
        const isYoung = top < lastUsed + FINAL_DEPTH;
        isAwake = isYoung || again.length > 0 || reorgBlock !== null || pool.isWaiting(top);
        if (!isAwake) await deps.save();
      });
    } finally {
      if (isAwake) timers.after(timings.blockMs, turn);
    }
  }

  /** Blocks out of turn must not bury what is about to be replaced under final ones. */
  async function prepareOutOfTurn(): Promise<void> {
    if (await isReorgDue()) await replaceDue();
    if (again.length > 0) await mine(takeAgain());
  }

  function wake(): void {
    if (isAwake) return;
    isAwake = true;
    timers.after(timings.blockMs / 4, turn);
  }

  return {
    wake,
    mineOwn: (write) =>
      gate.act(async () => {
        await prepareOutOfTurn();
        const written = await write();
        const hashes = await mine(written.map((own): Included => ({ kind: 'OWN', own })));
        await deps.save();
        wake();
        return hashes;
      }),
    mineEmpty: (count) =>
      gate.act(async () => {
        await prepareOutOfTurn();
        for (let mined = 0; mined < count; mined += 1) await mine([]);
        await deps.save();
      }),
    reorganise: (depth) =>
      gate.act(async () => {
        const top = await head();
        await replaceBlocks(Math.max(top - depth + 1, 1), top);
        await deps.save();
        wake();
      }),
  };
}

function isToBeReplaced(included: Included): boolean {
  return included.kind === 'SENT'
    ? included.entry.fate === 'REORGED'
    : included.own.fate === 'ORPHANED';
}
