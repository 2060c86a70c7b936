import { escapeHtml } from '../escape-html.ts';
import type { CaughtMail } from './caught-mail.ts';

const STYLE = `:root { color-scheme: light dark }
body { font: 14px/20px system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
  background: light-dark(#f6f8f7, #0e1514); color: light-dark(#13211e, #e7edeb) }
a { color: light-dark(#0a665c, #62cbbc) }
h1 { font-size: 20px; line-height: 28px }
ul { list-style: none; margin: 0; padding: 0 }
li, pre { background: light-dark(#fff, #151e1c); border: 1px solid light-dark(#dbe2df, #2a3633); padding: 12px 16px }
pre { border-radius: 10px; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 13px }
.muted { color: light-dark(#52635d, #a2b3ad) }`;

function* page(title: string, content: Iterable<string>): Generator<string> {
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Sandbox mailbox</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
`;
  yield* content;
  yield '</main>\n</body>\n</html>\n';
}

const receivers = (mail: CaughtMail): string => mail.to.map(({ address }) => address).join(', ');

/** What came, newest first. */
export const renderList = (mails: readonly CaughtMail[]): Iterable<string> =>
  page(
    'Mails',
    (function* () {
      if (mails.length === 0) yield '<p>No mail has come yet.</p>\n';
      else yield '<ul>\n';
      for (const mail of mails) {
        yield `<li><a href="/view/${mail.id}">${escapeHtml(mail.subject || 'Without a subject')}</a>
<br><span class="muted">to ${escapeHtml(receivers(mail))}, ${mail.at.toISOString()}</span></li>\n`;
      }
      if (mails.length > 0) yield '</ul>\n';
    })(),
  );

/** One mail as text, its links to follow. */
export const renderMail = (mail: CaughtMail): Iterable<string> =>
  page(mail.subject || 'Without a subject', [
    `<p class="muted">from ${escapeHtml(mail.from.address)} to ${escapeHtml(receivers(mail))}, ${mail.at.toISOString()}</p>\n`,
    `<pre>${withLinks(mail.text)}</pre>\n`,
    mail.html === '' ? '' : `<p><a href="/view/${mail.id}/html">As HTML</a></p>\n`,
    '<p><a href="/">All mails</a></p>\n',
  ]);

/** Text with its http and https addresses as links. */
const withLinks = (text: string): string =>
  text
    .split(/(https?:\/\/[^\s<>"')]+)/)
    .map((part, index) => {
      const safe = escapeHtml(part);
      return index % 2 === 0 ? safe : `<a href="${safe}" rel="noreferrer">${safe}</a>`;
    })
    .join('');
