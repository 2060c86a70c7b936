import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ApiClient } from '../engine/api-client.ts';
import type { Engine } from '../engine/engine.ts';
import { figure, type Figure } from '../figure.ts';
import { createEvents, EVENT_TYPE } from '../load/create-events.ts';
import { untilAnnounced, untilCounted } from '../load/until-announced.ts';
import { measurePlainPosts, type PlainClient } from '../peers/plain-poster.ts';
import type { BenchReceiver } from '../peers/receiver.ts';
import { engineParts } from '../processes/engine-parts.ts';
import { readUsage } from '../processes/usage.ts';
import type { RunScope } from '../scope.ts';
import { countHistoryEvents } from './history.ts';
import type { RunOptions } from './run-options.ts';

/** What the engine sends to one endpoint at a time (docs/explanation/architecture.md, "The webhook wake"). */
const CONCURRENCY = 8;
/** A drain that is under way lingers for a second. */
export const DRAIN_END_MS = 3_000;
const PLAIN_CLIENTS: readonly PlainClient[] = ['undici', 'fetch'];

export interface RoundParts {
  readonly engine: Engine;
  /** It has nothing in memory yet. */
  readonly receiver: BenchReceiver;
  readonly clients: readonly ApiClient[];
  readonly url: string;
}

/** Events are made while the worker is stopped, then it goes on; then plain clients post what came. */
export async function measureRound(
  scope: RunScope,
  { engine, receiver, clients, url }: RoundParts,
  { events, say, warmUp }: Pick<RunOptions, 'events' | 'say' | 'warmUp'>,
): Promise<Figure[]> {
  const countHistory = () => countHistoryEvents(engine.state.temporalAddress, 'webhookEndpoint');
  const historyBefore = await countHistory();
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
  const delivered = ((events - 1) / tookMs) * 1_000;
  const usage = before.map(({ name, cpuMs }, nth) => ({
    name,
    perEventMs: ((after[nth]?.cpuMs ?? NaN) - cpuMs) / events,
  }));
  const file = join(engine.dataDir, 'webhook-requests');
  await receiver.keepRequests(file);
  await pause(DRAIN_END_MS);
  const history = (await countHistory()) - historyBefore;
  await receiver.forget();

  const plain: Figure[] = [];
  for (const client of PLAIN_CLIENTS) {
    say(`posting the same by ${client}`);
    const order = { client, url, file, concurrency: CONCURRENCY, warmUp };
    const done = await measurePlainPosts(scope, order);
    const posted = (done.requests / done.tookMs) * 1_000;
    await receiver.forget();
    plain.push(
      figure.rate(client, `requests of plain ${client}`, posted),
      figure.ratio(`delivered/${client}`, `delivered / plain ${client}`, delivered / posted),
      figure.cpu(`cpu-${client}`, `CPU per request, plain ${client}`, done.cpuMs / done.requests),
    );
  }
  return [
    figure.count('events', 'events', events),
    figure.count('repeated', 'requests that came twice', times.length - events),
    figure.count('history', 'Temporal history events, all runs', history),
    figure.rate('delivered', 'events delivered', delivered),
    ...plain,
    ...usage.map(({ name, perEventMs }) =>
      figure.cpu(`cpu-${name}`, `CPU per event, ${name}`, perEventMs),
    ),
    figure.cpu(
      'cpu-all',
      'CPU per event, all processes',
      usage.reduce((sum, { perEventMs }) => sum + perEventMs, 0),
    ),
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
