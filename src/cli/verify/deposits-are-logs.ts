import type { JudgedChain } from './chain-moves.ts';
import type { PlacedTransfer } from './chain-reader.ts';
import type { Reader } from './reader.ts';
import { SAMPLES_MAX, type Findings, type Violation } from './verdict.ts';

interface BookedLog {
  readonly id: string;
  readonly seq: string;
  readonly hash: string;
  readonly ordinal: number;
  readonly asset: string;
  readonly sender: string;
  readonly recipient: string;
  readonly amount: string;
  readonly blockHash: string;
}

interface SetAside {
  readonly hash: string;
  readonly ordinal: number;
  readonly why: string;
}

const isMissing = ({ hash, ordinal, why }: SetAside): Violation => ({
  subject: `${hash}/${String(ordinal)}`,
  problem:
    why === 'TOO_LARGE'
      ? 'it is set aside, for its receipt is too large to be read'
      : `it is set aside, for the database refused it with ${why}`,
});

const DEPOSITS_AT_ONCE = 500;

/**
 * I21: what is in the books of a deposit in a block up to the final one is one Transfer event of the listed
 * token, at its place of its receipt, in that block; and nothing that came is set aside, and so missing in the books.
 * The block is chosen first: what lies there stays.
 */
export async function depositsAreLogs(reader: Reader, chain: JudgedChain): Promise<Findings> {
  const { final } = await chain.reader.heights();
  const { environment, setup } = chain;
  const contracts = new Map(
    setup.assets.map(({ asset, contract }) => [asset, contract.toLowerCase()]),
  );
  const aside = await reader.query<SetAside>(
    `SELECT tx_hash AS hash, ordinal, why FROM set_aside_deposits
     WHERE environment = $1 AND network = $2 ORDER BY since, tx_hash, ordinal`,
    [environment, setup.network],
  );
  let checked = aside.length;
  let violations = aside.length;
  const samples: Violation[] = aside.slice(0, SAMPLES_MAX).map(isMissing);
  for (let after = '0'; ;) {
    const deposits = await reader.query<BookedLog>(
      `SELECT id, seq::text, tx_hash AS hash, ordinal, asset, lower(from_address) AS sender,
         lower(to_address) AS recipient, amount::text, block_hash AS "blockHash"
       FROM deposits WHERE environment = $1 AND network = $2 AND block_number <= $3 AND seq > $4
         AND status IN ('CREDITED', 'FINAL', 'BLOCKED', 'KEPT')
         ORDER BY seq LIMIT ${String(DEPOSITS_AT_ONCE)}`,
      [environment, setup.network, final.toString(), after],
    );
    const last = deposits.at(-1);
    if (last === undefined) return { checked, violations, samples };
    after = last.seq;
    const hashes = [...new Set(deposits.map(({ hash }) => hash))];
    const found = await chain.reader.findTransfers(hashes);
    for (const deposit of deposits) {
      checked += 1;
      const contract = contracts.get(deposit.asset) ?? null;
      if (found.get(deposit.hash)?.some((one) => isEvent(one, deposit, contract)) === true)
        continue;
      violations += 1;
      if (samples.length < SAMPLES_MAX) samples.push(notThere(deposit));
    }
  }
}

const isEvent = (
  transfer: PlacedTransfer,
  { ordinal, sender, recipient, amount, blockHash }: BookedLog,
  contract: string | null,
): boolean =>
  transfer.ordinal === ordinal &&
  transfer.contract === contract &&
  transfer.from === sender &&
  transfer.to === recipient &&
  transfer.amount.toString() === amount &&
  transfer.blockHash === blockHash;

const notThere = ({ id, hash, ordinal, asset, amount, recipient }: BookedLog): Violation => ({
  subject: id,
  problem: `no event ${String(ordinal)} of ${hash} moved ${amount} ${asset} to ${recipient}`,
});
