import { findApproval, type ApprovalRow } from '../../db/approvals/approval-store.ts';
import { decisionDocument, type DecisionStep } from '../../domain/approvals/decision.ts';
import { ID_PREFIXES, isId } from '../../domain/ids.ts';
import { decisionOf } from '../../modules/approvals/signatures/judge-signatures.ts';
import { whatIsApproved } from '../../modules/approvals/what-is-approved.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import type { OpsDeps } from './command-context.ts';
import { writeNewFile } from './write-new-file.ts';

interface ExportAsked {
  /** `opr_...` */
  readonly signer: string;
  /** Why the operator decides it: it is signed. */
  readonly reason: string;
  readonly file: string;
}

/** Writes what an operator signs to take a proposal up, or to approve it. Throws PlainError where nobody can. */
export async function exportDecision(
  { db, clock, print }: Pick<OpsDeps, 'db' | 'clock' | 'print'>,
  id: string,
  { signer, reason, file }: ExportAsked,
): Promise<number> {
  if (!isId(ID_PREFIXES.operator, signer)) throw new PlainError(`${signer} is no operator's ID.`);
  const approval = await db.system((tx) => findApproval(tx, id));
  if (approval === null) throw new PlainError(`There is no proposal ${id}.`);
  const step = stepOf(approval, signer, clock.now());
  const by = { step, operatorId: signer, reason };
  writeNewFile(file, decisionDocument(decisionOf(approval, by)));
  print(
    [
      `${file}: ${signer} ${step === 'PROPOSE' ? 'proposes' : 'approves'} that ${whatIsApproved(approval)}.`,
      `Reason of the proposal: ${approval.reason}`,
      `It expires at ${approval.expiresAt.toISOString()}.`,
      'Read the document, then sign it where the key is:',
      `openssl pkeyutl -sign -rawin -inkey <key.pem> -in ${file} -out ${file}.sig`,
    ].join('\n'),
  );
  return 0;
}

function stepOf(approval: ApprovalRow, signer: string, now: Date): DecisionStep {
  const { id, decision, expiresAt, proposedBy } = approval;
  if (decision !== null) throw new PlainError(`${id} was already decided: ${decision}.`);
  if (expiresAt <= now) throw new PlainError(`${id} expired. Make a new proposal.`);
  if (proposedBy === signer) {
    throw new PlainError(`${signer} proposed ${id}. Another operator must approve it.`);
  }
  return proposedBy === null ? 'PROPOSE' : 'APPROVE';
}
