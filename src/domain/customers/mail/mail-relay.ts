/** A mail as it is handed to a relay, all of it in plain. */
export interface OutgoingMail {
  /** Our id of it: its Message-ID, so that a reader who gets it twice sees one. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** What became of a try. `code` is one of ours: a relay's own words may name whom it was for. */
export type RelayOutcome =
  /** The relay has it and answers for it from now on. */
  | { readonly kind: 'ACCEPTED' }
  /** It will never be taken. */
  | { readonly kind: 'REFUSED'; readonly code: string }
  /** Not taken, or not known whether it was: to be tried again. */
  | { readonly kind: 'LATER'; readonly code: string };

/** Hands mails on to the people they are for. */
export interface MailRelay {
  /** Takes at most `timeoutMs`: nothing of the mail leaves after that. Never throws. */
  send(mail: OutgoingMail, timeoutMs: number): Promise<RelayOutcome>;
}
