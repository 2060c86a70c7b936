import type { NonceRow } from '../../db/onchain/chain-nonce-store.ts';
import type { MinedTransaction } from '../../domain/onchain/chain-facts.ts';
import type { BlockDepth, NonceFinding } from '../../domain/onchain/next-chain-step.ts';
import type { ChainDeps, PollCycle } from './chain-deps.ts';

/**
 * A nonce as the chain shows it. FOREIGN: it is used by a transaction that is none of ours. UNCLEAR: it is
 * used, and the nodes cannot say by what, or they have fewer blocks than before; the next poll cycle may.
 */
export type NonceSight =
  | {
      readonly kind: 'KNOWN';
      readonly finding: NonceFinding;
      readonly mined: MinedTransaction | null;
    }
  | { readonly kind: 'FOREIGN'; readonly hash: string }
  | { readonly kind: 'UNCLEAR' };

const UNUSED: NonceSight = { kind: 'KNOWN', finding: { kind: 'UNUSED' }, mined: null };

/** Amounts above it wait for deeper blocks: 10,000 units of an asset of six decimals. */
const LARGE_FROM = 10_000_000_000n;

/**
 * Finds what became of a nonce. `nextOnChain` is the address's next nonce at the newest block: what is not
 * below it is in no block.
 */
export async function findNonce(
  { nodes }: Pick<ChainDeps, 'nodes'>,
  { heads }: PollCycle,
  row: NonceRow,
  nextOnChain: bigint,
): Promise<NonceSight> {
  if (isSettledAhead(row, heads)) return { kind: 'UNCLEAR' };
  if (row.nonce >= nextOnChain) return UNUSED;
  const hashes = new Map(
    row.transactions.flatMap(({ hash, number }) =>
      hash === null ? [] : [[hash, number] as const],
    ),
  );
  for (const [hash, number] of [...hashes].reverse()) {
    const found = await nodes.findTransaction(hash);
    if (found.kind !== 'MINED') continue;
    return sightOf(row, number, found.transaction, heads);
  }
  const used = await nodes.findByNonce(row.address, row.nonce, heads.latest);
  if (used === null || hashes.has(used)) return { kind: 'UNCLEAR' };
  return { kind: 'FOREIGN', hash: used };
}

/** What a nonce shows where its transaction of that hash is in a block of the chain. */
export function sightOfMined(
  row: NonceRow,
  mined: MinedTransaction,
  { heads }: PollCycle,
): NonceSight {
  if (isSettledAhead(row, heads)) return { kind: 'UNCLEAR' };
  const made = row.transactions.find(({ hash }) => hash === mined.hash);
  return made === undefined ? { kind: 'UNCLEAR' } : sightOf(row, made.number, mined, heads);
}

function sightOf(
  row: NonceRow,
  number: number,
  mined: MinedTransaction,
  heads: PollCycle['heads'],
): NonceSight {
  const isSuccess =
    mined.isSuccess && (isOfNoPayment(row, number) || movedWhatWasAsked(row, mined));
  const depth = depthOf(row, mined.block.number, heads);
  return { kind: 'KNOWN', finding: { kind: 'MINED', number, isSuccess, depth }, mined };
}

/**
 * What was deep enough to be believed is not so by the blocks that the nodes give now: a provider gives fewer than
 * before, as one behind a balancer does. What they show says nothing until they have these blocks again.
 */
const isSettledAhead = (row: NonceRow, heads: PollCycle['heads']): boolean =>
  row.state === 'SETTLED' &&
  row.minedBlock !== null &&
  depthOf(row, row.minedBlock, heads) === 'YOUNG';

/**
 * A sweep, or a top-up of gas by an earlier release: what it does is done where it was not reverted. A payment's nonce
 * carries neither.
 */
function isOfNoPayment({ reference, transactions }: NonceRow, number: number): boolean {
  const kind = transactions[number]?.kind;
  return reference === null && (kind === 'SWEEP' || kind === 'TOP_UP');
}

/**
 * A token may answer false in place of reverting: then nothing moved. One that keeps a fee moves less than
 * was asked, and has moved it: paying again would pay twice.
 */
function movedWhatWasAsked(row: NonceRow, mined: MinedTransaction): boolean {
  return mined.transfers.some(
    ({ contract, from, to, amount }) =>
      contract === row.contract && from === row.address && to === row.recipient && amount > 0n,
  );
}

/** How deep a block lies for what a nonce carries: a large amount waits longer. */
export function depthOf(
  { amount }: Pick<NonceRow, 'amount'>,
  block: bigint,
  { credit, creditAbove, final }: PollCycle['heads'],
): BlockDepth {
  const isLarge = (amount ?? 0n) > LARGE_FROM;
  if (block <= final.number && (!isLarge || block <= creditAbove.number)) return 'FINAL';
  const isDeep = block <= credit.number && (!isLarge || block <= creditAbove.number);
  return isDeep ? 'CREDIT' : 'YOUNG';
}
