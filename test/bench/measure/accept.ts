import { figure, type Figure } from '../figure.ts';
import { measureDirectAccept } from '../peers/direct-accept.ts';
import type { RunScope } from '../scope.ts';
import { cpuFigures, latencyFigures, rateFigures } from './load-figures.ts';
import { assertCompleted, openPayoutStage, runPayouts } from './payout-run.ts';
import type { RunOptions } from './run-options.ts';

/**
 * Payments accepted over HTTP, while the engine settles them beside it, against the use case called
 * directly on the same PostgreSQL server once the engine has nothing left to do.
 */
export async function measureAccept(scope: RunScope, options: RunOptions): Promise<Figure[]> {
  const { clients, customers, warmUp, yardstickSeconds } = options;
  const stage = await openPayoutStage(scope, options);
  const load = await runPayouts(scope, stage, options);
  await assertCompleted(stage);
  options.say('calling the use case directly');
  const { payments, tookMs, cpuMs } = await measureDirectAccept(scope, {
    serverUrl: stage.engine.state.databaseUrl,
    ...{ clients, customers, warmUp, seconds: yardstickSeconds },
  });
  const { accepted } = rateFigures(load);
  const direct = figure.rate('direct', 'accepted by the use case alone', (payments / tookMs) * 1e3);
  return [
    figure.count('payments', 'payments', load.accepted.length),
    ...[accepted, direct],
    figure.ratio('accepted/direct', 'accepted / use case alone', accepted.value / direct.value),
    ...latencyFigures(load).filter(({ key }) => key.startsWith('answer-')),
    figure.cpu('cpu-direct', 'CPU per payment of the use case alone', cpuMs / payments),
    ...cpuFigures(load),
  ];
}
