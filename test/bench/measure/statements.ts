import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { figure, type Figure } from '../figure.ts';
import { AMOUNT, postPayments } from '../load/post-payments.ts';
import { untilAnnounced } from '../load/until-announced.ts';
import { measureParsing } from '../peers/parse-statement.ts';
import { statementChunks } from '../peers/statement-file.ts';
import { watchMemory } from '../processes/watch-memory.ts';
import type { RunScope } from '../scope.ts';
import { openPayoutStage } from './payout-run.ts';
import type { RunOptions } from './run-options.ts';

const MB = 1_048_576;
const EVENT_TYPE = 'payment.reconciled';

/**
 * One statement of many lines, whose last ones are payments of this run, from the moment in which the
 * engine fetches it until the last payment is announced as reconciled. Against the reader alone.
 */
export async function measureStatements(scope: RunScope, options: RunOptions): Promise<Figure[]> {
  const { lines, say } = options;
  const stage = await openPayoutStage(scope, options);
  const { bank, receiver, payers, engine } = stage;
  say('making the payments');
  const made = await postPayments(payers, options.end, scope.signal);
  const payments = made.length + options.warmUp;
  await untilAnnounced(receiver, 'payment.completed', payments, scope.signal);
  if (payments > lines) throw new Error(`--lines must be at least ${String(payments)}`);
  await receiver.forget();

  const { worker } = engine.state.pids;
  const memory = watchMemory(scope, worker ?? 0);
  say('reconciling the statement');
  await bank.publishStatement({ lines, amount: AMOUNT });
  await untilAnnounced(receiver, EVENT_TYPE, payments, scope.signal);
  const held = memory.stop();
  const { statementServedAtMs, references } = await bank.report();
  const { arrivals } = await receiver.arrivals();
  const times = arrivals.filter(({ type }) => type === EVENT_TYPE).map(({ atMs }) => atMs);
  const [firstMs, lastMs] = [Math.min(...times), Math.max(...times)];
  const tookMs = lastMs - (statementServedAtMs ?? NaN);

  say('parsing the same statement alone');
  const file = join(engine.dataDir, 'statement.xml');
  const text = Readable.from(statementChunks({ lines, amount: AMOUNT }, references));
  await pipeline(text, createWriteStream(file));
  const parsed = await measureParsing(scope, file);
  const reconciled = figure.rate('reconciled', 'lines reconciled', (lines / tookMs) * 1_000);
  const alone = figure.rate('parsed', 'lines parsed alone', (parsed.lines / parsed.tookMs) * 1_000);
  const applied = ((payments - 1) / (lastMs - firstMs)) * 1_000;
  return [
    figure.count('lines', 'lines', lines),
    figure.count('payments', 'of them payments', payments),
    ...[reconciled, alone],
    figure.ratio('reconciled/parsed', 'reconciled / parsed alone', reconciled.value / alone.value),
    figure.rate('applied', 'payments reconciled, first to last', applied),
    figure.memory('memory-start', 'memory of the worker, before', held.startBytes / MB),
    figure.memory('memory-peak', 'memory of the worker, peak', held.peakBytes / MB),
    figure.memory('memory-parsed', 'memory of parsing alone, peak', parsed.peakBytes / MB),
  ];
}
