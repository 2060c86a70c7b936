export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

/** A mail that was sent to the mailbox. */
export interface CaughtMail {
  readonly id: string;
  /** When it came, by the mailbox's clock. */
  readonly at: Date;
  /** The Message-ID without its angle brackets; `''` where the mail has none. */
  readonly messageId: string;
  readonly from: MailAddress;
  /** Whom the envelope names: who is really sent it, blind copies included. */
  readonly to: readonly MailAddress[];
  readonly subject: string;
  readonly text: string;
  /** `''` where the mail has none. */
  readonly html: string;
  readonly bytes: number;
}

/** What came, newest first; of more than it keeps it forgets the oldest. */
export interface CaughtMails {
  add(mail: CaughtMail): void;
  /** Those that a query finds; all where it is empty. */
  search(query: string): readonly CaughtMail[];
  /** By its id, or the newest by `latest`. */
  find(id: string): CaughtMail | undefined;
  clear(): void;
}

export function createCaughtMails(keptMax = 1_000): CaughtMails {
  let mails: readonly CaughtMail[] = [];
  return {
    add(mail) {
      mails = [mail, ...mails].slice(0, keptMax);
    },
    search(query) {
      const terms = query.toLowerCase().match(/\S+/g) ?? [];
      return mails.filter((mail) => terms.every((term) => isFoundBy(mail, term)));
    },
    find: (id) => (id === 'latest' ? mails[0] : mails.find((mail) => mail.id === id)),
    clear() {
      mails = [];
    },
  };
}

/** `to:`, `from:` and `subject:` with what must be part of it, quoted or not; any other word is looked for everywhere. */
function isFoundBy(mail: CaughtMail, term: string): boolean {
  const [, field, quoted = ''] = /^(to|from|subject):(.+)$/.exec(term) ?? [];
  const wanted = quoted.replaceAll('"', '');
  const addresses = (list: readonly MailAddress[]): string =>
    list.map(({ name, address }) => `${name} ${address}`).join(' ');
  const textOf = { to: addresses(mail.to), from: addresses([mail.from]), subject: mail.subject };
  if (field !== undefined)
    return textOf[field as keyof typeof textOf].toLowerCase().includes(wanted);
  return [...Object.values(textOf), mail.text].join(' ').toLowerCase().includes(term);
}
