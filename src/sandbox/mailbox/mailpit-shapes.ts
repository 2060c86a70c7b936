import type { CaughtMail, MailAddress } from './caught-mail.ts';

const SNIPPET_LENGTH = 200;

const addressShape = ({ name, address }: MailAddress) => ({ Name: name, Address: address });

const commonShape = (mail: CaughtMail) => ({
  ID: mail.id,
  MessageID: mail.messageId,
  From: addressShape(mail.from),
  To: mail.to.map(addressShape),
  Cc: [],
  Bcc: [],
  ReplyTo: [],
  Subject: mail.subject,
  Tags: [],
  Size: mail.bytes,
});

/** A mail in a list, in the names of Mailpit's API v1, so that tools made for it work here. */
const summaryShape = (mail: CaughtMail) => ({
  ...commonShape(mail),
  Read: false,
  Created: mail.at.toISOString(),
  Attachments: 0,
  Snippet: mail.text.replace(/\s+/g, ' ').trim().slice(0, SNIPPET_LENGTH),
});

/** A whole mail. */
export const messageShape = (mail: CaughtMail) => ({
  ...commonShape(mail),
  Date: mail.at.toISOString(),
  Text: mail.text,
  HTML: mail.html,
  Inline: [],
  Attachments: [],
});

/** One page of a list: from `start`, at most `limit`. */
export const listShape = (
  found: readonly CaughtMail[],
  total: number,
  { start, limit }: { readonly start: number; readonly limit: number },
) => {
  const page = found.slice(start, start + limit);
  return {
    total,
    unread: total,
    count: page.length,
    messages_count: found.length,
    messages_unread: found.length,
    start,
    tags: [],
    messages: page.map(summaryShape),
  };
};
