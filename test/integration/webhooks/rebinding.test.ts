import { Socket } from 'node:net';
import type { Answer } from 'dns-packet';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createGuardedConnect } from '../../../src/modules/webhooks/guarded-connect.ts';
import { findUrlProblem } from '../../../src/modules/webhooks/find-url-problem.ts';
import {
  createNameResolver,
  type ResolveName,
} from '../../../src/modules/webhooks/resolve-name.ts';
import {
  openWebhookClient,
  type WebhookClientOptions,
} from '../../../src/modules/webhooks/safe-fetch.ts';
import { urlPolicyFor } from '../../../src/modules/webhooks/url-rules.ts';
import { record, startNameServer, type NameServer } from '../../support/webhooks/name-server.ts';
import { startReceiver, type Receiver } from '../../support/webhooks/receiver.ts';
import { startSocketWitness, type SocketWitness } from '../../support/webhooks/socket-witness.ts';

const NAME = 'hooks.sample.test';
/** Public, and dialled by no test: each of them only reaches the judgement. */
const PUBLIC = '8.8.8.8';
const PUBLIC_6 = '2606:4700::1111';
const clock = { now: () => new Date() };
const STRICT = urlPolicyFor('test', false);
const OPEN = urlPolicyFor('test', true);

let names: NameServer;
let witness: SocketWitness;
let resolve: ResolveName;
beforeEach(async () => {
  [names, witness] = await Promise.all([startNameServer(), startSocketWitness()]);
  resolve = createNameResolver([names.address]);
  return () => Promise.all([names.close(), witness.close()]);
});

const open = (options: Partial<WebhookClientOptions> = {}) =>
  openWebhookClient({ policy: STRICT, clock, connectionsMax: 1, resolve, ...options });

async function post(url: string, options: Partial<WebhookClientOptions> = {}) {
  const client = open(options);
  try {
    return await client.post(url, {}, '{}');
  } finally {
    await client.close();
  }
}

const httpsUrl = () => `https://${NAME}:${String(witness.port)}/`;
const expectNoConnection = () => {
  expect(witness.dialled).toEqual([]);
  expect(witness.accepted()).toBe(0);
};

/** Answers every question with those of the records that are of its family, behind their CNAMEs. */
const zone = (records: readonly Answer[]) => {
  names.answer = (type) => records.filter((one) => one.type === type || one.type === 'CNAME');
};

describe('what a name leads to', () => {
  it.each([
    ['this machine', ['127.0.0.1']],
    ['this machine, IPv6', ['::1']],
    ['any address', ['0.0.0.0']],
    ['a private network', ['192.168.1.1']],
    ['the metadata of a cloud', ['169.254.169.254']],
    ['the metadata of a cloud, IPv6', ['fd00:ec2::254']],
    ['an IPv4 address in IPv6', ['::ffff:127.0.0.1']],
    ['a translated address', ['64:ff9b::7f00:1']],
    ['a 6to4 address', ['2002:7f00:1::']],
    ['public first, then private', [PUBLIC, '127.0.0.1']],
    ['private first, then public', ['127.0.0.1', PUBLIC]],
    ['private among many', [...Array<string>(30).fill(PUBLIC), '10.0.0.1']],
    ['IPv4 public, IPv6 private', [PUBLIC, '::1']],
    ['IPv4 private, IPv6 public', ['127.0.0.1', PUBLIC_6]],
    ['IPv4 public, IPv6 metadata', [PUBLIC, 'fd00:ec2::254']],
  ])('%s: refused at save and at send', async (_name, addresses) => {
    zone(addresses.map((address) => record(NAME, address)));
    expect((await findUrlProblem(httpsUrl(), STRICT, resolve))?.code).toBe('validation_failed');
    expect(await post(httpsUrl())).toMatchObject({ kind: 'FAILED', code: 'ADDRESS_REFUSED' });
    expect(names.asked).toEqual(expect.arrayContaining([`A ${NAME}`, `AAAA ${NAME}`]));
    expectNoConnection();
  });

  it('at the end of a chain of other names', async () => {
    const chain = [NAME, 'a.sample.test', 'b.sample.test', 'c.sample.test'];
    const links = chain.slice(1).map((next, n) => record(chain[n] ?? '', next));
    zone([...links, record('c.sample.test', '10.0.0.1')]);
    expect((await findUrlProblem(httpsUrl(), STRICT, resolve))?.code).toBe('validation_failed');
    expect(await post(httpsUrl())).toMatchObject({ code: 'ADDRESS_REFUSED' });
    expectNoConnection();
  });

  it('a public one passes at save: the refusals are about the addresses', async () => {
    zone([record(NAME, PUBLIC), record(NAME, PUBLIC_6)]);
    expect(await findUrlProblem(httpsUrl(), STRICT, resolve)).toBeNull();
  });

  it.each([
    ['an error of the name server', 2, 'DNS'],
    ['no address at all', 0, 'DNS'],
    ['a refusal', 5, 'DNS'],
    ['silence', null, 'TIMEOUT'],
  ])('%s is a failure in time', async (_name, said, code) => {
    names.answer = () => said;
    // NXDOMAIN and an empty answer are asked of the system too, which does not know the name.
    expect(await post(httpsUrl(), { timeoutMs: said === null ? 500 : 15_000 })).toMatchObject({
      kind: 'FAILED',
      code,
    });
    expectNoConnection();
  });
});

describe('a name that changes its answer', () => {
  it('between save and send is judged anew', async () => {
    let isPublic = true;
    names.answer = (type) => (type === 'A' ? [record(NAME, isPublic ? PUBLIC : '127.0.0.1')] : []);
    expect(await findUrlProblem(httpsUrl(), STRICT, resolve)).toBeNull();
    isPublic = false;
    for (let attempt = 0; attempt < 3; attempt++) {
      expect(await post(httpsUrl())).toMatchObject({ code: 'ADDRESS_REFUSED' });
    }
    expectNoConnection();
  });

  it('with every question: what is judged is what is dialled, and it is asked once', async () => {
    const receiver = await startReceiver();
    try {
      let turn = 0;
      names.answer = (type) =>
        type === 'A' ? [record(NAME, turn++ === 0 ? '127.0.0.1' : '10.0.0.1')] : [];
      const url = `http://${NAME}:${String(receiver.port)}/`;
      expect(await post(url, { policy: OPEN })).toMatchObject({ kind: 'ANSWERED', status: 204 });
      expect(names.asked.filter((one) => one === `A ${NAME}`)).toHaveLength(1);
      expect(await post(url, { policy: OPEN })).toMatchObject({ code: 'ADDRESS_REFUSED' });
      expect(receiver.received).toHaveLength(1);
    } finally {
      await receiver.close();
    }
  });

  it('between two connections of one run: the open one serves on, the next is refused', async () => {
    const receiver: Receiver = await startReceiver();
    const client = open({ policy: OPEN });
    try {
      let address = '127.0.0.1';
      names.answer = (type) => (type === 'A' ? [record(NAME, address)] : []);
      const send = () => client.post(`http://${NAME}:${String(receiver.port)}/`, {}, '{}');
      expect(await send()).toMatchObject({ status: 204 });
      address = '169.254.169.254';
      receiver.answer = (_request, response) =>
        response.writeHead(204, { connection: 'close' }).end();
      expect(await send()).toMatchObject({ status: 204 });
      expect(await send()).toMatchObject({ code: 'ADDRESS_REFUSED' });
      expect(receiver.received).toHaveLength(2);
    } finally {
      await client.close();
      await receiver.close();
    }
  });

  it('behind the name of this machine gains nothing: it is never asked about', async () => {
    zone([record('hooks.localhost', PUBLIC)]);
    const url = `https://hooks.localhost:${String(witness.port)}/`;
    expect(await post(url)).toMatchObject({ code: 'ADDRESS_REFUSED' });
    expect(names.asked).toEqual([]);
    expectNoConnection();
  });
});

describe('the socket itself', () => {
  const connectTo = (hostname: string, port: number, policy = STRICT) =>
    new Promise<Error | null>((done) => {
      const connect = createGuardedConnect({ policy, resolve, timeoutMs: 2_000 });
      const target = { hostname, host: hostname, protocol: 'http:', port: String(port) };
      connect(target, (error, socket) => {
        socket?.destroy();
        done(error);
      });
    });

  it('is not opened to an address that was not judged before', async () => {
    for (const host of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.0.0.1', '169.254.169.254']) {
      expect(await connectTo(host, witness.port), host).toMatchObject({ code: 'ADDRESS_REFUSED' });
    }
    expectNoConnection();
    expect(await connectTo('127.0.0.1', witness.port, OPEN)).not.toMatchObject({
      code: 'ADDRESS_REFUSED',
    });
    expect(witness.dialled).toEqual(['127.0.0.1']);
  });

  it('is closed again where its peer is another than was dialled', async () => {
    const receiver = await startReceiver();
    // What Node asks the system for the peer's address by.
    const sockets = Socket.prototype as unknown as { _getpeername: () => { address?: string } };
    const peer = vi.spyOn(sockets, '_getpeername');
    try {
      expect(await post(receiver.url, { policy: OPEN })).toMatchObject({ status: 204 });
      peer.mockReturnValue({ address: '10.0.0.1' });
      expect(await post(receiver.url, { policy: OPEN })).toMatchObject({ code: 'ADDRESS_REFUSED' });
      peer.mockReturnValue({});
      expect(await post(receiver.url, { policy: OPEN })).toMatchObject({ code: 'RESET' });
      expect(receiver.received).toHaveLength(1);
    } finally {
      peer.mockRestore();
      await receiver.close();
    }
  });
});

describe('a redirect inward', () => {
  it.each([301, 302, 303, 307, 308])('%i is followed nowhere', async (status) => {
    const receiver = await startReceiver();
    try {
      for (const location of [
        `http://127.0.0.1:${String(witness.port)}/`,
        `http://localhost:${String(witness.port)}/`,
        `http://[::1]:${String(witness.port)}/`,
        `//127.0.0.1:${String(witness.port)}/`,
        'http://169.254.169.254/latest/meta-data/',
        'https://10.0.0.1/',
        'file:///etc/passwd',
      ]) {
        receiver.answer = (_request, response) => response.writeHead(status, { location }).end();
        expect(await post(receiver.url, { policy: OPEN })).toMatchObject({ status });
      }
      expect(receiver.received).toHaveLength(7);
      expectNoConnection();
    } finally {
      await receiver.close();
    }
  });
});
