import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';

import { createHttpSource, type HttpSourceOptions } from '../../../src/adapters/fx/http-source.ts';
import { ecbSample } from '../../support/payments/ecb-sample.ts';

const createEcbSource = (options: HttpSourceOptions) => createHttpSource('ecb', options);

let server: Server | undefined;

async function serve(listener: RequestListener): Promise<string> {
  const started = createServer(listener);
  server = started;
  await new Promise<void>((resolve) => {
    started.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${String((started.address() as AddressInfo).port)}/daily.xml`;
}

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

describe('a source over HTTP', () => {
  it('fetches the daily rates', async () => {
    const url = await serve((_request, response) => {
      response.setHeader('content-type', 'text/xml').end(ecbSample);
    });
    const legs = await createEcbSource({ url }).fetch();
    expect(legs.map(({ quote }) => quote)).toEqual(['USD', 'JPY', 'GBP', 'ISK', 'IDR']);
  });

  it('does not follow a redirect to somewhere else', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/daily.xml') response.writeHead(302, { location: '/other' }).end();
      else response.end(ecbSample);
    });
    await expect(createEcbSource({ url }).fetch()).rejects.toThrow('answered HTTP 302');
  });

  it('stops reading an endless answer at its limit', async () => {
    const url = await serve((_request, response) => {
      const drip = (): void => {
        while (!response.destroyed && response.write(' '.repeat(65_536)));
      };
      response.on('drain', drip);
      drip();
    });
    await expect(createEcbSource({ url }).fetch()).rejects.toThrow('over 1048576 bytes');
  });

  it('gives up on a source that stops in the middle', async () => {
    const url = await serve((_request, response) => {
      response.write(ecbSample.slice(0, 100));
    });
    await expect(createEcbSource({ url, timeoutMs: 50 }).fetch()).rejects.toThrow('within 50 ms');
  });

  it('says so when no server listens', async () => {
    const url = await serve(() => undefined);
    await new Promise((resolve) => server?.close(resolve));
    await expect(createEcbSource({ url }).fetch()).rejects.toThrow('not reachable');
  });

  it('refuses bytes that are no UTF-8', async () => {
    const url = await serve((_request, response) => {
      response.end(Buffer.from([0x3c, 0xff, 0xfe]));
    });
    await expect(createEcbSource({ url }).fetch()).rejects.toThrow('not UTF-8');
  });
});
