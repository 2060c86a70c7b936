import { Type, type Static } from 'typebox';
import { readEmailAddress } from '../../domain/customers/access/email-address.ts';
import { choice, port, secret, text } from './setting-types.ts';
import type { Report } from './settings.ts';

/** `Causeway <no-reply@pay.example>`, or the address alone. */
const SENDER = /^(?:[^<>"\p{Cc}]{1,60} <([^<>]+)>|([^<> ]+))$/u;
const isSender = (given: string): boolean => {
  const [, named, bare] = SENDER.exec(given) ?? [];
  return readEmailAddress(named ?? bare ?? '') !== null;
};

/** The relay that takes mails to users and operators. Missing: mails wait, and expire after a day. */
export const MAIL = Type.Object({
  host: text('SMTP_HOST', {
    must: 'a host name or an address',
    unit: 'host',
    defaultText: '-',
    description: 'The SMTP relay. Without it, mails wait and expire after a day.',
  }),
  port: port('SMTP_PORT', 587, 'The port of the SMTP relay. Relays with `TLS` usually use 465.'),
  tls: choice(
    'SMTP_TLS',
    ['STARTTLS', 'TLS', 'NONE'],
    'The security of the connection. With `STARTTLS`, Causeway refuses a relay that does not offer it. `NONE` works only for a relay on this machine.',
  ),
  from: text(
    'MAIL_FROM',
    {
      must: 'an email address, or a name and an address in <>',
      unit: 'address',
      description: 'The sender of mails: `Causeway <no-reply@pay.example>`.',
    },
    isSender,
  ),
  login: Type.Optional(
    Type.Object({
      user: text('SMTP_USER', {
        unit: 'name',
        description: 'The user name for the relay. Without it, Causeway does not log in.',
      }),
      password: secret('SMTP_PASSWORD', {
        unit: 'secret',
        description: 'The password for the relay.',
      }),
    }),
  ),
});

/** Names and addresses of this machine. */
const LOOPBACK = /^(localhost|127(\.[0-9]{1,3}){3}|::1)$/;

/** Reports codes and a password that would be sent in the clear. */
export function checkMail(mail: Static<typeof MAIL> | undefined, report: Report): void {
  if (mail?.tls !== 'NONE' || LOOPBACK.test(mail.host)) return;
  report(
    ['SMTP_HOST', 'SMTP_TLS'],
    'SMTP_TLS may be NONE only where SMTP_HOST is this machine: 127.0.0.1, ::1 or localhost',
  );
}
