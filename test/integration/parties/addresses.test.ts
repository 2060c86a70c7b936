import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type {
  AddressQuestion,
  LookUpReason,
} from '../../../src/domain/parties/screening/address-screening.ts';
import {
  isSameHit,
  judgeWalletScreening,
} from '../../../src/domain/parties/screening/wallet-verdict.ts';
import { createFileAddresses } from '../../../src/adapters/screening/file-addresses.ts';
import { createHttpAddresses } from '../../../src/adapters/screening/http-addresses.ts';
import { askSandboxAddresses } from '../../../src/adapters/screening/sandbox-addresses.ts';

const LISTED = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const OTHER = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';

const question = (more: Partial<AddressQuestion> = {}): AddressQuestion => ({
  ...{ network: 'BASE', address: LISTED, reason: 'REGISTRATION' },
  ...more,
});

describe('the addresses of the sandbox', () => {
  it.each([
    ['bad1', 'REGISTRATION', 'BLOCKED'],
    ['bad1', 'RELEASE', 'BLOCKED'],
    ['BaD1', 'REGISTRATION', 'BLOCKED'],
    ['bad2', 'REGISTRATION', 'CLEAR'],
    ['bad2', 'RELEASE', 'BLOCKED'],
    ['bad3', 'RELEASE', 'CLEAR'],
    ['0000', 'RELEASE', 'CLEAR'],
  ] as const)('that end with %s are at %s %s', async (end, reason, verdict) => {
    const address = `0x${'1'.repeat(36)}${end}`;
    expect(await askSandboxAddresses(question({ address, reason }))).toMatchObject({ verdict });
  });
});

describe('a file of addresses', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'addresses-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const path = () => join(folder, 'addresses.json');
  /** Beside and renamed, as the documentation asks for. */
  function put(content: unknown): void {
    writeFileSync(`${path()}.new`, typeof content === 'string' ? content : JSON.stringify(content));
    renameSync(`${path()}.new`, path());
  }
  const open = (onUnusable: (error: unknown) => void = () => undefined) =>
    createFileAddresses({ path: path(), onUnusable });

  it('blocks what it names, in whatever case, on the networks that it names', async () => {
    put({
      addresses: [
        { address: LISTED.toLowerCase(), verdict: 'REVIEW' },
        { address: LISTED, networks: ['BASE'], verdict: 'BLOCKED' },
      ],
    });
    const ask = open();
    const verdicts = await Promise.all([
      ask(question()),
      ask(question({ network: 'ETHEREUM' })),
      ask(question({ address: OTHER })),
    ]);
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(['BLOCKED', 'REVIEW', 'CLEAR']);
    expect(verdicts[0]?.listVersion).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('is read again when it has changed', async () => {
    put({ addresses: [{ address: LISTED, verdict: 'BLOCKED' }] });
    const ask = open();
    const before = await ask(question());
    put({ addresses: [{ address: OTHER, verdict: 'BLOCKED' }] });
    const after = await ask(question());
    expect([before.verdict, after.verdict]).toEqual(['BLOCKED', 'CLEAR']);
    expect(after.listVersion).not.toBe(before.listVersion);
  });

  it.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['an empty list', { addresses: [] }],
    ['what is no address', { addresses: [{ address: 'ada.eth', verdict: 'BLOCKED' }] }],
    [
      'a wrong checksum',
      { addresses: [{ address: LISTED.replace('5a', '5A'), verdict: 'REVIEW' }] },
    ],
    ['a verdict that clears', { addresses: [{ address: LISTED, verdict: 'CLEAR' }] }],
    ['another network', { addresses: [{ address: LISTED, networks: ['X'], verdict: 'REVIEW' }] }],
  ])(
    'of %s clears no address: at the start it ends it, later it is told once',
    async (_, content) => {
      put(content);
      expect(() => open()).toThrow();
      put({ addresses: [{ address: LISTED, verdict: 'BLOCKED' }] });
      const told: unknown[] = [];
      const ask = open((error) => told.push(error));
      put(content);
      for (let count = 0; count < 3; count += 1) {
        await expect(ask(question({ address: OTHER }))).rejects.toThrow('SCREENING_LIST_UNUSABLE');
      }
      expect(told).toHaveLength(1);
      put({ addresses: [{ address: LISTED, verdict: 'BLOCKED' }] });
      expect(await ask(question())).toMatchObject({ verdict: 'BLOCKED' });
    },
  );

  it('that is gone clears no address', async () => {
    put({ addresses: [{ address: LISTED, verdict: 'BLOCKED' }] });
    const ask = open();
    rmSync(path());
    await expect(ask(question({ address: OTHER }))).rejects.toThrow('SCREENING_LIST_UNUSABLE');
  });
});

describe('a provider of addresses', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.closeAllConnections();
  });

  async function serve(listener: RequestListener, timeoutMs = 5_000) {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve).unref();
    });
    const { port } = server.address() as AddressInfo;
    return createHttpAddresses({ url: `http://127.0.0.1:${String(port)}`, timeoutMs });
  }

  it('is asked with network, address and reason', async () => {
    const bodies: string[] = [];
    const ask = await serve((request, response) => {
      request.setEncoding('utf8').on('data', (text: string) => bodies.push(text));
      request.on('end', () => response.end('{"listVersion":"7","verdict":"REVIEW"}'));
    });
    expect(await ask(question())).toEqual({ listVersion: '7', verdict: 'REVIEW' });
    expect(JSON.parse(bodies.join(''))).toEqual(question());
  });

  it.each([
    [200, 'no json', 'SCREENING_GARBLED'],
    [200, '{"listVersion":"7","verdict":"FINE"}', 'SCREENING_GARBLED'],
    [200, '{"listVersion":"","verdict":"CLEAR"}', 'SCREENING_GARBLED'],
    [200, '{"verdict":"CLEAR"}', 'SCREENING_GARBLED'],
    [302, '{"listVersion":"7","verdict":"CLEAR"}', 'SCREENING_REFUSED'],
    [404, '{"listVersion":"7","verdict":"CLEAR"}', 'SCREENING_REFUSED'],
    [503, '{"listVersion":"7","verdict":"CLEAR"}', 'SCREENING_FAILED'],
  ])('that answers %i %s clears no address: %s', async (status, body, code) => {
    const ask = await serve((_request, response) => {
      response.writeHead(status, { location: '/' }).end(body);
    });
    await expect(ask(question())).rejects.toThrow(code);
  });

  it('that does not answer in time clears no address', async () => {
    const ask = await serve(() => undefined, 50);
    await expect(ask(question())).rejects.toThrow('SCREENING_UNREACHABLE');
  });
});

describe('a wallet before money leaves for it', () => {
  const DAY = 24 * 3_600_000;
  const now = new Date('2026-03-02T12:00:00.000Z');
  const ago = (ms: number) => new Date(now.getTime() - ms);

  it.each([
    [null, null, 'UNSCREENED'],
    ['CLEAR', ago(0), 'CLEARED'],
    ['CLEAR', ago(DAY - 1), 'CLEARED'],
    ['CLEAR', ago(DAY), 'UNSCREENED'],
    ['REVIEW', ago(0), 'HIT'],
    ['BLOCKED', ago(2 * DAY), 'HIT'],
  ] as const)('found %s at %s is %s', (screeningResult, screenedAt, verdict) => {
    const review = screeningResult === 'REVIEW' ? 'OPEN' : null;
    const found = { screeningResult, screenedAt, screenedFor: 'RELEASE', review } as const;
    expect(judgeWalletScreening(found, now)).toBe(verdict);
  });

  it.each([
    [null, ago(0), 'UNSCREENED'],
    ['OPEN', ago(2 * DAY), 'HIT'],
    ['RELEASED', ago(0), 'CLEARED'],
    ['RELEASED', ago(DAY), 'UNSCREENED'],
    ['REFUSED', ago(0), 'REFUSED'],
    ['EXPIRED', ago(0), 'REFUSED'],
  ] as const)('a review that is %s makes what was found %s', (review, screenedAt, verdict) => {
    const found = {
      screeningResult: 'REVIEW',
      screenedFor: 'RELEASE',
      screenedAt,
      review,
    } as const;
    expect(judgeWalletScreening(found, now)).toBe(verdict);
  });

  it('a release is good for the same entry, or the same version of a list that names none', () => {
    const hit = (listVersion: string, match: string | null) =>
      ({ verdict: 'REVIEW', listVersion, match }) as const;
    expect(isSameHit(hit('1', 'e1'), hit('2', 'e1'))).toBe(true);
    expect(isSameHit(hit('1', 'e1'), hit('1', 'e2'))).toBe(false);
    expect(isSameHit(hit('1', null), hit('1', null))).toBe(true);
    expect(isSameHit(hit('1', null), hit('2', null))).toBe(false);
    expect(isSameHit(hit('1', 'e1'), { ...hit('1', 'e1'), verdict: 'BLOCKED' })).toBe(false);
  });

  it('is not cleared by what was found when it was registered', () => {
    const screened = { screeningResult: 'CLEAR', screenedAt: ago(0), review: null } as const;
    const verdictOf = (screenedFor: LookUpReason) =>
      judgeWalletScreening({ ...screened, screenedFor }, now);
    expect([verdictOf('REGISTRATION'), verdictOf('RELEASE')]).toEqual(['UNSCREENED', 'CLEARED']);
  });
});
