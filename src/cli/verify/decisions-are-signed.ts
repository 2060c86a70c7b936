import type { DecisionSignature } from '../../db/approvals/approval-signature-store.ts';
import {
  whyUnsigned,
  type SignedApproval,
} from '../../modules/approvals/signatures/judge-signatures.ts';
import type { OperatorKeys } from '../../modules/approvals/signatures/operator-keys.ts';
import {
  readSetItems,
  writeSetItem,
  type SetItem,
} from '../../modules/reconciliation/exceptions/exception-set.ts';
import type { Reader } from './reader.ts';
import { SAMPLES_MAX, type Findings, type Violation } from './verdict.ts';

interface UsedApproval extends SignedApproval {
  readonly seq: bigint;
  readonly signatures: readonly {
    readonly [Name in keyof DecisionSignature]: string;
  }[];
}

const PAGE = 500;

const USED = `
  SELECT a.seq, a.id, a.customer_id AS "customerId", a.environment, a.action, a.subject_id AS "subjectId",
    a.subject_version AS "subjectVersion", a.content, a.content_hash AS "contentHash",
    a.proposed_by AS "proposedBy", a.decided_by AS "decidedBy",
    coalesce((SELECT jsonb_agg(jsonb_build_object('step', s.step, 'operatorId', s.operator_id,
      'credentialId', encode(s.credential_id, 'hex'),
      'authenticatorData', encode(s.authenticator_data, 'hex'),
      'clientData', encode(s.client_data, 'hex'), 'signature', encode(s.signature, 'hex')))
      FROM approval_signatures s WHERE s.approval_id = a.id), '[]') AS signatures
  FROM approvals a JOIN approval_uses u ON u.approval_id = a.id`;

/**
 * I15: what took effect was signed by two operators, each with a key that is named outside the database. An item of a set
 * rests on the signatures of the set, which lists it.
 */
export async function decisionsAreSigned(reader: Reader, keys: OperatorKeys): Promise<Findings> {
  const samples: Violation[] = [];
  let [checked, violations] = [0, 0];
  for (let after = 0n; ;) {
    const page = await reader.query<UsedApproval>(
      `${USED} WHERE a.seq > $1 ORDER BY a.seq LIMIT ${String(PAGE)}`,
      [after],
    );
    for (const approval of page) {
      checked += 1;
      const why = await whyNot(reader, keys, approval);
      if (why === null) continue;
      violations += 1;
      if (samples.length < SAMPLES_MAX) {
        samples.push({ subject: approval.id, problem: `took effect. ${why}` });
      }
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) break;
    after = last.seq;
  }
  return { checked, violations, samples };
}

async function whyNot(
  reader: Reader,
  keys: OperatorKeys,
  approval: UsedApproval,
): Promise<string | null> {
  const { action, content } = approval;
  if (action !== 'EXCEPTION_ACT' || content['set'] === undefined) return judge(keys, approval);
  const [set] = await reader.query<UsedApproval>(
    `${USED.replace('JOIN approval_uses', 'LEFT JOIN approval_uses')} WHERE a.id = $1 AND a.decision = 'APPROVED'`,
    [content['set']],
  );
  if (set?.action !== 'EXCEPTION_SET') return 'Its set is not approved.';
  const { set: _set, ...own } = content as SetItem['content'];
  const item = writeSetItem({
    ...{ exceptionId: approval.subjectId, version: approval.subjectVersion, content: own },
  });
  const isListed = readSetItems(set).some((one) => writeSetItem(one) === item);
  return isListed ? judge(keys, set) : 'Its set does not list it.';
}

function judge(keys: OperatorKeys, approval: UsedApproval): Promise<string | null> {
  const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');
  const signatures = approval.signatures.map((one) => ({
    step: one.step as DecisionSignature['step'],
    operatorId: one.operatorId,
    ...{ credentialId: bytes(one.credentialId), authenticatorData: bytes(one.authenticatorData) },
    ...{ clientData: bytes(one.clientData), signature: bytes(one.signature) },
  }));
  return whyUnsigned(keys, approval, signatures);
}
