import { actsAreAudited } from './acts-are-audited.ts';
import { auditIsSealed, type SealEvidence } from './audit-is-sealed.ts';
import { balancesMatchEntries } from './balances-match-entries.ts';
import type { OperatorKeys } from '../../domain/approvals/operator-keys.ts';
import { decisionsAreSigned } from './decisions-are-signed.ts';
import { depositsArePaidOn } from './deposits-are-paid-on.ts';
import { forcedOutcomesAreApproved } from './forced-outcomes.ts';
import { positionFollowsQuotes } from './fx-position.ts';
import { ledgerSumsToZero } from './ledger-sums-to-zero.ts';
import { legalKycMoves } from './legal-kyc-moves.ts';
import { legalPaymentMoves } from './legal-payment-moves.ts';
import { mailsEnd } from './mails-end.ts';
import { oneEventAVersion } from './one-event-a-version.ts';
import { liveAddressesAreApproved } from './live-addresses.ts';
import { codesAreUsedOnce } from './one-use-a-code.ts';
import { onePaymentAKey } from './one-payment-a-key.ts';
import { unfinishedPaymentsHaveAWorkflow } from './open-workflows.ts';
import type { Reader, VerifyConnection } from './reader.ts';
import { reservedMoneyHasAPayment } from './reserved-money.ts';
import { seenPaymentsExist } from './seen-payments-exist.ts';
import type { IsWorkflowOpen } from './temporal-probe.ts';
import { verifyChains, type ChainSetups } from './verify-chains.ts';
import { combine, judged, skipped, type Findings, type Verdict } from './verdict.ts';

export interface VerifyDeps {
  readonly connection: VerifyConnection;
  /** JSON lines of what clients saw; null leaves I1 unchecked. */
  readonly clientLog: string | null;
  /** Null leaves half of I10 unchecked. */
  readonly isWorkflowOpen: IsWorkflowOpen | null;
  /** How long an accepted payment may be without a workflow. */
  readonly startGraceSeconds: number;
  /** What decisions of operators are signed with; without it their signatures stay unchecked. */
  readonly operatorKeys?: OperatorKeys | null;
  /** What is known of the audit log's seals outside the database. */
  readonly seals?: SealEvidence;
  /** The networks whose chains are looked at; null leaves I19 to I22 unchecked. */
  readonly chains: ChainSetups | null;
}

const SIGNED = 'what two operators decided is signed by both';
const SEALED = 'the audit log is as it was sealed';
const NO_EVIDENCE: SealEvidence = { peppers: null, kept: null };

/** Looks at every invariant that can be looked at from outside, and says so of every other one. */
export async function verify(deps: VerifyDeps): Promise<readonly Verdict[]> {
  const acknowledged = await judgeAcknowledged(deps);
  const { operatorKeys: keys = null, seals = NO_EVIDENCE } = deps;
  const looked = await deps.connection.snapshot((reader) => lookAtDatabase(reader, seals));
  const signed =
    keys === null
      ? skipped('SIGNED', SIGNED, 'needs OPERATOR_KEYS_FILE')
      : judged('SIGNED', SIGNED, await decisionsAreSigned(deps.connection, keys));
  const onChain = await verifyChains(deps.connection, deps.chains);
  const inBackground = await judgeUnfinished(deps, looked.reserved);
  return [
    acknowledged,
    skipped('I2', 'the bank moved money at most once', "needs the bank's own journal"),
    skipped('I3', "final status is the bank's truth", "needs the bank's own journal"),
    judged('I4', 'ledger sums to zero', looked.ledger),
    judged('I5', 'balances equal their entries', looked.balances),
    judged('I6', 'one payment per idempotency key', looked.keys),
    judged('I7', 'only legal moves, no gaps', looked.moves),
    judged('I8', 'one event per version', looked.events),
    skipped('I9', 'every event is delivered or listed', "needs the receivers' own logs"),
    inBackground,
    skipped('I11', 'nothing personal in the clear', 'needs planted names and all outputs'),
    skipped('I12', 'nothing is visible across scopes', 'needs the running service'),
    skipped('I13', 'reconciliation finds what is there', 'needs planted anomalies'),
    skipped('I14', 'memory, connections, backlog stay bounded', 'needs the running service'),
    judged('I15', 'no live address or forced outcome without two operators', looked.approved),
    judged('I16', 'a code opens one session', looked.codes),
    judged('I17', 'each mail is sent or listed', looked.mails),
    judged('I18', 'each act of a person is audited', looked.acts),
    ...onChain,
    judged('I23', 'a deposit that is paid on has one payment, or a reason', looked.paidOn),
    signed,
    judgeSeals(looked.sealed, seals),
    judged('FX', 'position in currencies follows quotes and cover trades', looked.position),
  ];
}

interface Looked {
  readonly ledger: Findings;
  readonly balances: Findings;
  readonly keys: Findings;
  readonly moves: Findings;
  readonly events: Findings;
  readonly reserved: Findings;
  readonly position: Findings;
  readonly approved: Findings;
  readonly codes: Findings;
  readonly mails: Findings;
  readonly acts: Findings;
  readonly paidOn: Findings;
  readonly sealed: Findings | null;
}

async function lookAtDatabase(reader: Reader, seals: SealEvidence): Promise<Looked> {
  return {
    ledger: await ledgerSumsToZero(reader),
    balances: await balancesMatchEntries(reader),
    keys: await onePaymentAKey(reader),
    moves: combine(await legalPaymentMoves(reader), await legalKycMoves(reader)),
    events: await oneEventAVersion(reader),
    reserved: await reservedMoneyHasAPayment(reader),
    position: await positionFollowsQuotes(reader),
    approved: combine(
      await liveAddressesAreApproved(reader),
      await forcedOutcomesAreApproved(reader),
    ),
    codes: await codesAreUsedOnce(reader),
    mails: await mailsEnd(reader),
    acts: await actsAreAudited(reader),
    paidOn: await depositsArePaidOn(reader),
    sealed: await auditIsSealed(reader, seals),
  };
}

function judgeSeals(findings: Findings | null, { peppers }: SealEvidence): Verdict {
  if (findings === null)
    return skipped('SEALED', SEALED, 'no row is sealed yet, which a worker does');
  if (peppers !== null || findings.violations > 0) return judged('SEALED', SEALED, findings);
  const half = `the hashes match (${findings.checked} checked)`;
  return skipped('SEALED', SEALED, `needs PEPPER for the MACs of seals; ${half}`);
}

async function judgeAcknowledged(deps: VerifyDeps): Promise<Verdict> {
  const name = 'acknowledged payments exist';
  if (deps.clientLog === null) return skipped('I1', name, 'needs --client-log');
  const findings = await seenPaymentsExist(deps.connection, deps.clientLog);
  return findings.checked === 0
    ? skipped('I1', name, 'the client log holds no 2xx answer about a payment')
    : judged('I1', name, findings);
}

async function judgeUnfinished(deps: VerifyDeps, reserved: Findings): Promise<Verdict> {
  const name = 'unfinished payments have a workflow, reserved money a payment';
  if (deps.isWorkflowOpen !== null) {
    const workflows = await unfinishedPaymentsHaveAWorkflow(
      deps.connection,
      deps.isWorkflowOpen,
      deps.startGraceSeconds,
    );
    return judged('I10', name, combine(workflows, reserved));
  }
  // A violation on the money's side is one, whatever the other side would say.
  if (reserved.violations > 0) return judged('I10', name, reserved);
  const half = `reserved money has its payments (${reserved.checked} checked)`;
  return skipped('I10', name, `needs --temporal-address for the workflows; ${half}`);
}
