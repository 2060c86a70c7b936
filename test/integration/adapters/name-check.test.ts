import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { NAME_CHECKS } from '../../../src/domain/parties/bank-accounts/name-check.ts';
import type { NameQuestion } from '../../../src/domain/parties/bank-accounts/name-check.ts';
import { createHttpNameCheck } from '../../../src/adapters/name-check/http-name-check.ts';
import { NameCheckError } from '../../../src/domain/parties/bank-accounts/name-check-provider.ts';
import type { NameCheckProvider } from '../../../src/domain/parties/bank-accounts/name-check-provider.ts';

const QUESTION: NameQuestion = {
  ...{ rail: 'FPS' as const, country: 'GB', currency: 'GBP' },
  ...{ holderType: 'INDIVIDUAL' as const, holderName: 'Ada Sample' },
  details: { sortCode: '123456', accountNumber: '12345678' },
};

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function providerThat(
  handler: RequestListener,
  timeoutMs = 5_000,
): Promise<NameCheckProvider> {
  const started = createServer(handler);
  server = started;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  const { port } = started.address() as AddressInfo;
  return createHttpNameCheck({ url: `http://127.0.0.1:${String(port)}`, timeoutMs });
}

/** Answers with what `answer` makes of the request's body. */
const answering = (status: number, answer: (body: Record<string, unknown>) => unknown) =>
  providerThat((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      const made = answer(JSON.parse(text) as Record<string, unknown>);
      response.writeHead(status, { location: '/name-checks' });
      response.end(typeof made === 'string' ? made : JSON.stringify(made));
    });
  });

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(NameCheckError);
  expect(String((error as Error).stack)).not.toContain('Ada');
  return (error as NameCheckError).code;
}

describe('a name check over HTTP', () => {
  it('asks with the canonical account and the name, under a reference of its own each time', async () => {
    const seen: Record<string, unknown>[] = [];
    const provider = await answering(200, (body) => {
      seen.push(body);
      return { reference: body['reference'], result: 'MATCH' };
    });
    expect([await provider.check(QUESTION), await provider.check(QUESTION)]).toEqual([
      'MATCH',
      'MATCH',
    ]);
    expect(seen).toMatchObject([QUESTION, QUESTION]);
    expect(seen[0]?.['reference']).not.toBe(seen[1]?.['reference']);
  });

  it.each(NAME_CHECKS)('takes the answer %s', async (result) => {
    const provider = await answering(200, ({ reference }) => ({ reference, result }));
    expect(await provider.check(QUESTION)).toBe(result);
  });

  it.each([
    ['an answer about another name', { reference: 'another', result: 'MATCH' }],
    ['no reference', { result: 'MATCH' }],
    ['no JSON', '<html>'],
    ['null', null],
    ['a list', []],
  ])('takes %s for no answer', async (_, answer) => {
    const provider = await answering(200, () => answer);
    expect(await failureOf(provider.check(QUESTION))).toBe('NAME_CHECK_GARBLED');
  });

  it('takes no result that it does not know', async () => {
    for (const result of ['match', 'OK', '', true, undefined]) {
      const provider = await answering(200, ({ reference }) => ({ reference, result }));
      expect(await failureOf(provider.check(QUESTION))).toBe('NAME_CHECK_GARBLED');
      server?.close();
    }
  });

  it.each([
    [500, 'NAME_CHECK_FAILED'],
    [503, 'NAME_CHECK_FAILED'],
    [404, 'NAME_CHECK_REFUSED'],
    [302, 'NAME_CHECK_REFUSED'],
    [201, 'NAME_CHECK_REFUSED'],
  ])('an answer of %i is %s, and no redirect is followed', async (status, code) => {
    let calls = 0;
    const provider = await answering(status, ({ reference }) => {
      calls += 1;
      return { reference, result: 'MATCH' };
    });
    expect(await failureOf(provider.check(QUESTION))).toBe(code);
    expect(calls).toBe(1);
  });

  it('gives up at an answer that never ends, without holding it', async () => {
    let isClosed = false;
    const provider = await providerThat((_, response) => {
      response.on('close', () => (isClosed = true));
      response.writeHead(200);
      const more = (): void => {
        if (!isClosed) response.write('x'.repeat(4096), () => setImmediate(more));
      };
      more();
    });
    expect(await failureOf(provider.check(QUESTION))).toBe('NAME_CHECK_GARBLED');
  });

  it('gives up when its time is over', async () => {
    const silent = await providerThat(() => undefined, 50);
    expect(await failureOf(silent.check(QUESTION))).toBe('NAME_CHECK_UNREACHABLE');
  });

  it('gives up where no server listens', async () => {
    const provider = createHttpNameCheck({ url: 'http://127.0.0.1:1', timeoutMs: 1_000 });
    expect(await failureOf(provider.check(QUESTION))).toBe('NAME_CHECK_UNREACHABLE');
  });
});
