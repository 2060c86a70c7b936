import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { Type } from 'typebox';
import { findApproval } from '../../db/approvals/approval-store.ts';
import { recordAudit } from '../../db/operations/audit-store.ts';
import { DECISION_STEPS } from '../../domain/approvals/decision.ts';
import { isCutOff } from '../../modules/approvals/decide-approval.ts';
import type { DecisionSigner } from '../../modules/approvals/signatures/decision-signer.ts';
import { fileSigner } from '../../modules/approvals/signatures/file-signer.ts';
import { decisionOf } from '../../modules/approvals/signatures/judge-signatures.ts';
import { takeUpProposal } from '../../modules/approvals/take-up-proposal.ts';
import { ApprovalRefused } from '../../modules/approvals/approval-refused.ts';
import type { OperatorAct } from '../../modules/approvals/propose-approval.ts';
import { approveProposal } from '../../modules/operations/approve-proposal.ts';
import { tellingApprovers } from '../../modules/operations/tell-approvers.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import type { OpsDeps } from './command-context.ts';
import { requireShape } from './json-file.ts';
import { readReason } from './option-values.ts';
import { actDeps } from './perform-act.ts';

/**
 * What names the decision that a document is about. The rest is compared with the approval. Both ids have the form of an
 * id, because they go to the audit log before the signature is judged.
 */
const NAMED = Type.Object({
  step: Type.Enum([...DECISION_STEPS]),
  approvalId: Type.String({ pattern: '^apr_[0-9a-z]{26}$' }),
  operatorId: Type.String({ pattern: '^opr_[0-9a-z]{26}$' }),
  reason: Type.String(),
});

/** Of Ed25519 (RFC 8032, section 5.1.6). */
const SIGNATURE_BYTES = 64;

interface ImportGiven {
  readonly document: string;
  readonly signature: string;
  /** Who runs the command, which need not be who signed. */
  readonly operator: string;
}

/**
 * Takes the decision that an operator signed with a file key, as the console takes one that a passkey signed: the proposal
 * becomes theirs, or it is approved and takes effect. Throws PlainError where it is not.
 */
export async function importDecision(
  deps: OpsDeps,
  { document: path, signature: signaturePath, operator: importer }: ImportGiven,
): Promise<number> {
  const document = readBytes(path).toString('utf8');
  const signature = readBytes(signaturePath);
  if (signature.length !== SIGNATURE_BYTES) {
    throw new PlainError(`${signaturePath} is no signature of Ed25519.`);
  }
  const { step, approvalId, operatorId, reason } = requireShape(NAMED, parse(document, path), path);
  requireReason(reason, path);
  const signer = fileSigner(deps.operatorKeys, { document, signature });
  const act = { operator: operatorId, reason, signer };
  try {
    await requireConsole(deps);
    // Before anything is decided: the operator has signed the decision, and not who brought it.
    await deps.db.system((tx) =>
      recordAudit(tx, {
        at: deps.clock.now(),
        actor: { kind: 'OPERATOR', name: importer },
        action: 'approval.import',
        scope: { customerId: null, environment: null },
        subject: approvalId,
        details: { step, signedBy: operatorId },
      }),
    );
    if (step === 'PROPOSE') {
      // The reconciler sends the mails of a command.
      const telling = tellingApprovers(deps, () => undefined);
      await takeUpProposal(telling, approvalId, act);
      deps.print(
        `${operatorId} is now the proposer of ${approvalId}. Another operator must approve it.`,
      );
    } else {
      const isAgain = await isToTakeEffectAgain(deps, approvalId, act);
      const word = isAgain ? { operator: operatorId, reason } : act;
      deps.print(await approveProposal(actDeps(deps), approvalId, word));
    }
    return 0;
  } catch (error) {
    if (error instanceof ApprovalRefused) throw new PlainError(error.message);
    throw error;
  }
}

/** Whether it is approved, as the document says, and its effect was cut off. */
function isToTakeEffectAgain(
  { db }: Pick<OpsDeps, 'db'>,
  id: string,
  { operator, reason, signer }: OperatorAct & { readonly signer: DecisionSigner },
): Promise<boolean> {
  return db.system(async (tx) => {
    const approval = await findApproval(tx, id);
    if (approval === null || !isCutOff(approval)) return false;
    await signer.sign(tx, decisionOf(approval, { step: 'APPROVE', operatorId: operator, reason }));
    return true;
  });
}

/** SQLSTATE insufficient_privilege: the login may not work as the console's roles. */
const NO_RIGHT = '42501';

async function requireConsole({ db }: Pick<OpsDeps, 'db'>): Promise<void> {
  await db.serverTime().catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === NO_RIGHT)) throw error;
    throw new PlainError(
      "Run it with the console's settings: its database login alone can decide.",
    );
  });
}

/** The rule of `--reason` at the export: a document that was written by hand keeps it, too. */
function requireReason(reason: string, path: string): void {
  try {
    readReason(reason);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw new PlainError(`${path}: the reason is wrong. ${error.message}`);
  }
}

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    throw new PlainError(`${path} cannot be read.`);
  }
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new PlainError(`${path} is not JSON.`);
  }
}
