import { randomBytes } from 'node:crypto';
import PostalMime from 'postal-mime';
import type { CaughtMail, MailAddress } from './caught-mail.ts';

/** Reads the bytes of a mail (RFC 5322, MIME). What it lacks is left empty: nothing here is refused. */
export async function readMail(
  bytes: Buffer,
  envelope: { readonly from: string; readonly to: readonly string[] },
  at: Date,
): Promise<CaughtMail> {
  const mail = await PostalMime.parse(bytes);
  const named = [mail.from, ...(mail.to ?? []), ...(mail.cc ?? [])];
  const addressOf = (address: string): MailAddress => {
    const known = named.find((one) => one?.address?.toLowerCase() === address.toLowerCase());
    return { name: known?.name ?? '', address };
  };
  return {
    id: randomBytes(11).toString('hex'),
    at,
    messageId: (mail.messageId ?? '').replace(/^<|>$/g, ''),
    from: addressOf(mail.from?.address ?? envelope.from),
    to: envelope.to.map(addressOf),
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html ?? '',
    bytes: bytes.length,
  };
}
