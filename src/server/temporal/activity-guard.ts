import type { Context } from '@temporalio/activity';
import { CancelledFailure, defaultPayloadConverter, type Headers } from '@temporalio/common';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { toTemporalFailure } from '../../../activities/failures.ts';
import { STARTED_FOR } from '../../domain/workflows/started-for.ts';

/** One run of an activity, for the log. */
interface ActivityRun {
  readonly activity: string;
  readonly workflowId: string;
  /** What its workflow was started for; undefined where nothing was noted. */
  readonly requestId: string | undefined;
  readonly ms: number;
}

/** Who hears of runs of activities. */
export interface ActivityWitness {
  /** One has ended well, in a workflow that was started for something. */
  readonly onDone: (run: ActivityRun) => void;
  readonly onFailure: (run: ActivityRun & { readonly error: unknown }) => void;
}

/**
 * Around every activity: what it throws leaves as one of our failure codes, the rest goes to the
 * log; and where a heartbeat is expected, the process's life is one, so that a killed worker is
 * noticed after seconds although the activity's own time limit is generous.
 */
export function createActivityGuard(
  context: Context,
  { onDone, onFailure }: ActivityWitness,
): ActivityInboundCallsInterceptor {
  return {
    async execute(input, next) {
      const { heartbeatTimeoutMs, activityType } = context.info;
      const beat =
        heartbeatTimeoutMs === undefined || heartbeatTimeoutMs === 0
          ? undefined
          : setInterval(() => {
              context.heartbeat();
            }, heartbeatTimeoutMs / 4);
      const requestId = readStartedFor(input.headers);
      const beganAt = performance.now();
      const run = (): ActivityRun => ({
        activity: activityType,
        workflowId: context.info.workflowExecution?.workflowId ?? 'none',
        requestId,
        ms: Math.round(performance.now() - beganAt),
      });
      try {
        const result = await next(input);
        if (requestId !== undefined) onDone(run());
        return result;
      } catch (error) {
        if (error instanceof CancelledFailure) throw error;
        onFailure({ ...run(), error });
        throw toTemporalFailure(error);
      } finally {
        clearInterval(beat);
      }
    },
  };
}

function readStartedFor(headers: Headers): string | undefined {
  const payload = headers[STARTED_FOR];
  if (payload === undefined) return undefined;
  const value: unknown = defaultPayloadConverter.fromPayload(payload);
  return typeof value === 'string' ? value : undefined;
}
