import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { createTransport } from 'nodemailer';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createSandboxMailbox,
  type SandboxMailbox,
} from '../../../src/sandbox/mailbox/sandbox-mailbox.ts';
import { createCaughtMails } from '../../../src/sandbox/mailbox/caught-mail.ts';

const NOW = new Date('2026-11-22T10:00:00.000Z');
const LOG = { info: () => undefined, warn: () => undefined };

let mailbox: SandboxMailbox;
let url: string;
let smtpPort: number;
beforeEach(async () => {
  mailbox = createSandboxMailbox({ clock: { now: () => NOW }, log: LOG });
  ({ url, smtpPort } = await mailbox.listen({ smtp: 0, http: 0 }));
});
afterEach(() => mailbox.close());

const transport = () => createTransport({ host: '127.0.0.1', port: smtpPort, ignoreTLS: true });

const ADA = {
  from: '"Causeway" <no-reply@causeway.example>',
  to: 'Ada Sample <ada@partner.example>',
  subject: 'Your code \u2013 <b>',
  text: 'Open http://dashboard.localhost:8081/verify/abc now.\n<script>alert(1)</script>',
  html: '<p>Open it</p><script>alert(1)</script>',
  messageId: '<mai_1@causeway.example>',
};

async function get(path: string, { method = 'GET', host = 'mailbox.localhost:8025' } = {}) {
  const { port } = new URL(url);
  const sent = request({ host: '127.0.0.1', port, path, method, headers: { host } });
  sent.end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of answer) text += String(chunk);
  return { status: answer.statusCode, headers: answer.headers, text };
}

interface List {
  readonly total: number;
  readonly messages_count: number;
  readonly messages: readonly { readonly ID: string; readonly Subject: string }[];
}
const list = async (path: string) => JSON.parse((await get(path)).text) as List;

describe('the sandbox mailbox', () => {
  it('shows a mail that was sent to it as Mailpit does', async () => {
    await transport().sendMail(ADA);
    const { total, messages } = await list('/api/v1/messages');
    expect(total).toBe(1);
    expect(messages[0]).toMatchObject({
      MessageID: 'mai_1@causeway.example',
      From: { Name: 'Causeway', Address: 'no-reply@causeway.example' },
      To: [{ Name: 'Ada Sample', Address: 'ada@partner.example' }],
      Subject: ADA.subject,
      Created: NOW.toISOString(),
    });
    for (const id of [messages[0]?.ID ?? '', 'latest']) {
      const mail = JSON.parse((await get(`/api/v1/message/${id}`)).text) as object;
      expect(mail).toMatchObject({ Subject: ADA.subject, Attachments: [] });
      expect(mail).toHaveProperty('Text', expect.stringContaining('/verify/abc'));
      expect(mail).toHaveProperty('HTML', expect.stringContaining('<p>Open it</p>'));
    }
    expect((await get('/api/v1/message/none')).status).toBe(404);
  });

  it('finds mails by receiver, the hidden ones too, newest first', async () => {
    await transport().sendMail({ ...ADA, subject: 'first' });
    await transport().sendMail({ ...ADA, subject: 'second', bcc: 'hidden@partner.example' });
    await transport().sendMail({ ...ADA, subject: 'other', to: 'eve@partner.example' });
    const subjects = async (query: string) =>
      (await list(`/api/v1/search?query=${encodeURIComponent(query)}`)).messages.map(
        ({ Subject }) => Subject,
      );
    expect(await subjects('to:ada@partner.example')).toEqual(['second', 'first']);
    expect(await subjects('to:"ADA@partner.example"')).toEqual(['second', 'first']);
    expect(await subjects('to:hidden@partner.example')).toEqual(['second']);
    expect(await subjects('to:ada@partner.example subject:first')).toEqual(['first']);
    expect(await subjects('to:nobody@partner.example')).toEqual([]);
    const page = await list('/api/v1/messages?start=1&limit=1');
    expect([page.messages.map(({ Subject }) => Subject), page.total]).toEqual([['second'], 3]);
    expect((await get('/api/v1/messages?limit=x')).status).toBe(400);
    await get('/api/v1/messages', { method: 'DELETE' });
    expect((await list('/api/v1/messages')).total).toBe(0);
  });

  it('shows what a stranger wrote as text, and its links as links', async () => {
    await transport().sendMail(ADA);
    const id = (await list('/api/v1/messages')).messages[0]?.ID ?? '';
    const pages = [await get('/'), await get(`/view/${id}`)];
    for (const { status, text, headers } of pages) {
      expect(status).toBe(200);
      expect(text).not.toContain('<script>');
      expect(text).toContain('Your code \u2013 &lt;b&gt;');
      expect(headers['content-security-policy']).toContain("default-src 'none'");
    }
    expect(pages[1]?.text).toContain(
      '<a href="http://dashboard.localhost:8081/verify/abc" rel="noreferrer">',
    );
    const html = await get(`/view/${id}/html`);
    expect(html.headers['content-security-policy']).toContain("default-src 'none'");
  });

  it('is read under a name of this machine only', async () => {
    for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example']) {
      expect((await get('/api/v1/messages', { host })).status).toBe(421);
    }
    for (const host of ['127.0.0.1:8025', 'mailbox.localhost', 'localhost:1']) {
      expect((await get('/api/v1/messages', { host })).status).toBe(200);
    }
  });

  it('refuses a mail over 1 MiB and takes the next one', async () => {
    const text = 'x'.repeat(1_100_000);
    await expect(transport().sendMail({ ...ADA, text })).rejects.toMatchObject({
      responseCode: 552,
    });
    await transport().sendMail(ADA);
    expect((await list('/api/v1/messages')).total).toBe(1);
  });

  it('keeps the newest ones, and forgets the oldest', () => {
    const mails = createCaughtMails(3);
    const address = { name: '', address: 'a@b.example' };
    for (const id of ['1', '2', '3', '4']) {
      mails.add({
        ...{ id, at: NOW, messageId: '', from: address, to: [address], subject: id },
        ...{ text: '', html: '', bytes: 1 },
      });
    }
    expect(mails.search('').map(({ id }) => id)).toEqual(['4', '3', '2']);
    expect(mails.find('1')).toBeUndefined();
    expect(mails.find('latest')?.id).toBe('4');
  });
});
