import { setTimeout as pause } from 'node:timers/promises';
import type { Operation } from './api-document.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import type { Finding } from './judge-answer.ts';
import { jsonOf, type Sender } from './send-request.ts';
import { withNewKey } from './shrink.ts';

/** Everything that a refused request must leave as it is: each thing's version, balances, rows. */
export type Traces = Readonly<Record<string, string>>;

const QUIET_LOOKS_MAX = 60;
/** What was under way may move something between two looks; the same request does so again only by itself. */
const SUSPECT_LOOKS = 3;

/** Looks at all lists of an API that take no parameter, and at the database's counts where there are any. */
export function createTraceReader(
  operations: readonly Operation[],
  sender: Sender,
  countRows: (() => Promise<Traces>) | null,
): () => Promise<Traces> {
  const lists = operations.filter(
    ({ method, path, parameters, isPublic }) =>
      method === 'GET' &&
      !isPublic &&
      !path.includes('{') &&
      parameters.some(({ name }) => name === 'limit') &&
      parameters.every(({ required = false }) => !required),
  );
  return async () => {
    const traces: Record<string, string> = { ...(await countRows?.()) };
    for (const operation of lists) {
      const answer = await sender.send(listing(operation));
      const { data = [] } = (jsonOf(answer) ?? {}) as { data?: Record<string, unknown>[] };
      for (const [nth, item] of data.entries()) {
        const { id, version } = item;
        const isVersioned = typeof id === 'string' && version !== undefined;
        const name = typeof id === 'string' ? id : String(nth);
        traces[`${operation.id} ${name}`] = JSON.stringify(isVersioned ? version : item);
      }
    }
    return traces;
  };
}

const listing = ({ id, method, path }: Operation): FuzzRequest => {
  return {
    ...{ operationId: id, method, path, pathValues: {}, isEncoded: false },
    query: [['limit', '100']],
    ...{ headers: {}, authorization: 'OWN', body: null, broken: null, isForbidden: false },
  };
};

/** What is in one and not, or otherwise, in the other. */
const differences = (before: Traces, after: Traces): string[] =>
  Object.entries(after).flatMap(([name, value]) =>
    before[name] === value ? [] : [`${name}: ${before[name] ?? 'not there'} -> ${value}`],
  );

export interface TraceOutcome {
  /** Requests that were sent again and refused again. */
  readonly checked: number;
  readonly findings: readonly (Finding & { readonly request: FuzzRequest })[];
  /** Why nothing can be said; null where it can. */
  readonly unsaid: string | null;
}

/**
 * Sends refused requests again, with nothing else under way, and looks whether anything changed. A request that
 * is accepted by now (the state is another one) says nothing and is left out.
 */
export async function expectNoTraces(
  refused: readonly FuzzRequest[],
  sender: Sender,
  read: () => Promise<Traces>,
  lookEveryMs: number,
): Promise<TraceOutcome> {
  let checked = 0;
  const findings: (Finding & { request: FuzzRequest })[] = [];

  /** The traces once two looks see the same; null where something moves all the time. */
  async function quiet(): Promise<Traces | null> {
    let before = await read();
    for (let looks = 0; looks < QUIET_LOOKS_MAX; looks += 1) {
      await pause(lookEveryMs);
      const now = await read();
      if (differences(before, now).length === 0) return now;
      before = now;
    }
    return null;
  }

  /** Whether these requests, all refused, change something; null where that cannot be said. */
  async function look(requests: readonly FuzzRequest[]): Promise<string[] | null> {
    const before = await quiet();
    if (before === null) return null;
    let isAccepted = false;
    for (const request of requests) {
      const { status } = await sender.send(withNewKey(request));
      isAccepted ||= status < 400;
    }
    return isAccepted ? null : differences(before, await read());
  }

  async function narrow(requests: readonly FuzzRequest[]): Promise<void> {
    const [first] = requests;
    const isKnown = ({ operationId }: FuzzRequest) =>
      findings.some(({ request }) => request.operationId === operationId);
    if (first === undefined || requests.every(isKnown)) return;
    if (requests.length > 1) {
      const found = await look(requests);
      if (found?.length === 0) {
        checked += requests.length;
        return;
      }
      const half = Math.ceil(requests.length / 2);
      await narrow(requests.slice(0, half));
      await narrow(requests.slice(half));
      return;
    }
    for (let looks = 1; ; looks += 1) {
      const found = await look(requests);
      if (found === null) return;
      if (found.length === 0) break;
      if (looks < SUSPECT_LOOKS) continue;
      const what = `${first.operationId}: a refused request left a trace`;
      findings.push({ what, details: found.slice(0, 10).join('\n'), request: first });
      return;
    }
    checked += 1;
  }

  if (refused.length === 0) return { checked, findings, unsaid: null };
  if ((await quiet()) === null) {
    const seconds = (QUIET_LOOKS_MAX * lookEveryMs) / 1_000;
    return { checked, findings, unsaid: `something moved all the time, for ${String(seconds)} s` };
  }
  const still: FuzzRequest[] = [];
  for (const request of refused) {
    const { status } = await sender.send(withNewKey(request));
    if (status >= 400) still.push(request);
  }
  await narrow(still);
  return { checked, findings, unsaid: null };
}
