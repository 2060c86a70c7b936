import { createTwoOperators } from '../../two-operators.ts';
import { createOpsCommands } from '../../cli/ops/ops-commands.ts';
import { decide, type Decisions } from './operators.ts';
import type { Told } from './told.ts';
import { createPartner } from './partner.ts';
import { planDeposits, remittanceOf, type DepositPlan } from './deposit-plan.ts';
import { readReferences } from './payers.ts';
import { planOrders, type Span } from './order-plan.ts';
import { openWorld, STARTS_AT, type World } from './world.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Days after the last order in which everything comes to its end. */
const QUIET_DAYS = 10;

export interface Simulated {
  readonly world: World;
  readonly told: readonly Told[];
  readonly deposits: readonly DepositPlan[];
  readonly decisions: Decisions;
}

/** Days of orders and whatever comes of them. The caller closes the world. */
export async function simulate(seed: number, size: Omit<Span, 'payers'>): Promise<Simulated> {
  const span = { ...size, payers: 2 };
  const plans = planOrders(seed, span);
  const world = await openWorld(seed, plans);
  const { agenda, harness, workflows } = world;
  const partner = createPartner(world, ({ plan, payer }, paymentId) => {
    const { startDelayMs: delayMs, isWorkedTwice } = plan;
    workflows.start({ ...payer.scope, paymentId }, { delayMs, isWorkedTwice });
  });
  for (const plan of plans) {
    agenda.at(STARTS_AT.getTime() + plan.atMs, () => partner.follow(plan));
  }
  const deposits = planDeposits(seed, span);
  const referenceOf = await readReferences(harness, world.payers);
  for (const plan of deposits) {
    const { payer, to, minor, isBookedTwice: isShownTwice } = plan;
    const remittance = remittanceOf(plan, (currency) => referenceOf(payer, currency));
    agenda.at(STARTS_AT.getTime() + plan.atMs, async () => {
      world.journal.receive({ currency: to.currency, minor, remittance, isShownTwice });
    });
  }
  for (let day = 0; day < size.days + QUIET_DAYS; day += 1) {
    await world.refreshRates(day);
    if (day === 1) await harness.database.analyze();
    const midnight = STARTS_AT.getTime() + (day + 1) * DAY_MS;
    // Beside whatever else is due then: statements are read while payments move.
    agenda.at(midnight - 60_000, world.closeBankDay);
    for (let hour = 0; hour < 24; hour += 6) {
      agenda.at(midnight - hour * HOUR_MS, world.finalise);
    }
    await agenda.runUntil(midnight);
  }
  const { people } = harness.database;
  const decisions = await decide(
    createOpsCommands(people, world.clock),
    createTwoOperators(people, world.clock),
    world.payers,
  );
  return { world, told: partner.all, deposits, decisions };
}
