import type { MinedCall } from './chain-reader.ts';
import type { JudgedChain } from './chain-moves.ts';
import type { Reader } from './reader.ts';
import { SAMPLES_MAX, type Findings, type Violation } from './verdict.ts';

interface SignerAccount {
  readonly address: string;
  readonly first: string;
}

interface KnownNonce {
  readonly nonce: string;
  /** Null for a nonce that the books do not have. */
  readonly isKnown: boolean;
  readonly made: readonly StoredHash[];
}

interface StoredHash {
  readonly hash: string;
  /** Null where two operators say that it is none of ours. */
  readonly kind: string | null;
  /** Wei that it gives to another signer account. */
  readonly value: string;
}

const NONCES_AT_ONCE = 500n;

/**
 * I22: every nonce that a signer account has used up to the final block is in the books, and one of the transactions
 * that were stored for it used it, or one that two operators know of. The block is chosen first: whatever it holds was
 * stored before. What our signer accounts send that no payment owns moves no token of ours to others (I20); the
 * network's coin it gives to another signer account of ours alone, and a top-up gives what the books say.
 */
export async function signerAccountsHaveNoGaps(
  reader: Reader,
  chain: JudgedChain,
): Promise<Findings> {
  const { final } = await chain.reader.heights();
  const signerAccounts = await reader.query<SignerAccount>(
    `SELECT address, first_nonce::text AS first FROM chain_signer_accounts
     WHERE environment = $1 AND network = $2 ORDER BY address`,
    [chain.environment, chain.setup.network],
  );
  const addresses = [...signerAccounts.map(({ address }) => address), ...chain.setup.hotAddresses];
  const own = new Set(addresses.map((address) => address.toLowerCase()));
  let checked = 0;
  let violations = 0;
  const samples: Violation[] = [];
  for (const signerAccount of signerAccounts) {
    const used = await chain.reader.nonceAt(signerAccount.address, final);
    const first = BigInt(signerAccount.first);
    const before = used < first ? [wentBack(signerAccount, used)] : [];
    violations += before.length;
    samples.push(...before);
    for (let from = first; from < used; from += NONCES_AT_ONCE) {
      const end = from + NONCES_AT_ONCE < used ? from + NONCES_AT_ONCE : used;
      const found = await findWrong(reader, chain, { signerAccount, from, end, final, own });
      checked += Number(end - from);
      violations += found.length;
      samples.push(...found.slice(0, Math.max(0, SAMPLES_MAX - samples.length)));
    }
  }
  return { checked, violations, samples };
}

const wentBack = ({ address, first }: SignerAccount, used: bigint): Violation => ({
  subject: address,
  problem: `began with nonce ${first}, and the chain has ${used.toString()}`,
});

interface Stretch {
  readonly signerAccount: SignerAccount;
  readonly from: bigint;
  /** The first nonce that is not looked at. */
  readonly end: bigint;
  readonly final: bigint;
  /** Our signer accounts, in lower case. */
  readonly own: ReadonlySet<string>;
}

async function findWrong(
  reader: Reader,
  { environment, setup, reader: chain }: JudgedChain,
  { signerAccount: { address }, from, end, final, own }: Stretch,
): Promise<Violation[]> {
  const known = await reader.query<KnownNonce>(
    `SELECT g.nonce::text AS nonce, n.nonce IS NOT NULL AS "isKnown", (
       SELECT coalesce(json_agg(m), '[]') FROM (
         SELECT t.hash, t.kind, t.value::text AS value FROM chain_transactions t
         WHERE (t.environment, t.network, t.address, t.nonce) = ($1, $2, $3, g.nonce) AND t.hash IS NOT NULL
         UNION ALL SELECT f.hash, NULL, '0' FROM chain_foreign_transactions f
         WHERE (f.environment, f.network, f.address, f.nonce) = ($1, $2, $3, g.nonce)
         UNION ALL SELECT f.hash, NULL, '0' FROM chain_foreign_payments f
         WHERE (f.environment, f.network, f.address, f.nonce) = ($1, $2, $3, g.nonce)
       ) AS m
     ) AS made
     FROM generate_series($4::bigint, $5::bigint) AS g (nonce) LEFT JOIN chain_nonces n
       ON (n.environment, n.network, n.address, n.nonce) = ($1, $2, $3, g.nonce)
     ORDER BY g.nonce`,
    [environment, setup.network, address, from.toString(), (end - 1n).toString()],
  );
  const mined = await chain.findMined(known.flatMap(({ made }) => made.map(({ hash }) => hash)));
  return known.flatMap(({ nonce, isKnown, made }) => {
    const subject = `${address} nonce ${nonce}`;
    if (!isKnown) {
      return [{ subject, problem: 'is used on the chain, and the books do not have it' }];
    }
    const used = made.flatMap((one) => {
      const call = mined.get(one.hash);
      const isHere = call?.from === address.toLowerCase() && call.nonce === BigInt(nonce);
      return isHere && call.block <= final ? [{ one, call }] : [];
    });
    if (used.length === 0) {
      return [{ subject, problem: 'was used by a transaction that is not stored' }];
    }
    const strays = used.filter(({ one, call }) => isStray(one, call, own));
    return strays.map(({ call }) => ({ subject, problem: givesAway(call) }));
  });
}

/** Whether it gives the coin to others than our signer accounts, or as a top-up another amount than the books say. */
function isStray({ kind, value }: StoredHash, call: MinedCall, own: ReadonlySet<string>): boolean {
  if (kind === 'TOP_UP' && call.value !== BigInt(value)) return true;
  return kind !== null && call.value > 0n && !own.has(call.to ?? '');
}

const givesAway = ({ value, to }: MinedCall): string =>
  `gave ${value.toString()} wei to ${to ?? 'a new contract'}, which the books do not say`;
