import { isAnySignerAccountUnsure } from '../../db/onchain/signer-account-store.ts';
import {
  readWaitingTransfers,
  type ChainTransferRow,
} from '../../db/onchain/chain-transfer-store.ts';
import { assignNonce, OPEN_NONCES_MAX, type CarryRound } from './assign-nonce.ts';
import type { ChainDeps, PollCycle } from './chain-deps.ts';
import { claimFound } from './claim-found.ts';
import { pastFault } from './past-fault.ts';
import { createSignerFunds, type OpenSignerAccount } from './signer-funds.ts';
import { rejectEnded } from './reject-ended.ts';
import type { Unread } from './unread.ts';
import { createWalletLookUps } from './wallet-look-ups.ts';

/** Transfers that are read at a time. */
const PAGE_TRANSFERS = 100;

/**
 * Ends what waits for no nonce any more, and gives the other transfers that wait to signer
 * accounts, oldest first, while one has room. What is held does not stop what is behind it: all pages are gone through,
 * and what a signer account has is read once for all of them.
 */
export async function carryWaiting(
  deps: ChainDeps,
  cycle: PollCycle,
  unread: Unread,
  opened: readonly OpenSignerAccount[],
): Promise<void> {
  await rejectEnded(deps);
  const round = {
    ...{ funds: createSignerFunds(deps, cycle), unread, refused: new Set<string>() },
    lookUps: createWalletLookUps(deps),
  };
  let signerAccounts = opened;
  let after: string | null = null;
  for (;;) {
    const waiting = await readPage(deps, after);
    for (const transfer of waiting) {
      const next = await carryOne(deps, cycle, round, signerAccounts, transfer);
      if (next === null || unread.isSilent()) return;
      signerAccounts = next;
    }
    if (waiting.length < PAGE_TRANSFERS) return;
    after = waiting.at(-1)?.reference ?? null;
  }
}

/** Nothing while any of them may have been paid before a restore. */
function readPage({ db, place }: ChainDeps, after: string | null): Promise<ChainTransferRow[]> {
  return db.system(async (tx) =>
    (await isAnySignerAccountUnsure(tx, place))
      ? []
      : readWaitingTransfers(tx, place, after, PAGE_TRANSFERS),
  );
}

/** The signer accounts as they are after it; null where none has room. */
async function carryOne(
  deps: ChainDeps,
  cycle: PollCycle,
  round: CarryRound,
  signerAccounts: readonly OpenSignerAccount[],
  transfer: ChainTransferRow,
): Promise<readonly OpenSignerAccount[] | null> {
  const { reference } = transfer;
  // What may be the chain's already is not sent: null where that is not known.
  const isFound = await pastFault(deps, reference, () => claimFound(deps, transfer));
  if (isFound !== false) return signerAccounts;
  const free = signerAccounts.filter(({ open }) => open < OPEN_NONCES_MAX);
  if (free.length === 0) return null;
  const carrier = await round.unread.past(reference, () =>
    assignNonce(deps, cycle, round, free, transfer),
  );
  if (carrier === null) return signerAccounts;
  return signerAccounts.map((one) => (one.key.address === carrier.key.address ? carrier : one));
}
