import { setTimeout as pause } from 'node:timers/promises';
import { openApiClient } from '../engine/api-client.ts';
import { startEngine } from '../engine/engine.ts';
import type { Figure } from '../figure.ts';
import { createEvents, EVENT_TYPE } from '../load/create-events.ts';
import { subscribe } from '../load/payer.ts';
import { untilAnnounced } from '../load/until-announced.ts';
import { startBank } from '../peers/bank.ts';
import { startReceiver } from '../peers/receiver.ts';
import type { RunScope } from '../scope.ts';
import { median } from '../statistics.ts';
import type { RunOptions } from './run-options.ts';
import { DRAIN_END_MS, measureRound } from './webhook-round.ts';

/**
 * Events to one endpoint against plain clients that post the same requests to the same receiver, as many
 * at a time. The two take turns; every figure is the median of the rounds.
 */
export async function measureWebhooks(scope: RunScope, options: RunOptions): Promise<Figure[]> {
  const { rounds, say, warmUp } = options;
  if (options.roles !== 'split')
    throw new Error('webhooks needs --roles split: it stops the worker');
  const bank = await startBank(scope);
  const receiver = await startReceiver(scope);
  say('starting the engine');
  const settings = { bankUrl: bank.url, roles: options.roles };
  const engine = await startEngine(scope, options.folder, settings);
  const { apiUrl, testApiKey } = engine.state;
  const clients = Array.from({ length: options.clients }, () => {
    const api = openApiClient(apiUrl, testApiKey);
    scope.defer(() => api.close());
    return api;
  });
  const [first] = clients;
  const url = `${receiver.url}/webhooks`;
  if (first !== undefined) await subscribe(first, url, [EVENT_TYPE]);
  say('warming up');
  await createEvents(clients, warmUp, scope.signal);
  await untilAnnounced(receiver, EVENT_TYPE, warmUp, scope.signal);
  await pause(DRAIN_END_MS);
  await receiver.forget();

  const figures: (readonly Figure[])[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const sayOf = (line: string) => {
      say(`round ${String(round)}: ${line}`);
    };
    const parts = { engine, receiver, clients, url };
    figures.push(await measureRound(scope, parts, { ...options, say: sayOf }));
  }
  return medians(figures);
}

/** Each figure of the first round with the median of all rounds. */
function medians(rounds: readonly (readonly Figure[])[]): Figure[] {
  return (rounds[0] ?? []).map((one, nth) => ({
    ...one,
    value: median(rounds.map((round) => round[nth]?.value ?? NaN)),
  }));
}
