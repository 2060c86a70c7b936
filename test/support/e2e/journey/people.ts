import type { Mailbox } from './mailbox.ts';
import type { Visitor } from './visitor.ts';

/** A person with an account, in a browser of their own. */
export interface Person {
  readonly visitor: Visitor;
  readonly address: string;
  readonly origin: string;
  readonly mailbox: Mailbox;
}

/** Another test of the stack may have had a code sent to the same address: so many mails are tried. */
const CODES_MAX = 4;

/** By the code from the mail, to the page that they wanted. */
export async function logIn(
  { visitor, address, origin, mailbox }: Person,
  path = '/',
): Promise<void> {
  await visitor.open(`${origin}${path}`);
  await visitor.fill('Email address', address);
  await visitor.press('Send the code');
  for (let tried = 0; tried < CODES_MAX; tried += 1) {
    await visitor.fill('8-digit code', await mailbox.code(address));
    await visitor.press('Log in');
    if (!new URL(visitor.page.url()).pathname.startsWith('/login')) return;
  }
  throw new Error(`${address} is not let in at ${visitor.page.url()}`);
}

/** Answers the second step that a form came back with. */
export async function confirm({ visitor, address, mailbox }: Person): Promise<void> {
  await visitor.fill('8-digit code', await mailbox.code(address));
  await visitor.press('Confirm');
}
