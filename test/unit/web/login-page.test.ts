import { renderToString } from 'preact-render-to-string';
import { expect, it } from 'vitest';
import { addressPage, providerPage } from '../../../src/web/login/login-pages.tsx';

/** The names of the buttons that stand out. */
const firstOf = (html: string): readonly string[] =>
  [...html.matchAll(/<(?:button|a)[^>]* class="button"[^>]*>([^<]*)</g)].map(
    ([, text = '']) => text,
  );

const page = (surface: 'console' | 'dashboard', providerName: string | null) =>
  addressPage({
    ...{ surface, providerName, token: 'one', address: '', next: '/', problems: [] },
    passkey: { token: 'other', options: '{}' },
  });

it.each([
  ['console', 'Log in with a passkey'],
  ['dashboard', 'Send the code'],
] as const)('the login page of the %s has one way that comes first', (surface, first) => {
  for (const providerName of ['Example ID', null]) {
    expect(firstOf(renderToString(page(surface, providerName)))).toEqual([first]);
  }
});

it('a login by a provider alone comes first', () => {
  const html = renderToString(providerPage('console', 'Example ID', '/'));
  expect(firstOf(html)).toEqual(['Log in with Example ID']);
});
