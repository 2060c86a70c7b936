import type { ApprovalRow } from '../../../db/approval-store.ts';
import type { ApprovalAction } from '../../../domain/approvals/approval.ts';

type Named = Pick<ApprovalRow, 'action' | 'subjectId' | 'customerId' | 'content'>;

/** By action: what it does, to what, and what tells it from another approval of its kind. */
const WHAT: Readonly<Record<ApprovalAction, (approval: Named) => string>> = {
  KYC_OVERRIDE: ({ subjectId, content }) => `KYC check ${subjectId} becomes ${said(content['to'])}`,
  SCREENING_RELEASE: ({ subjectId }) => `screening case ${subjectId} is no hit`,
  LATE_RETURN: ({ subjectId, content }) =>
    `what came back late of payment ${subjectId} is ${content['decision'] === 'CREDIT' ? 'credited to the customer' : 'kept in suspense'}`,
  CONFIRM_SETTLED: ({ subjectId, content }) =>
    `the bank paid payment ${subjectId} under ${said(content['reference'])}`,
  CONFIRM_FAILED: ({ subjectId, content }) =>
    `the bank did not pay payment ${subjectId} under ${said(content['reference'])}: its funds go back`,
  FX_COVER: ({ content }) => `cover trade ${said(content['reference'])} is recorded`,
  CREDIT_ASSIGNMENT: ({ subjectId, customerId }) =>
    `credit ${subjectId} is of customer ${customerId}`,
  CREDIT_CLOSING: ({ subjectId, content }) =>
    `credit ${subjectId} left the bank with line ${said(content['line'])} of statement ${said(content['statementId'])}`,
  OWN_ACCOUNT: ({ subjectId, customerId }) =>
    `customer ${customerId} may withdraw to account ${subjectId}`,
  ADDRESS: ({ content }) =>
    `live key ${said(content['apiKeyId'])} may be used from ${said(content['range'])}`,
  REMOVE_PASSKEYS: ({ subjectId }) => `all passkeys of ${subjectId} are removed`,
  CUSTOMER_RESUMPTION: ({ subjectId }) => `customer ${subjectId} works again`,
  LIVE_ACCESS: ({ subjectId, customerId }) =>
    `customer ${customerId} may move real money (${subjectId})`,
};

/** What an approval approves, in a sentence for a mail: ids and codes, nothing personal, and no amount. */
export const whatIsApproved = (approval: Named): string => WHAT[approval.action](approval);

const said = (value: ApprovalRow['content'][string] | undefined): string => String(value ?? '–');
