import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Causeway, type CausewayOptions } from 'causeway/client';

/** Plainly made up, and found nowhere else: any trace of it is a leak. */
export const TEST_KEY = 'cw_test_SampleSample_PlantedSecretOfAKey';
export const LIVE_KEY = 'cw_live_SampleSample_PlantedSecretOfAKey';

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What the server does with one request: an answer, or anything else with its socket. */
export type Act = (response: ServerResponse) => void;

export const answer =
  (status: number, body: unknown = {}, headers: Record<string, string> = {}): Act =>
  (response) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
  };

export const refuse = (status: number, error: string, headers: Record<string, string> = {}): Act =>
  answer(status, { error, message: 'Of a test.', details: [], requestId: 'req_sample' }, headers);

/** Takes the request and breaks the connection. */
export const hangUp: Act = (response) => {
  response.socket?.destroy();
};

/** Takes the request and says nothing. */
export const fallSilent: Act = () => undefined;

/**
 * A server that does one act for each request, and the last one for all that follow; with a client of
 * it whose waits take no time and are written down.
 */
export async function startScriptedApi(
  acts: readonly Act[],
  options: Partial<CausewayOptions> = {},
) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const act = acts[Math.min(received.length, acts.length - 1)];
      received.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      act?.(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const waits: number[] = [];
  const clock = {
    now: () => Date.parse('2026-11-23T12:00:00Z'),
    wait: async (ms: number) => {
      waits.push(ms);
    },
  };
  const causeway = new Causeway({
    ...{ apiKey: TEST_KEY, baseUrl, clock, random: () => 0.5 },
    ...options,
  });
  return {
    ...{ baseUrl, causeway, received, waits },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Runs the work beside such a server. */
export async function besideApi<Made>(
  acts: readonly Act[],
  work: (api: Awaited<ReturnType<typeof startScriptedApi>>) => Promise<Made>,
  options: Partial<CausewayOptions> = {},
): Promise<Made> {
  const api = await startScriptedApi(acts, options);
  try {
    return await work(api);
  } finally {
    await api.close();
  }
}
