import { figure, type Figure } from '../figure.ts';
import { measureBareTemporal } from '../peers/bare-temporal.ts';
import type { RunScope } from '../scope.ts';
import { cpuFigures, latencyFigures, memoryFigures, rateFigures } from './load-figures.ts';
import { assertCompleted, openPayoutStage, runPayouts } from './payout-run.ts';
import type { RunOptions } from './run-options.ts';

/** Bare workflows before the measured ones. */
const BARE_WARM_UP = 200;

/**
 * Payouts from the POST to the partner's webhook, against bare workflows on the same Temporal server
 * in the same run.
 */
export async function measureSettle(scope: RunScope, options: RunOptions): Promise<Figure[]> {
  const stage = await openPayoutStage(scope, options);
  const load = await runPayouts(scope, stage, options);
  await assertCompleted(stage);
  options.say('running bare workflows');
  const { workflows, tookMs, cpuMs } = await measureBareTemporal(scope, {
    address: stage.engine.state.temporalAddress,
    inFlight: options.clients,
    seconds: options.yardstickSeconds,
    warmUp: BARE_WARM_UP,
  });
  const { accepted, settled, announced } = rateFigures(load);
  const bare = figure.rate('bare', 'bare workflows', (workflows / tookMs) * 1_000);
  return [
    figure.count('payments', 'payments', load.accepted.length),
    ...[accepted, settled, announced, bare],
    figure.ratio('settled/bare', 'settled / bare workflows', settled.value / bare.value),
    ...latencyFigures(load),
    ...cpuFigures(load),
    figure.cpu('cpu-bare', 'CPU per bare workflow, client and worker', cpuMs / workflows),
    ...memoryFigures(load),
  ];
}
