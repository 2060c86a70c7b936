import type { ApprovalRow } from '../../db/approvals/approval-store.ts';
import type { ApprovalAction } from '../../domain/approvals/approval.ts';

type Named = Pick<ApprovalRow, 'action' | 'subjectId' | 'customerId' | 'content'>;

/** By action: what it does, to what, and what tells it from another approval of its kind. */
const WHAT: Readonly<Record<ApprovalAction, (approval: Named) => string>> = {
  KYC_OVERRIDE: ({ subjectId, content }) => `KYC check ${subjectId} becomes ${said(content['to'])}`,
  SCREENING_RELEASE: ({ subjectId }) => `screening case ${subjectId} is no hit`,
  WALLET_RELEASE: ({ subjectId }) => `wallet review ${subjectId} is no hit`,
  DEPOSIT_CLEARANCE: ({ subjectId }) => `deposit ${subjectId} is credited`,
  BLOCKED_DEPOSIT: ({ subjectId, content }) =>
    `blocked deposit ${subjectId} is ${content['decision'] === 'RELEASE' ? 'credited to the customer' : 'kept in suspense for good'}`,
  LATE_RETURN: ({ subjectId, content }) =>
    `the late return of payment ${subjectId} is ${content['decision'] === 'CREDIT' ? 'credited to the customer' : 'kept in suspense'}`,
  CONFIRM_SETTLED: ({ subjectId, content }) =>
    `the bank paid payment ${subjectId} under ${said(content['reference'])}`,
  CONFIRM_FAILED: ({ subjectId, content }) =>
    `the bank did not pay payment ${subjectId} under ${said(content['reference'])}: its funds go back`,
  FX_COVER: ({ content }) => `cover trade ${said(content['reference'])} is recorded`,
  CREDIT_ASSIGNMENT: ({ subjectId, customerId }) =>
    `credit ${subjectId} belongs to customer ${customerId}`,
  STATEMENT_SUMS: ({ subjectId, content }) =>
    content['entry'] === undefined
      ? `lines of statement ${said(content['bankStatementId'])} (${subjectId}) are credited although its sums do not add up`
      : `lines of entry ${said(content['entry'])} of statement ${said(content['bankStatementId'])} (${subjectId}) are credited although its sums do not add up`,
  CREDIT_CLOSING: ({ subjectId, content }) =>
    content['resembles'] !== undefined
      ? `credit ${subjectId} is the same booking as ${said(content['resembles'])}, and is closed`
      : `credit ${subjectId} left the bank with line ${said(content['line'])} of statement ${said(content['statementId'])}`,
  EXCEPTION_ACT: ({ subjectId, content }) =>
    content['trade'] === undefined
      ? `exception ${subjectId} is ended by ${said(content['act'])}`
      : `${subjectId} is tied to cover trade ${said(content['trade'])}`,
  EXCEPTION_SET: ({ subjectId, content }) =>
    `${said(content['exceptions'])} exceptions of ${subjectId} are ended as rules suggest`,
  EXCEPTION_REVERSAL: ({ subjectId }) => `act ${subjectId} about an exception is reversed`,
  OWN_ACCOUNT: ({ subjectId, customerId }) =>
    `customer ${customerId} may withdraw to account ${subjectId}`,
  ADDRESS: ({ content }) =>
    `live key ${said(content['apiKeyId'])} may be used from ${said(content['range'])}`,
  REMOVE_PASSKEYS: ({ subjectId }) => `all passkeys of ${subjectId} are removed`,
  CUSTOMER_RESUMPTION: ({ subjectId }) => `customer ${subjectId} works again`,
  LIVE_ACCESS: ({ subjectId, customerId }) =>
    `customer ${customerId} may move real money (${subjectId})`,
  SIGNER_ACCOUNT_THAW: ({ subjectId }) => `hot address ${subjectId} pays again`,
  SIGNER_ACCOUNT_RETIRE: ({ subjectId, content }) =>
    content['why'] === 'MAY_STILL_PAY'
      ? `nothing that was signed for hot address ${subjectId} and is not known can be mined any more`
      : `hot address ${subjectId} never signs again`,
  FOREIGN_NONCE: ({ subjectId, content }) =>
    `transaction ${said(content['hash'])} at ${subjectId} is no payment of ours`,
  FOREIGN_PAYMENT: ({ subjectId, content }) =>
    content['outcome'] === 'PAID'
      ? `transaction ${said(content['hash'])} paid payment ${subjectId}, which is never sent again`
      : `transaction ${said(content['hash'])} did not pay payment ${subjectId}, which is sent by another one`,
  CHAIN_RESUMPTION: ({ subjectId, content }) =>
    `the network of stop ${subjectId} resumes at block ${said(content['block'])} (${said(content['hash'])}); deposits whose blocks are gone are taken back`,
  DUST_DEPOSITS: ({ subjectId }) =>
    `the largest transfers to ${subjectId} below the floor become deposits`,
};

/** What an approval approves, in a sentence for a mail: ids and codes, nothing personal, and no amount. */
export const whatIsApproved = (approval: Named): string => WHAT[approval.action](approval);

const said = (value: ApprovalRow['content'][string] | undefined): string => String(value ?? '–');
