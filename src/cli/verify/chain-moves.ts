import type { NetworkSetup } from '../../domain/onchain/network-setup.ts';
import type { Environment } from '../../domain/scope.ts';
import type { ChainReader, TokenMove } from './chain-reader.ts';
import type { Reader } from './reader.ts';

/** A chain to be judged: what operators say of it, and who reads it. */
export interface JudgedChain {
  readonly environment: Environment;
  readonly setup: NetworkSetup;
  readonly reader: ChainReader;
}

/** What left our addresses on a chain, and where the poll cycle ended. */
export interface ChainMoves {
  readonly chain: JudgedChain;
  /** Hot addresses and treasury, in lower case. */
  readonly own: readonly string[];
  /** Those, and the addresses of deposits, which pay the treasury alone. */
  readonly senders: readonly string[];
  /** Everything up to here is known to a picture of the database that is taken later. */
  readonly final: bigint;
  readonly moves: readonly MarkedMove[];
}

interface MarkedMove extends TokenMove {
  /** 32 lower-case hex digits; null where the calldata is no marked transfer. */
  readonly mark: string | null;
}

/** `transfer(address,uint256)`, its two arguments, and the 16 bytes of the mark. */
const MARKED_TRANSFER = /^0xa9059cbb[0-9a-f]{128}([0-9a-f]{32})$/;

/**
 * What left our addresses up to the final block. Before the first transaction that was signed of a chain
 * nothing can have left for a payment; from there every block is asked for.
 */
export async function readFinalMoves(reader: Reader, chain: JudgedChain): Promise<ChainMoves> {
  const { environment, setup } = chain;
  const { final } = await chain.reader.heights();
  const rows = await reader.query<{ address: string }>(
    'SELECT address FROM chain_signer_accounts WHERE environment = $1 AND network = $2',
    [environment, setup.network],
  );
  const addresses = [...rows.map(({ address }) => address), ...setup.hotAddresses, setup.treasury];
  const own = [...new Set(addresses.map((address) => address.toLowerCase()))];
  const deposits = await reader.query<{ address: string }>(
    `SELECT lower(address) AS address FROM deposit_addresses WHERE environment = $1
     UNION SELECT lower(address) FROM payment_fundings WHERE environment = $1`,
    [environment],
  );
  const senders = [...own, ...deposits.map(({ address }) => address)];
  const look = { chain, own, senders, final, moves: [] };
  const [first] = await reader.query<{ block: string | null }>(
    `SELECT min(signed_at_block)::text AS block FROM chain_transactions
     WHERE environment = $1 AND network = $2`,
    [environment, setup.network],
  );
  if (first === undefined || first.block === null) return look;
  return { ...look, moves: await readMoves(look, BigInt(first.block), final) };
}

/** The same with what came since, up to the newest block that completes a payment. */
export async function addYoungMoves(look: ChainMoves): Promise<ChainMoves> {
  const { believed } = await look.chain.reader.heights();
  const young = await readMoves(look, look.final + 1n, believed);
  return { ...look, moves: [...look.moves, ...young] };
}

/** Nodes bound the length of a filter. */
const SENDERS_AT_ONCE = 500;

async function readMoves(
  { chain: { setup, reader }, senders }: ChainMoves,
  fromBlock: bigint,
  toBlock: bigint,
): Promise<MarkedMove[]> {
  const contracts = setup.assets.map(({ contract }) => contract.toLowerCase());
  const moves: TokenMove[] = [];
  for (let at = 0; at < senders.length; at += SENDERS_AT_ONCE) {
    const some = senders.slice(at, at + SENDERS_AT_ONCE);
    moves.push(...(await reader.listMoves({ contracts, senders: some, fromBlock, toBlock })));
  }
  const calls = await reader.findMined([...new Set(moves.map(({ hash }) => hash))]);
  return moves.map((move) => {
    const [, mark = null] = MARKED_TRANSFER.exec(calls.get(move.hash)?.input ?? '') ?? [];
    return { ...move, mark };
  });
}

/**
 * SQL: `moved`, what left with an asset's name; `marked`, references of the chain's payments; `named`, transactions
 * that we did not make and by which payments ended as paid; `paid`, what moved for payments: one row a move with a
 * mark, and one row a named transaction, which paid by all that it moved to the wallet.
 */
export const MOVES_SQL = `
  WITH assets AS (SELECT * FROM unnest($3::text[], $4::text[]) AS a (contract, asset)),
  moved AS (
    SELECT m.*, a.asset FROM unnest($5::text[], $6::bigint[], $7::text[], $8::text[], $9::numeric[], $10::text[])
      AS m (hash, block, contract, recipient, amount, mark) JOIN assets a USING (contract)),
  marked AS (
    SELECT reference, payment_id, left(encode(sha256(convert_to(reference, 'UTF8')), 'hex'), 32) AS mark
    FROM settlement_attempts WHERE environment = $1 AND rail = $2),
  named AS (
    SELECT f.hash, t.reference, t.payment_id, lower(t.contract) AS contract, lower(t.recipient) AS recipient
    FROM chain_foreign_payments f JOIN chain_nonces n USING (environment, network, address, nonce)
      JOIN chain_transfers t ON t.reference = f.reference
    WHERE f.environment = $1 AND f.network = $2 AND f.outcome = 'PAID' AND n.reference = f.reference
      AND n.mined_hash = f.hash AND n.state IN ('SETTLED', 'FINAL')),
  paid AS (
    SELECT moved.*, marked.reference, marked.payment_id FROM moved JOIN marked USING (mark)
    UNION ALL SELECT hash, block, contract, recipient, sum(amount), mark, asset, reference, payment_id
    FROM moved JOIN named USING (hash, contract, recipient)
    WHERE NOT EXISTS (SELECT FROM marked WHERE marked.mark = moved.mark AND marked.payment_id = named.payment_id)
    GROUP BY hash, block, contract, recipient, mark, asset, reference, payment_id)`;

/** The values of MOVES_SQL: $1 to $10. */
export function movesValues({ chain: { environment, setup }, moves }: ChainMoves): unknown[] {
  return [
    environment,
    setup.network,
    setup.assets.map(({ contract }) => contract.toLowerCase()),
    setup.assets.map(({ asset }) => asset),
    moves.map(({ hash }) => hash),
    moves.map(({ block }) => block.toString()),
    moves.map(({ contract }) => contract),
    moves.map(({ to }) => to),
    moves.map(({ amount }) => amount.toString()),
    moves.map(({ mark }) => mark),
  ];
}
