import { request } from 'undici';
import { until } from '../../until.ts';

interface Listed {
  readonly ID: string;
}
interface Mail extends Listed {
  readonly Subject: string;
  readonly Text: string;
}

/** Mails take their way through Temporal and SMTP. */
const MAIL_MS = 40_000;

/** The mailbox of a local run, by the routes that it shares with Mailpit. What was read once is not found again. */
export function openMailbox(mailboxUrl: string) {
  const { host, port } = new URL(mailboxUrl);
  const read = new Set<string>();
  const given: string[] = [];

  async function ask<Body>(path: string): Promise<Body> {
    // Node does not find the host's name; the mailbox answers to no other.
    const answer = await request(`http://127.0.0.1:${port}/api/v1${path}`, { headers: { host } });
    return (await answer.body.json()) as Body;
  }

  /** The newest unread mail to an address in which something is found. */
  const find = (address: string, pattern: RegExp): Promise<string> =>
    until(
      `a mail to ${address} with ${String(pattern)}`,
      async () => {
        const query = encodeURIComponent(`to:${address}`);
        const { messages } = await ask<{ messages: Listed[] }>(`/search?query=${query}`);
        for (const { ID } of messages.filter((one) => !read.has(one.ID))) {
          const { Text } = await ask<Mail>(`/message/${ID}`);
          const found = pattern.exec(Text)?.[0];
          if (found === undefined) continue;
          read.add(ID);
          given.push(found);
          return found;
        }
        return null;
      },
      MAIL_MS,
    );

  return {
    find,
    /** Every code and link that was found, in order. */
    given: given as readonly string[],
    code: (address: string) => find(address, /\b\d{4} \d{4}\b/),
  };
}

export type Mailbox = ReturnType<typeof openMailbox>;
