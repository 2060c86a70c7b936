import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openApiClient } from '../engine/api-client.ts';
import { startEngine, type Engine } from '../engine/engine.ts';
import { figure, type Figure } from '../figure.ts';
import { createEvents, EVENT_TYPE } from '../load/create-events.ts';
import { subscribe } from '../load/payer.ts';
import { untilAnnounced, untilCounted } from '../load/until-announced.ts';
import { startBank } from '../peers/bank.ts';
import { measurePlainPosts } from '../peers/plain-poster.ts';
import { startReceiver } from '../peers/receiver.ts';
import { engineParts } from '../processes/engine-parts.ts';
import { readUsage } from '../processes/usage.ts';
import type { RunScope } from '../scope.ts';
import type { RunOptions } from './run-options.ts';

/** What the engine sends to one endpoint at a time (docs/architecture.md, "The webhook wake"). */
const CONCURRENCY = 8;
/** A drain that is under way lingers for a second. */
const DRAIN_END_MS = 3_000;

/**
 * Events to one endpoint: they are made while the worker is stopped, then it goes on. Against a client
 * that posts the same requests to the same receiver, as many at a time.
 */
export async function measureWebhooks(scope: RunScope, options: RunOptions): Promise<Figure[]> {
  const { events, say, warmUp } = options;
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

  say(`making ${String(events)} events while the worker is stopped`);
  const resume = stopWorker(scope, engine);
  await createEvents(clients, events, scope.signal);
  if ((await receiver.countRequests()) > 0) throw new Error('events came from a stopped worker');
  const parts = [...engineParts(engine.state), { name: 'receiver', pid: receiver.pid }];
  const before = readUsage(parts);
  resume();
  say('waiting until they are delivered');
  // Not looked into while it receives: that would be work of the bench in the measured process.
  const goal = { what: 'requests', wanted: events };
  await untilCounted(() => receiver.countRequests(), goal, scope.signal);
  const after = readUsage(parts);
  await untilAnnounced(receiver, EVENT_TYPE, events, scope.signal);
  const times = await receiver.arrivalTimes();
  const tookMs = Math.max(...times) - Math.min(...times);
  const file = join(engine.dataDir, 'webhook-requests');
  await receiver.keepRequests(file);
  await receiver.forget();

  say('posting the same by a plain client');
  const plain = await measurePlainPosts(scope, { url, file, concurrency: CONCURRENCY, warmUp });
  const delivered = figure.rate('delivered', 'events delivered', ((events - 1) / tookMs) * 1_000);
  const posted = figure.rate(
    'posted',
    'requests of a plain client',
    (plain.requests / plain.tookMs) * 1_000,
  );
  return [
    figure.count('events', 'events', events),
    figure.count('repeated', 'requests that came twice', times.length - events),
    ...[delivered, posted],
    figure.ratio('delivered/posted', 'delivered / plain client', delivered.value / posted.value),
    ...before.map(({ name, cpuMs }, nth) =>
      figure.cpu(
        `cpu-${name}`,
        `CPU per event, ${name}`,
        ((after[nth]?.cpuMs ?? NaN) - cpuMs) / events,
      ),
    ),
    figure.cpu('cpu-plain', 'CPU per request of the plain client', plain.cpuMs / plain.requests),
  ];
}

/** Stops the worker's process where it stands; what comes back lets it go on. */
function stopWorker(scope: RunScope, engine: Engine): () => void {
  const { worker } = engine.state.pids;
  if (typeof worker !== 'number') throw new Error('the worker does not run');
  let isStopped = true;
  const resume = () => {
    if (isStopped) process.kill(worker, 'SIGCONT');
    isStopped = false;
  };
  // A stopped process would not hear that it is to end.
  scope.defer(resume);
  process.kill(worker, 'SIGSTOP');
  return resume;
}
