import { findApproval, type ApprovalRow } from '../../src/db/approvals/approval-store.ts';
import type { DecisionSignature } from '../../src/db/approvals/approval-signature-store.ts';
import type { AnyTransaction, SystemTransaction } from '../../src/db/client/database.ts';
import { newId } from '../../src/db/client/new-id.ts';

/** What an attacker wants two operators to have approved. */
export interface Forgery {
  readonly customerId: string;
  readonly action: string;
  readonly subjectId: string;
  readonly subjectVersion: number;
  readonly content: Readonly<Record<string, string>>;
}

/** Writes an approval of two operators by hand, as whoever has the console's login can. */
export async function forgeApproval(
  tx: SystemTransaction,
  about: Forgery,
  [first, second]: readonly [first: string, second: string],
): Promise<ApprovalRow> {
  const id = newId('apr');
  await tx.query(
    `INSERT INTO approvals (id, customer_id, environment, action, subject_id, subject_version, content,
       proposed_by, proposed_at, reason, expires_at)
     VALUES ($1, $2, 'live', $3, $4, $5, $6, $7, now(), 'x', now() + interval '1 day')`,
    [
      ...[id, about.customerId, about.action, about.subjectId, about.subjectVersion],
      ...[JSON.stringify(about.content), first],
    ],
  );
  await tx.query(
    `UPDATE approvals SET decision = 'APPROVED', decided_by = $2, decided_at = now(), decision_reason = 'x'
     WHERE id = $1`,
    [id, second],
  );
  const approval = await findApproval(tx, id);
  if (approval === null) throw new Error('it was just written');
  return approval;
}

/** Writes signatures of an approval by hand. */
export async function putSignatures(
  tx: SystemTransaction,
  id: string,
  signatures: readonly DecisionSignature[],
): Promise<void> {
  for (const { step, operatorId, reason, ...one } of signatures) {
    await tx.query(
      `INSERT INTO approval_signatures SELECT $1, $2, customer_id, environment, $3, $4, $5, $6, $7, now(), $8
       FROM approvals WHERE id = $1`,
      [
        ...[id, step, operatorId, one.credentialId],
        ...[one.authenticatorData, one.clientData, one.signature, reason],
      ],
    );
  }
}

/** Writes the use of an approval by hand. */
export const putUse = (tx: AnyTransaction, id: string, customerId: string) =>
  tx.query(
    `INSERT INTO approval_uses (approval_id, customer_id, environment, used_at) VALUES ($1, $2, 'live', now())`,
    [id, customerId],
  );

/** Writes a passkey of an operator by hand. */
export const putPasskey = (
  tx: SystemTransaction,
  operatorId: string,
  key: { readonly credentialId: Buffer; readonly publicKey: Buffer },
) =>
  tx.query(
    `INSERT INTO passkeys (id, credential_id, public_key, counter, transports, operator_id, browser, created_at)
     VALUES ($1, $2, $3, 0, '{}', $4, 'x', now())`,
    [newId('psk'), key.credentialId, key.publicKey, operatorId],
  );
