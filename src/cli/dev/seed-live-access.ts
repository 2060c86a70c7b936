import type { EffectDeps } from '../../modules/operations/apply-approval.ts';
import { approveProposal } from '../../modules/operations/approve-proposal.ts';
import { proposeApproval, type OperatorAct } from '../../modules/approvals/propose-approval.ts';
import { softwareSigner } from '../../modules/approvals/signatures/decision-signer.ts';
import {
  COMPANIES,
  liveScope,
  saveCompany,
  startCompanyCheck,
} from '../../modules/customers/live/company.ts';
import { proposeLiveAccess } from '../../modules/customers/live/grant-live-access.ts';
import { acceptLiveTerms, publishLiveTerms } from '../../modules/customers/live/live-terms.ts';
import {
  isCompanyApproved,
  readLiveStanding,
  type LiveStanding,
} from '../../modules/customers/live/live-standing.ts';
import { requestLiveAccess } from '../../modules/customers/live/request-live-access.ts';
import { findCustomer } from '../../db/customers/customer-status-store.ts';
import { listOwners } from '../../db/customers/owner-store.ts';
import type { CorridorTable } from '../../domain/payments/corridors/corridor-table.ts';
import { lockKyc } from '../../modules/parties/kyc/change-kyc.ts';
import { overrideContent } from '../../modules/parties/kyc/override-kyc.ts';
import type { Screener } from '../../modules/parties/screening/screener.ts';
import { addVerifiedUser } from './add-verified-user.ts';
import { DEMO_COMPANY, DEMO_OWNER, DEMO_TERMS } from './demo-company.ts';
import type { Approvers } from './demo-people.ts';

export type SeedLiveDeps = EffectDeps & {
  readonly corridors: CorridorTable;
  readonly screener: Pick<Screener, 'screenParties'>;
};

const REASON = 'local run';

/**
 * Gives the demo customer live access as any customer gets it: its owner says which company it is, accepts
 * the terms and asks; two operators agree on the company's check, and then on live access. Begins where it was
 * cut off; does nothing where it is live, or an operator has taken that back.
 */
export async function seedLiveAccess(
  deps: SeedLiveDeps,
  customerId: string,
  operators: Approvers,
): Promise<void> {
  const { db } = deps;
  const look = () => db.read(COMPANIES, (tx) => readLiveStanding(tx, customerId));
  const customer = await db.system((tx) => findCustomer(tx, customerId));
  if (customer?.hasLiveAccess !== false || (await look()).request?.decision === 'APPROVED') return;
  const act = { customerId, userId: await ensureOwner(deps, customerId), hasLiveAccess: false };
  const found = await look();
  if (found.company === null) {
    const order = { data: DEMO_COMPANY, seenVersion: 0 };
    await db.write(COMPANIES, (tx) => saveCompany(deps, tx, act, order));
  }
  if (found.terms === null) {
    await publishLiveTerms(deps, DEMO_TERMS, { operator: REASON, reason: REASON });
  }
  const { company } = await look();
  if (company === null) throw new Error('the demo customer’s company is gone');
  // No worker runs yet that would look its names up.
  await deps.screener.screenParties(COMPANIES, [{ kind: 'END_USER', id: company.id }]);
  await approveCompany(deps, act, operators, await look());
  const { terms } = await look();
  await db.write(liveScope(customerId), (tx) =>
    acceptLiveTerms(deps, tx, act, terms?.version ?? 0),
  );
  if (found.request?.decision !== null) {
    await db.write(COMPANIES, (tx) => requestLiveAccess(deps, tx, act));
  }
  const { request } = await look();
  if (request === null) throw new Error('the demo customer’s request is gone');
  const proposal = await proposeLiveAccess(deps, request, actOf(deps, operators.first));
  await approveAsSecond(deps, proposal, operators);
}

/** An owner of the customer, taken on where it has none. */
async function ensureOwner(deps: SeedLiveDeps, customerId: string): Promise<string> {
  const user = { ...DEMO_OWNER, customerId, role: 'OWNER' } as const;
  return deps.db.system(async (tx) => {
    const [owner] = await listOwners(tx, customerId);
    const id = owner?.id ?? (await addVerifiedUser(deps, tx, user));
    if (id === null) throw new Error('the demo customer’s owner is no owner any more');
    return id;
  });
}

/** A local run does not wait for a click through the company's check: two operators decide it. */
async function approveCompany(
  deps: SeedLiveDeps,
  act: { readonly customerId: string; readonly userId: string },
  operators: Approvers,
  { company, check }: LiveStanding,
): Promise<void> {
  if (isCompanyApproved(company, check, deps.clock.now())) return;
  const backTo = `${deps.dashboardUrl}/going-live`;
  const { check: open } = await deps.db.write(COMPANIES, (tx) =>
    startCompanyCheck(deps, tx, act, backTo),
  );
  const ref = { endUserId: open.endUserId, kycCheckId: open.id };
  const kyc = await deps.db.write(COMPANIES, (tx) => lockKyc(tx, COMPANIES, ref));
  if (kyc === null) throw new Error('the demo customer’s check is gone');
  const content = overrideContent(kyc, 'APPROVED');
  const by = actOf(deps, operators.first);
  await approveAsSecond(deps, await proposeApproval(deps, COMPANIES, content, by), operators);
}

async function approveAsSecond(
  deps: SeedLiveDeps,
  proposalId: string | null,
  { second }: Approvers,
): Promise<void> {
  if (proposalId === null) throw new Error('a proposal of the local run waits already');
  await approveProposal(deps, proposalId, actOf(deps, second));
}

/** What an operator of a local run does, and signs. */
const actOf = (
  { operatorKeys }: Pick<SeedLiveDeps, 'operatorKeys'>,
  operator: string,
): OperatorAct => ({ operator, reason: REASON, signer: softwareSigner(operatorKeys) ?? undefined });
