import { findPerson } from '../../../src/modules/customers/access/sessions.ts';
import type { Surface } from '../../../src/domain/customers/access/rights.ts';
import { issueFormToken } from '../../../src/web/kit/forms/form-token.ts';
import { SESSION_COOKIES } from '../../../src/web/kit/session-cookie.ts';
import type { Site } from './site.ts';

/** A form for any path, as only the surface itself can make it: of the session, or the visitor, in a Cookie header. */
export async function forgeForm(
  { people, vault, clock }: Pick<Site, 'people' | 'vault' | 'clock'>,
  surface: Surface,
  cookie: string,
  path: string,
): Promise<URLSearchParams> {
  const of = (session: string) =>
    new URLSearchParams({
      form: issueFormToken(vault, { surface, session, path }, clock.now()),
    });
  const visitor = /^__Host-visitor=(.*)$/.exec(cookie)?.[1];
  if (visitor !== undefined) return of(`visitor:${visitor}`);
  const token = cookie.slice(`${SESSION_COOKIES[surface]}=`.length);
  const deps = { ...people, operatorsNeedPasskeys: false };
  const person = await findPerson(deps, people.people, surface, token, false);
  if (person === null) throw new Error('no person is logged in by that cookie');
  return of(`session:${person.sessionId}`);
}
