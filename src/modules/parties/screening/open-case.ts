import { recordAudit } from '../../../db/operations/audit-store.ts';
import type { ScopedTransaction } from '../../../db/client/database.ts';
import { newId } from '../../../db/client/new-id.ts';
import { insertScreeningCase } from '../../../db/parties/screening-case-store.ts';
import { systemActor } from '../../../domain/actor.ts';
import { ID_PREFIXES } from '../../../domain/ids.ts';
import type { Found } from '../../../domain/parties/screening/next-status.ts';
import type { Scope } from '../../../domain/scope.ts';
import type { Vault } from '../../../vault/vault.ts';
import { screeningCaseRow, type CasePersonal } from './case-personal.ts';
import type { Screening } from './screening.ts';

/** Opens a case about a locked party and answers its id. The audit log is told ids and counts alone. */
export async function openCase(
  vault: Vault,
  tx: ScopedTransaction,
  scope: Scope,
  { party, owner, subjects, hits, listVersion, at }: Screening,
  found: Found,
): Promise<string> {
  const id = newId(ID_PREFIXES.screeningCase);
  const personal: CasePersonal = { subjects, hits };
  await insertScreeningCase(tx, scope, {
    ...found,
    id,
    party,
    listVersion,
    personal: vault.of(owner).sealJson(personal, screeningCaseRow(id)),
    at,
  });
  await recordAudit(tx, {
    at,
    actor: systemActor('screening'),
    action: 'screening.case_opened',
    scope,
    subject: `screening_cases/${id}`,
    details: { party: party.id, listVersion, entries: found.entryHashes.length },
  });
  return id;
}
