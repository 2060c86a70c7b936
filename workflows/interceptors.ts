import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import { workflowInfo, type WorkflowInterceptorsFactory } from '@temporalio/workflow';
import { STARTED_FOR } from '../src/domain/workflows/started-for.ts';

/**
 * Hands what the workflow was started for to its activities, whose log lines carry it. A header is no
 * command of its own, so histories from before replay.
 */
export const interceptors: WorkflowInterceptorsFactory = () => ({
  outbound: [
    {
      scheduleActivity: (input, next) => next({ ...input, headers: withStartedFor(input.headers) }),
      scheduleLocalActivity: (input, next) =>
        next({ ...input, headers: withStartedFor(input.headers) }),
    },
  ],
});

function withStartedFor(headers: Headers): Headers {
  const startedFor = workflowInfo().memo?.[STARTED_FOR];
  if (typeof startedFor !== 'string') return headers;
  return { ...headers, [STARTED_FOR]: defaultPayloadConverter.toPayload(startedFor) };
}
