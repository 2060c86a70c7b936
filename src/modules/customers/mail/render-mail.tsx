import { renderToString } from 'preact-render-to-string';
import type { MailBlock, MailText } from './mail-text.ts';

/** What of a mail is sealed in its row, and sent. */
export interface MailContents {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A mail as plain text and as HTML without pictures, styles or script. Both say the same. */
export function renderMail(mail: MailText): MailContents {
  return {
    subject: mail.subject,
    text: `${mail.blocks.map(asText).join('\n\n')}\n`,
    html: `<!doctype html>${renderToString(<Page {...mail} />)}`,
  };
}

function asText(block: MailBlock): string {
  switch (block.kind) {
    case 'TEXT':
      return block.text;
    case 'CODE':
      return `    ${spaced(block.code)}`;
    case 'LINK':
      return `${block.label}:\n${block.url}`;
    case 'FACTS':
      return block.facts.map(([name, value]) => `${name}: ${value}`).join('\n');
  }
}

/** In two halves, as people read digits aloud; the page takes them with the space. */
const spaced = (code: string): string =>
  `${code.slice(0, code.length / 2)} ${code.slice(code.length / 2)}`;

function Page({ subject, blocks }: MailText) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>{subject}</title>
      </head>
      <body>
        {blocks.map((block) => (
          <Block block={block} />
        ))}
      </body>
    </html>
  );
}

function Block({ block }: { readonly block: MailBlock }) {
  switch (block.kind) {
    case 'TEXT':
      return <p>{block.text}</p>;
    case 'CODE':
      return (
        <p>
          <strong>{spaced(block.code)}</strong>
        </p>
      );
    case 'LINK':
      return (
        <p>
          <a href={block.url}>{block.label}</a>
        </p>
      );
    case 'FACTS':
      return (
        <ul>
          {block.facts.map(([name, value]) => (
            <li>
              {name}: {value}
            </li>
          ))}
        </ul>
      );
  }
}
