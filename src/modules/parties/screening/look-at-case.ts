import type { OperatorAct } from '../../approvals/propose-approval.ts';
import { recordAudit } from '../../../db/operations/audit-store.ts';
import type { Database } from '../../../db/client/database.ts';
import type { ScreeningCaseRow } from '../../../db/parties/screening-case-store.ts';
import type { Clock } from '../../../domain/clock.ts';
import { isErased } from '../../../vault/owner-key.ts';
import type { Vault } from '../../../vault/vault.ts';
import { screeningCaseRow, type CasePersonal } from './case-personal.ts';

/** The names of a case and the entries that they hit; null where the end-user was erased. Who looked is audited. */
export async function lookAtCase(
  deps: { readonly db: Database; readonly clock: Clock; readonly vault: Pick<Vault, 'of'> },
  row: ScreeningCaseRow,
  { operator, reason }: OperatorAct,
): Promise<CasePersonal | null> {
  const { id, customerId, environment } = row;
  await deps.db.system((tx) =>
    recordAudit(tx, {
      at: deps.clock.now(),
      actor: { kind: 'OPERATOR', name: operator },
      action: 'screening.show',
      scope: { customerId, environment },
      subject: `screening_cases/${id}`,
      details: { reason },
    }),
  );
  if (isErased(row)) return null;
  return deps.vault
    .of({ endUserId: row.ownerId, ownerKey: row.ownerKey })
    .openJson<CasePersonal>(row.personal, screeningCaseRow(id));
}
