import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScreeningSubject } from '../../../src/domain/parties/screening/screening-provider.ts';
import { createHttpScreening } from '../../../src/adapters/screening/http-screening.ts';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

let answer: Answer = () => undefined;
const asked: { method: string; path: string; body: string }[] = [];
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { method = '', url: path = '' } = request;
    asked.push({ method, path, body: Buffer.concat(chunks).toString() });
    answer(response, request);
  });
});
let url = '';
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const SUBJECT: ScreeningSubject = {
  ...{ reference: 'eu_1/0', kind: 'PERSON', names: ['Ada Secretname'] },
  dateOfBirth: '1990-01-01',
};
const open = (timeoutMs = 2_000) => createHttpScreening({ url, maxAgeMs: 1, timeoutMs });
const screen = (timeoutMs?: number) => open(timeoutMs).screen([SUBJECT]);
const says =
  (body: unknown, status = 200): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
const HIT = { reference: 'eu_1/0', entryId: 'list-1', score: 97, name: 'Ada Sekretname' };

it('asks and answers as docs/how-to/connect-a-kyc-provider.md says', async () => {
  answer = says({ listVersion: 'v1', hits: [HIT] });
  expect(await screen()).toEqual({ listVersion: 'v1', hits: [HIT] });
  expect(asked.at(-1)).toEqual({
    ...{ method: 'POST', path: '/screenings' },
    body: JSON.stringify({ subjects: [SUBJECT] }),
  });
  answer = says({ version: 'v2' });
  expect(await open().listVersion()).toBe('v2');
  expect(asked.at(-1)).toMatchObject({ method: 'GET', path: '/list' });
});

describe('an answer that is not as agreed clears no party', () => {
  it.each<[string, Answer, string]>([
    ['hangs', () => undefined, 'SCREENING_UNREACHABLE'],
    ['resets', (response) => response.destroy(), 'SCREENING_UNREACHABLE'],
    ['fails', says('', 500), 'SCREENING_FAILED'],
    ['refuses', says('', 401), 'SCREENING_REFUSED'],
    ['has accepted only', says({ listVersion: 'v1', hits: [] }, 202), 'SCREENING_REFUSED'],
    ['is garbage', says('<html>'), 'SCREENING_GARBLED'],
    ['is too large', says('x'.repeat(300_000)), 'SCREENING_GARBLED'],
    ['has no version', says({ hits: [] }), 'SCREENING_GARBLED'],
    ['has no hits', says({ listVersion: 'v1' }), 'SCREENING_GARBLED'],
    [
      'is about another party',
      says({ listVersion: 'v1', hits: [{ ...HIT, reference: 'eu_2/0' }] }),
      'SCREENING_GARBLED',
    ],
    [
      'has a score beyond all',
      says({ listVersion: 'v1', hits: [{ ...HIT, score: 101 }] }),
      'SCREENING_GARBLED',
    ],
    [
      'has too many hits',
      says({ listVersion: 'v1', hits: Array.from({ length: 1_001 }, () => HIT) }),
      'SCREENING_GARBLED',
    ],
  ])('where the provider %s', async (_what, given, code) => {
    answer = given;
    const failure: unknown = await screen(300).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'ScreeningError', code, message: code });
    expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toContain(
      'Secretname',
    );
  });

  it('where it redirects: the names go nowhere else', async () => {
    answer = (response) => {
      response.writeHead(307, { location: `${url}/elsewhere` });
      response.end();
    };
    const count = asked.length;
    await expect(screen()).rejects.toMatchObject({ code: 'SCREENING_REFUSED' });
    expect(asked).toHaveLength(count + 1);
  });
});
