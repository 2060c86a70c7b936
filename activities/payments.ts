import type { Database } from '../src/db/database.ts';
import type { Clock } from '../src/domain/clock.ts';
import { isSettledOrFinal, type PaymentStatus } from '../src/domain/payments/payment-states.ts';
import type { SettlementTiming } from '../src/domain/payments/settlement-timing.ts';
import type { Environment, Scope } from '../src/domain/scope.ts';
import {
  advancePayment,
  applyPaymentReports,
  type AdvanceDeps,
} from '../src/payments/advance-payment.ts';
import { holdForFault } from '../src/payments/hold-for-fault.ts';
import { recordAnswer } from '../src/payments/record-answer.ts';
import { retryPayment } from '../src/payments/resolve-payment.ts';
import type { Rail } from '../src/connectors/connector.ts';
import type { Vault } from '../src/vault/vault.ts';
import { ActivityError } from './failures.ts';
import { askBank, sendToBank } from './bank-calls.ts';
import type { PaymentActivities, PaymentRef, PaymentStep } from './types.ts';

/** How settlement works in one environment. */
export interface SettlementSide {
  readonly rail: Rail;
  readonly timing: SettlementTiming;
}

export interface PaymentActivityDeps {
  readonly db: Database;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly settlement: Readonly<Record<Environment, SettlementSide | null>>;
}

const scopeOf = (ref: PaymentRef): Scope => ({
  customerId: ref.customerId,
  environment: ref.environment,
});

export function createPaymentActivities(deps: PaymentActivityDeps): PaymentActivities {
  function sideOf(environment: Environment): SettlementSide {
    const side = deps.settlement[environment];
    // A live payment whose bank was taken out of the configuration waits for it to come back.
    if (side === null) throw new ActivityError('BANK_UNREACHABLE', { retryAfterMs: 30_000 });
    return side;
  }
  const advanceDeps = (side: SettlementSide): AdvanceDeps => ({
    db: deps.db,
    vault: deps.vault,
    clock: deps.clock,
    timing: side.timing,
    encode: (order) => side.rail.encode(order),
  });

  return {
    async settle(ref) {
      const side = sideOf(ref.environment);
      const scope = scopeOf(ref);
      const next = await advancePayment(advanceDeps(side), scope, ref.paymentId);
      if (next.kind === 'DONE' || next.kind === 'WAIT') return next;
      const { attempt } = next;
      const calledAt = deps.clock.now();
      const call = { ...deps, ...side };
      const answer = await (next.kind === 'SEND' ? sendToBank : askBank)(call, attempt);
      const step = await recordAnswer(
        { ...deps, timing: side.timing },
        scope,
        {
          paymentId: ref.paymentId,
          reference: attempt.reference,
          sends: attempt.sends,
          to: next.kind,
          calledAt,
        },
        answer,
      );
      // Nothing left the house: Temporal's own retry shows the outage, and costs no history.
      if (answer.kind === 'NOT_SENT') throw new ActivityError('BANK_UNREACHABLE');
      return step;
    },

    applyTransferReports(ref) {
      return applyPaymentReports(
        { ...deps, ...sideOf(ref.environment) },
        scopeOf(ref),
        ref.paymentId,
      );
    },

    async holdForFault(ref): Promise<PaymentStep> {
      const status = (await holdForFault(deps, scopeOf(ref), ref.paymentId)) as PaymentStatus;
      const waitMs = deps.settlement[ref.environment]?.timing.holdCheckMs ?? 3_600_000;
      return isSettledOrFinal(status)
        ? { kind: 'DONE', status }
        : { kind: 'WAIT', waitMs, needsHuman: true };
    },

    resolvePayment(ref) {
      return retryPayment(deps, scopeOf(ref), ref.paymentId, ref.resolution);
    },
  };
}
