import {
  decideAccessRequest,
  lockWaitingRequest,
  type AccessRequestRow,
} from '../../../db/customers/access-request-store.ts';
import { recordAudit } from '../../../db/operations/audit-store.ts';
import { insertCustomer } from '../../../db/customers/customer-store.ts';
import type { SystemTransaction } from '../../../db/client/database.ts';
import { newId } from '../../../db/client/new-id.ts';
import {
  DECIDED_LIFE_MS,
  type AccessRequestDetails,
} from '../../../domain/customers/access/access-request.ts';
import { ID_PREFIXES } from '../../../domain/ids.ts';
import { writeMail } from '../mail/write-mail.ts';
import type { Vault } from '../../../vault/vault.ts';
import { openDetails } from './access-request-details.ts';
import { addUser } from './add-person.ts';
import { sendInvitation, type InviteDeps } from './invitations.ts';

interface DecideDeps extends InviteDeps {
  readonly vault: Vault;
}

/** Why a request was declined: for the audit log, which never forgets, so it is none of free text. */
export const DECLINE_REASONS = [
  'NOT_SERVED',
  'NOT_PLAUSIBLE',
  'DUPLICATE',
  'ABUSE',
  'OTHER',
] as const;
export type DeclineReason = (typeof DECLINE_REASONS)[number];

interface Deciding {
  readonly requestId: string;
  /** `opr_...`. */
  readonly operatorId: string;
}

/**
 * Approves a request: the customer, its first owner INVITED, and the invitation, all in the transaction
 * that is given; the test funds follow in the request's workflow. Answers the mail to hand on; null where
 * the request is decided, or over, and nothing was done.
 */
export async function approveAccessRequest(
  deps: DecideDeps,
  tx: SystemTransaction,
  { requestId, operatorId }: Deciding,
): Promise<string | null> {
  const at = deps.clock.now();
  const waiting = await lockWaiting(deps, tx, requestId);
  if (waiting === null) return null;
  const { company, name, address } = waiting.told;
  const customerId = newId(ID_PREFIXES.customer);
  await insertCustomer(tx, { id: customerId, name: company }, at);
  const owner = { customerId, address, name, role: 'OWNER', status: 'INVITED' } as const;
  const userId = await addUser(deps, tx, owner);
  if (userId === null) throw new Error(`${customerId} is new and has a user`);
  const invited = { customerId, customerName: company, userId, address, role: owner.role };
  const mailId = await sendInvitation(deps, tx, invited);
  const decision = { status: 'APPROVED', decidedBy: operatorId, at, dueAt: at } as const;
  await decideAccessRequest(tx, requestId, { ...decision, customerId, userId });
  await recordAudit(tx, {
    at,
    actor: { kind: 'OPERATOR', name: operatorId },
    action: 'access_request.approved',
    scope: { customerId, environment: null },
    subject: requestId,
    details: { userId },
  });
  return mailId;
}

/** Declines a request and writes the mail that says so. Answers and fails as `approveAccessRequest`. */
export async function declineAccessRequest(
  deps: DecideDeps,
  tx: SystemTransaction,
  { requestId, operatorId, reason }: Deciding & { readonly reason: DeclineReason },
): Promise<string | null> {
  const at = deps.clock.now();
  const waiting = await lockWaiting(deps, tx, requestId);
  if (waiting === null) return null;
  const dueAt = new Date(at.getTime() + DECIDED_LIFE_MS);
  const decision = { status: 'DECLINED', decidedBy: operatorId, at, dueAt } as const;
  await decideAccessRequest(tx, requestId, { ...decision, customerId: null, userId: null });
  await recordAudit(tx, {
    at,
    actor: { kind: 'OPERATOR', name: operatorId },
    action: 'access_request.declined',
    scope: { customerId: null, environment: null },
    subject: requestId,
    details: { reason },
  });
  return writeMail(deps, tx, {
    kind: 'REQUEST_DECLINED',
    to: waiting.told.address,
    customerId: null,
    facts: { requestId },
  });
}

async function lockWaiting(
  { vault, clock }: DecideDeps,
  tx: SystemTransaction,
  requestId: string,
): Promise<{ readonly request: AccessRequestRow; readonly told: AccessRequestDetails } | null> {
  const request = await lockWaitingRequest(tx, requestId, clock.now());
  const told = request === null ? null : openDetails(vault, request);
  return request === null || told === null ? null : { request, told };
}
