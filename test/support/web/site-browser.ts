import type { OutgoingHttpHeaders } from 'node:http';
import { hiddenFields, type SiteAnswer } from './site-client.ts';

/** What a browser needs of a site, whether this process serves it or another one. */
interface AskedSite {
  readonly origin: string;
  ask(path: string, headers?: OutgoingHttpHeaders, body?: string): Promise<SiteAnswer>;
}

/** A browser without script, by what a site can tell of one: its cookies. */
export function createSiteBrowser(site: AskedSite, headers: OutgoingHttpHeaders = {}) {
  const cookies = new Map<string, string>();
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

  function keep(answer: SiteAnswer): SiteAnswer {
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [pair = ''] = line.split(';', 1);
      const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  }

  const get = async (path: string, more: OutgoingHttpHeaders = {}) =>
    keep(await site.ask(path, { ...headers, ...more, cookie: cookie() }));
  const post = async (path: string, fields: URLSearchParams) =>
    keep(
      await site.ask(
        path,
        {
          ...headers,
          ...{ cookie: cookie(), origin: site.origin, 'sec-fetch-site': 'same-origin' },
          'content-type': 'application/x-www-form-urlencoded',
        },
        fields.toString(),
      ),
    );

  /** Sends the form of a page that was answered, filled in. */
  async function send(page: SiteAnswer, action: string, fields: Readonly<Record<string, string>>) {
    const sent = hiddenFields(page.body, action);
    for (const [name, text] of Object.entries(fields)) sent.set(name, text);
    return post(action, sent);
  }

  return {
    ...{ cookies, cookie, get, post, send },
    /** Asks for a code, as a person does who has gone to a page. */
    async askForCode(address: string, page = '/login') {
      return send(await get(page), '/login', { address });
    },
    /** Sends a code from the page that asks for it. */
    sendCode: async (code: string, fields: Readonly<Record<string, string>> = {}) =>
      send(await get('/login/code'), '/login/code', { code, ...fields }),
  };
}
