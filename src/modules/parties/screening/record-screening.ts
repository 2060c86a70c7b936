import type { ScopedTransaction } from '../../../db/client/database.ts';
import { decideScreeningCase, readCasesOf } from '../../../db/parties/screening-case-store.ts';
import { lockPartyToScreen, writeScreening } from '../../../db/parties/screening-party-store.ts';
import { actorText, systemActor } from '../../../domain/actor.ts';
import {
  nextStatus,
  type Found,
  type KnownCase,
} from '../../../domain/parties/screening/next-status.ts';
import type { ScreeningStatus } from '../../../domain/parties/screening/screening-verdict.ts';
import type { Scope } from '../../../domain/scope.ts';
import type { Vault } from '../../../vault/vault.ts';
import { openCase } from './open-case.ts';
import { namesHashes } from './screened-names.ts';
import type { Screening } from './screening.ts';

interface Recorded {
  readonly status: ScreeningStatus;
  /** The case that this opened. */
  readonly openedCaseId: string | null;
}

/**
 * Writes what a look-up came to, with the case that it opens. Null, and nothing written, where the
 * names are not those any more that were looked up: they must be looked up again.
 */
export async function recordScreening(
  { vault }: { readonly vault: Vault },
  tx: ScopedTransaction,
  scope: Scope,
  screening: Screening,
): Promise<Recorded | null> {
  const { party, at, listVersion } = screening;
  const locked = await lockPartyToScreen(tx, scope, party);
  if (locked?.personal.equals(screening.personal) !== true) return null;
  const { found, raise } = foundIn(vault, scope, screening);
  const cases = await readCasesOf(tx, scope, party);
  const next = nextStatus(found, cases.map(raise));
  const { superseded } = next;
  if (superseded !== null) {
    await decideScreeningCase(tx, scope, superseded.id, {
      outcome: 'SUPERSEDED',
      actor: actorText(systemActor('screening')),
      at,
      reason: 'Other names or other entries were found.',
    });
  }
  // What the case before says still has to be decided, whatever is found now.
  const entryHashes = [...found.entryHashes, ...(superseded?.entryHashes ?? [])];
  const openedCaseId = next.opensCase
    ? await openCase(vault, tx, scope, screening, { ...found, entryHashes })
    : null;
  await writeScreening(tx, scope, party, { status: next.status, list: listVersion, at });
  return { status: next.status, openedCaseId };
}

/** What was found, and cases with their hashes under the pepper that it is hashed under, as far as they are of it. */
function foundIn(vault: Vault, { environment }: Scope, { subjects, hits }: Screening) {
  const ids = [...new Set(hits.map(({ entryId }) => entryId))].sort();
  const current = new Map<string, Buffer>();
  const note = (hashes: readonly Buffer[]): Buffer[] => {
    const [first] = hashes;
    if (first === undefined) return [];
    for (const hash of hashes) current.set(hash.toString('hex'), first);
    return [first];
  };
  const [namesHash = Buffer.alloc(0)] = note(namesHashes(vault, subjects));
  const entryHashes = ids.flatMap((id) =>
    note(vault.keyedHashes('screening_entry', `${environment}/${id}`)),
  );
  const found: Found = { namesHash, entryHashes };
  const currentOf = (hash: Buffer): Buffer => current.get(hash.toString('hex')) ?? hash;
  const raise = (one: KnownCase): KnownCase => ({
    ...one,
    namesHash: currentOf(one.namesHash),
    entryHashes: one.entryHashes.map(currentOf),
  });
  return { found, raise };
}
