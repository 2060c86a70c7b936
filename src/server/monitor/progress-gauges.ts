import type { StatementOrigins } from '../../db/operations/progress-store.ts';
import { shareAnswers } from '../../domain/share-answers.ts';
import { codeOf, type Resources } from '../runtime/resources.ts';
import { PROGRESS } from './metric-list.ts';
import type { GaugeValue } from './metrics.ts';
import { readProgress } from './read-progress.ts';

/** PostgreSQL is read at most so often, and only when a scrape asks. */
const READ_EVERY_MS = 15_000;
/** Shorter than the usual timeout of a scrape, 10 s: what the process counts is scraped all the same. */
const READ_TIMEOUT_MS = 5_000;

/** Brings the gauges that come from PostgreSQL up to date; leaves them out where it does not answer in time. */
export function createProgressGauges(
  { db, clock, log, metrics }: Pick<Resources, 'db' | 'clock' | 'log' | 'metrics'>,
  origins: readonly StatementOrigins[],
): () => Promise<void> {
  return shareAnswers(clock, READ_EVERY_MS, async () => {
    let values: readonly GaugeValue[] | null = null;
    try {
      values = await inTime(readProgress(db, origins, clock.now()));
    } catch (error) {
      log.warn({ code: codeOf(error) }, 'what waits could not be read for a scrape');
    }
    metrics.setGauges(
      [...PROGRESS, 'progressRead'],
      [...(values ?? []), { gauge: 'progressRead', labels: {}, value: values === null ? 0 : 1 }],
    );
  });
}

async function inTime<Answer>(work: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error('PostgreSQL took too long'));
    }, READ_TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
