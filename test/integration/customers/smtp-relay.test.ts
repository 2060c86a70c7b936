import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createSmtpRelay, type SmtpSettings } from '../../../src/adapters/mail/smtp-relay.ts';
import { startHostileRelay, type Misdeed } from '../../support/customers/hostile-relay.ts';

type Hostile = Awaited<ReturnType<typeof startHostileRelay>>;

let open: Hostile[] = [];
afterEach(async () => {
  for (const server of open) await server.close();
  open = [];
});

async function relayTo(misdeed: Misdeed | null, more: Partial<SmtpSettings> = {}) {
  const server = await startHostileRelay(misdeed);
  open.push(server);
  const relay = createSmtpRelay({
    ...{ host: '127.0.0.1', port: server.port, tls: 'NONE' },
    from: 'Causeway <no-reply@causeway.example>',
    ...more,
  });
  return { server, relay };
}

const MAIL = {
  id: 'mai_01k0000000000000000000000a',
  to: 'ada@partner.example',
  subject: 'Your code to log in',
  text: 'Grüße\n.\nQUIT\n',
  html: '<p>Grüße</p>',
};

const send = async (misdeed: Misdeed | null, more: Partial<SmtpSettings> = {}, timeoutMs = 5_000) =>
  (await relayTo(misdeed, more)).relay.send(MAIL, timeoutMs);

describe('a relay by SMTP', () => {
  it('gets the mail once, to its one recipient, under our id', async () => {
    const { server, relay } = await relayTo(null);
    expect(await relay.send(MAIL, 5_000)).toEqual({ kind: 'ACCEPTED' });
    expect(server.bodies).toHaveLength(1);
    expect(server.bodies[0]).toContain(`Message-ID: <${MAIL.id}@causeway.example>`);
    expect(server.bodies[0]).toContain('Auto-Submitted: auto-generated');
    const envelope = server.commands.filter((line) => /^(MAIL|RCPT)/.test(line));
    expect(envelope).toHaveLength(2);
    expect(envelope[0]).toContain('FROM:<no-reply@causeway.example>');
    expect(envelope[1]).toBe('RCPT TO:<ada@partner.example>');
  });

  it.each([
    ['the recipient', { at: 'RCPT', answer: '550 5.1.1 ada@partner.example unknown' }, 'SMTP_550'],
    ['the sender', { at: 'MAIL', answer: '553 not you' }, 'SMTP_553'],
    ['the mail before it came', { at: 'DATA', answer: '554 no' }, 'SMTP_554'],
    ['the mail after it came', { at: 'BODY', answer: '552 too much' }, 'SMTP_552'],
  ])(
    'that refuses %s for good ends it, by a code that repeats none of its words',
    async (_, misdeed, code) => {
      expect(await send(misdeed)).toEqual({ kind: 'REFUSED', code });
    },
  );

  it.each([
    ['is busy at the recipient', { at: 'RCPT', answer: '451 later' }, 'SMTP_451'],
    ['is busy after the mail', { at: 'BODY', answer: '452 later' }, 'SMTP_452'],
    ['is closed', { at: 'GREETING', answer: '554 no service' }, /SMTP_554|EPROTOCOL/],
    ['speaks something else', { at: 'GREETING', answer: 'HTTP/1.1 200 OK' }, /^E[A-Z]+$/],
    ['drops the connection at once', { at: 'GREETING', drop: true }, /^E[A-Z]+$|CONNECTION_LOST/],
    ['drops it after the mail', { at: 'BODY', drop: true }, /^E[A-Z]+$|CONNECTION_LOST/],
  ] as const)('that %s is tried again', async (_, misdeed, code) => {
    expect(await send(misdeed)).toEqual({ kind: 'LATER', code: expect.stringMatching(code) });
  });

  it.each([
    ['says nothing', { at: 'GREETING', hang: true }],
    ['never answers the mail', { at: 'BODY', hang: true }],
    ['answers a byte at a time for ever', { at: 'BODY', drip: true }],
  ] as const)(
    'that %s is given up when the time is over, its connection closed',
    async (_, misdeed) => {
      const { server, relay } = await relayTo(misdeed);
      expect(await relay.send(MAIL, 400)).toMatchObject({ kind: 'LATER' });
      await expect.poll(() => server.openConnections()).toBe(0);
    },
  );

  it('that takes no password is our fault, not the end of the mail', async () => {
    const login = { user: 'causeway', password: 'wrong' };
    const misdeed = { at: 'AUTH', answer: '535 5.7.8 who are you' };
    expect(await send(misdeed, { login })).toEqual({ kind: 'LATER', code: 'SMTP_535' });
  });

  it('that offers no TLS where TLS is wanted gets neither password nor mail', async () => {
    for (const tls of ['STARTTLS', 'TLS'] as const) {
      const { server, relay } = await relayTo(null, {
        ...{ tls, login: { user: 'causeway', password: 'planted-password' } },
      });
      expect(await relay.send(MAIL, 1_000)).toMatchObject({ kind: 'LATER' });
      expect(server.commands.filter((line) => /^(AUTH|MAIL|RCPT)/.test(line))).toEqual([]);
      expect(server.bodies).toEqual([]);
    }
  });

  it('whose certificate nobody vouches for gets nothing, whatever the process says of certificates', async () => {
    const received: string[] = [];
    const server = new SMTPServer({
      ...{ secure: true, authOptional: true },
      onMailFrom: ({ address }, _session, done) => {
        received.push(address);
        done();
      },
    });
    server.on('error', () => undefined);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    try {
      const { port } = server.server.address() as AddressInfo;
      const relay = createSmtpRelay({
        ...{ host: '127.0.0.1', port, tls: 'TLS', from: 'no-reply@causeway.example' },
      });
      expect(await relay.send(MAIL, 5_000)).toMatchObject({ kind: 'LATER' });
      expect(received).toEqual([]);
    } finally {
      vi.unstubAllEnvs();
      await new Promise<void>((resolve) => {
        server.close(resolve);
      });
    }
  });

  it('that no server listens at is tried again', async () => {
    const { server, relay } = await relayTo(null);
    await server.close();
    open = [];
    expect(await relay.send(MAIL, 1_000)).toMatchObject({ kind: 'LATER' });
  });

  it('gets nothing of a mail without time left', async () => {
    const { server, relay } = await relayTo(null);
    expect(await relay.send(MAIL, 0)).toEqual({ kind: 'LATER', code: 'TIMED_OUT' });
    expect(server.commands).toEqual([]);
  });
});
