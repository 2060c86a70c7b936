import type { SignerAccountKey } from '../../db/onchain/signer-account-store.ts';
import type { NonceRow } from '../../db/onchain/chain-nonce-store.ts';
import type { MinedTransaction } from '../../domain/onchain/chain-facts.ts';
import { ChainUnreadable } from '../../domain/onchain/chain-nodes.ts';
import type { ChainDeps, PollCycle } from './chain-deps.ts';
import { readAncestors } from './read-ancestors.ts';
import type { Unread } from './unread.ts';

/**
 * By nonce, the transaction of ours that used it, of those that a block of the chain holds; null where that could not be
 * read. A nonce is left out of which not all nodes show a transaction of ours. Receipts are read once, in groups: while a
 * nonce is not over, only the header of its block is looked at again. Throws ChainUnreadable.
 */
export async function readMined(
  deps: ChainDeps,
  cycle: PollCycle,
  unread: Unread,
  { address }: SignerAccountKey,
  rows: readonly NonceRow[],
): Promise<ReadonlyMap<bigint, MinedTransaction | null>> {
  const { nodes, memory } = deps;
  const hashes = rows.map(hashesOf);
  const known = memory.proofs.get(address) ?? new Map<string, MinedTransaction>();
  const proved = await ofTheChain(
    deps,
    cycle,
    hashes.flat().flatMap((hash) => known.get(hash) ?? []),
  );
  const open = hashes.filter((ofNonce) => !ofNonce.some((hash) => proved.has(hash))).flat();
  const answers = open.length === 0 ? [] : await nodes.findTransactions(open);
  const found: MinedTransaction[] = [];
  const unanswered = new Map<string, ChainUnreadable>();
  for (const [index, hash] of open.entries()) {
    const answer = answers[index];
    if (answer instanceof ChainUnreadable) unanswered.set(hash, answer);
    else if (answer?.kind === 'MINED') found.push(answer.transaction);
  }
  const [first] = unanswered.values();
  if (first !== undefined) await unread.past(address, () => Promise.reject(first));
  const all = new Map([...proved, ...(await ofTheChain(deps, cycle, found))]);
  memory.proofs.set(address, all);
  const byNonce = new Map<bigint, MinedTransaction | null>();
  for (const [index, { nonce }] of rows.entries()) {
    const ofNonce = hashes[index] ?? [];
    const mined = ofNonce.flatMap((hash) => all.get(hash) ?? [])[0];
    if (mined !== undefined) byNonce.set(nonce, mined);
    else if (ofNonce.some((hash) => unanswered.has(hash))) byNonce.set(nonce, null);
  }
  return byNonce;
}

const hashesOf = ({ transactions }: NonceRow): readonly string[] =>
  transactions.flatMap(({ hash }) => hash ?? []);

/** Those whose block is of the chain that ends with the newest block of the poll cycle. */
async function ofTheChain(
  deps: ChainDeps,
  cycle: PollCycle,
  proofs: readonly MinedTransaction[],
): Promise<Map<string, MinedTransaction>> {
  const newest = cycle.heads.latest.number;
  const within = proofs.filter(({ block }) => block.number <= newest);
  const ancestors = await readAncestors(
    deps,
    cycle,
    within.map(({ block }) => block.number),
  );
  const here = within.filter(({ block }) => ancestors.get(block.number) === block.hash);
  return new Map(here.map((proof) => [proof.hash, proof]));
}
