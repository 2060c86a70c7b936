import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/server/config/config.ts';
import { ConfigError } from '../../../src/server/config/settings.ts';
import { readEmailAddress } from '../../../src/domain/customers/access/email-address.ts';
import { SAMPLE_KEYS } from '../../support/sample-secrets.ts';

const BASE = { DATABASE_URL: 'postgres://localhost/causeway', ...SAMPLE_KEYS };
const MAIL = { SMTP_HOST: 'smtp.example', MAIL_FROM: 'Causeway <no-reply@pay.example>' };

function problemsOf(env: Record<string, string>): string {
  try {
    readConfig({ ...BASE, ...MAIL, ...env });
    return '';
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

describe('the relay of mails', () => {
  it('is reached by STARTTLS unless told otherwise, and is none without a host', () => {
    expect(readConfig(BASE).mail).toBeUndefined();
    expect(readConfig({ ...BASE, ...MAIL }).mail).toEqual({
      ...{ host: 'smtp.example', port: 587, tls: 'STARTTLS', from: MAIL.MAIL_FROM },
    });
  });

  it('gets nothing in the clear unless it is this machine', () => {
    for (const host of ['127.0.0.1', '::1', 'localhost']) {
      expect(problemsOf({ SMTP_TLS: 'NONE', SMTP_HOST: host })).toBe('');
    }
    for (const host of ['smtp.example', '10.0.0.1', '127.0.0.1.example', 'localhost.example']) {
      expect(problemsOf({ SMTP_TLS: 'NONE', SMTP_HOST: host })).toContain('this machine');
    }
  });

  it.each(['', 'Causeway', 'a@b', 'A <a@b.example', 'x@y.example\r\nBcc: z@y.example'])(
    'takes no mail from %j',
    (from) => {
      expect(problemsOf({ MAIL_FROM: from })).toContain('MAIL_FROM');
    },
  );

  it('is not logged in to with half a login', () => {
    expect(problemsOf({ SMTP_USER: 'causeway' })).toContain('SMTP_PASSWORD');
  });
});

describe('an email address', () => {
  it('is kept in one form', () => {
    expect(readEmailAddress(' Ada.Sample+x@Partner.Example ')).toBe('ada.sample+x@partner.example');
  });

  it.each([
    ...['', 'ada', '@partner.example', 'ada@', 'ada@partner', 'ada@-partner.example'],
    ...['a da@partner.example', 'ada@partner.example, eve@evil.example', 'ada@partner..example'],
    ...['ada@partner.example\nBcc: eve@evil.example', '<ada@partner.example>', '"a b"@c.example'],
    ...[`${'a'.repeat(65)}@partner.example`, `a@${'b'.repeat(250)}.example`, 'ada@[127.0.0.1]'],
    ...['ada\u0000@partner.example', 'аda@partner.example'],
  ])('is not %j', (text) => {
    expect(readEmailAddress(text)).toBeNull();
  });
});
