import type { Context } from '@temporalio/activity';
import { CancelledFailure } from '@temporalio/common';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { toTemporalFailure } from '../../activities/failures.ts';

/**
 * Around every activity: what it throws leaves as one of our failure codes, the rest goes to the
 * log; and where a heartbeat is expected, the process's life is one, so that a killed worker is
 * noticed after seconds although the activity's own time limit is generous.
 */
export function createActivityGuard(
  context: Context,
  onFailure: (failure: { activity: string; error: unknown }) => void,
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
      try {
        return await next(input);
      } catch (error) {
        if (error instanceof CancelledFailure) throw error;
        onFailure({ activity: activityType, error });
        throw toTemporalFailure(error);
      } finally {
        clearInterval(beat);
      }
    },
  };
}
