import { APPROVAL_RIGHTS } from '../../domain/approvals/approval-rights.ts';
import type { ApprovalContent } from '../../domain/approvals/approval.ts';
import {
  DECISION_STEPS,
  decisionDocument,
  decisionText,
  isReasonOf,
  type Decision,
  type DecisionStep,
} from '../../domain/approvals/decision.ts';
import type { OperatorKey, OperatorKeys } from '../../domain/approvals/operator-keys.ts';
import { rolesWith } from '../../domain/customers/access/rights.ts';
import type { Environment } from '../../domain/scope.ts';
import { isSignedBy, isSignedByFile } from './is-signed-by.ts';
import type { Reader } from './reader.ts';
import { SAMPLES_MAX, type Findings, type Violation } from './verdict.ts';

interface Signature {
  readonly step: DecisionStep;
  readonly operatorId: string;
  readonly reason: string;
  /** In hex, as what follows. */
  readonly credentialId: string;
  /** Null where a file key signed. */
  readonly authenticatorData: string | null;
  readonly clientData: string | null;
  readonly signature: string;
}

interface UsedApproval extends ApprovalContent {
  readonly seq: bigint;
  readonly id: string;
  readonly customerId: string;
  readonly environment: Environment;
  /** Made of the row as it is now: the column may say what the row said before. */
  readonly contentHash: Buffer;
  readonly proposedBy: string | null;
  readonly decidedBy: string | null;
  readonly takenUpAt: Date | null;
  readonly reason: string;
  readonly decisionReason: string | null;
  readonly signatures: readonly Signature[];
}

const PAGE = 500;

const APPROVALS = `
  SELECT a.seq, a.id, a.customer_id AS "customerId", a.environment, a.action, a.subject_id AS "subjectId",
    a.subject_version AS "subjectVersion", a.content,
    pg_catalog.sha256(pg_catalog.convert_to(pg_catalog.jsonb_build_array(a.action, a.subject_id,
      a.subject_version, a.content)::text, 'UTF8')) AS "contentHash",
    a.proposed_by AS "proposedBy", a.decided_by AS "decidedBy", a.taken_up_at AS "takenUpAt",
    a.reason, a.decision_reason AS "decisionReason",
    coalesce((SELECT jsonb_agg(jsonb_build_object('step', s.step, 'operatorId', s.operator_id,
      'reason', s.reason, 'credentialId', encode(s.credential_id, 'hex'),
      'authenticatorData', encode(s.authenticator_data, 'hex'),
      'clientData', encode(s.client_data, 'hex'), 'signature', encode(s.signature, 'hex')))
      FROM approval_signatures s WHERE s.approval_id = a.id AND s.reason IS NOT NULL), '[]') AS signatures
  FROM approvals a`;
const USED = `${APPROVALS} JOIN approval_uses u ON u.approval_id = a.id
  WHERE a.seq > $1 ORDER BY a.seq LIMIT ${String(PAGE)}`;
const SET = `${APPROVALS} WHERE a.id = $1 AND a.decision = 'APPROVED' AND a.action = 'EXCEPTION_SET'`;

/**
 * I15: what took effect was signed by two operators, each with a key that is named outside the database. An item of a set
 * rests on the signatures of the set, which lists it.
 */
export async function decisionsAreSigned(reader: Reader, keys: OperatorKeys): Promise<Findings> {
  const samples: Violation[] = [];
  let [checked, violations] = [0, 0];
  for (let after = 0n; ;) {
    const page = await reader.query<UsedApproval>(USED, [after]);
    for (const approval of page) {
      checked += 1;
      const why = await whyNot(reader, keys, approval);
      if (why === null) continue;
      violations += 1;
      if (samples.length < SAMPLES_MAX) {
        samples.push({ subject: approval.id, problem: `took effect, and ${why}` });
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
  const { action, content, subjectId, subjectVersion } = approval;
  if (action !== 'EXCEPTION_ACT' || content['set'] === undefined) return judge(keys, approval);
  const [set] = await reader.query<UsedApproval>(SET, [content['set']]);
  if (set === undefined) return 'its set is not approved';
  const { set: _set, ...own } = content;
  const item = sorted({ ...own, exceptionId: subjectId, version: subjectVersion });
  const listed = [set.content['items'] ?? []]
    .flat()
    .map((text) => JSON.parse(String(text)) as object);
  return listed.some((one) => sorted(one) === item) ? judge(keys, set) : 'its set does not list it';
}

const sorted = (whole: object): string =>
  JSON.stringify(Object.entries(whole).sort(([one], [other]) => (one < other ? -1 : 1)));

/** Why an approval is none; null where both operators signed it. */
function judge(keys: OperatorKeys, approval: UsedApproval): string | null {
  if (keys.isFromBefore(approval)) return null;
  const { proposedBy, decidedBy, signatures, action } = approval;
  if (proposedBy === null || decidedBy === null || proposedBy === decidedBy) {
    return 'two operators did not decide it';
  }
  const roles: readonly string[] = rolesWith('console', APPROVAL_RIGHTS[action]) ?? [];
  for (const step of DECISION_STEPS) {
    const operatorId = step === 'PROPOSE' ? proposedBy : decidedBy;
    const given = signatures.find((one) => one.step === step && one.operatorId === operatorId);
    if (given === undefined) return `${operatorId} did not sign it`;
    const key = keys.find(operatorId, bytes(given.credentialId));
    if (key === null) return `${operatorId} signed it with a key that is not in the file`;
    if (key.role !== null && !roles.includes(key.role)) return `${operatorId} has no such right`;
    const decision = {
      ...{ ...approval, approvalId: approval.id, step, operatorId, reason: given.reason },
    };
    if (!isSigned(given, key, decision, keys.origin)) return `${operatorId} signed something else`;
    if (!isReasonOf(approval, step, given.reason)) return `${operatorId} signed another reason`;
  }
  return null;
}

function isSigned(
  { credentialId, authenticatorData, clientData, signature }: Signature,
  { kind, publicKey }: OperatorKey,
  decision: Decision,
  origin: string,
): boolean {
  const signed = { credentialId: bytes(credentialId), signature: bytes(signature) };
  if (authenticatorData === null || clientData === null) {
    return (
      kind === 'FILE' && isSignedByFile(signed.signature, publicKey, decisionDocument(decision))
    );
  }
  if (kind === 'FILE') return false;
  const assertion = {
    ...signed,
    ...{ authenticatorData: bytes(authenticatorData), clientData: bytes(clientData) },
  };
  return isSignedBy(assertion, { publicKey, text: decisionText(decision), origin });
}

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');
