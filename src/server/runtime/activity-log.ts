import type { Logger } from 'pino';
import type { ActivityWitness } from '../temporal/activity-guard.ts';
import { codeOf } from './resources.ts';

/** Writes down what activities did, with the id of the request that began it all. */
export function createActivityLog(log: Pick<Logger, 'info' | 'warn'>): ActivityWitness {
  return {
    onDone(run) {
      log.info(run, 'activity done');
    },
    onFailure({ error, ...run }) {
      log.warn({ ...run, code: codeOf(error), stack: stackOf(error) }, 'activity failed');
    },
  };
}

/** Where an error came from, without its message. */
const stackOf = (error: unknown): string | undefined =>
  error instanceof Error
    ? error.stack
        ?.split('\n')
        .filter((line) => /^\s+at /.test(line))
        .slice(0, 5)
        .join('\n')
    : undefined;
