import { describe, expect, it } from 'vitest';
import { parseCamt053 } from '../../../../src/adapters/iso20022/camt053.ts';
import type { StatementPart } from '../../../../src/adapters/iso20022/statement-parts.ts';
import {
  linesOf,
  readAll,
  readUntilError,
  statementXml,
} from '../../../support/adapters/iso20022/statement-reading.ts';

// The reference carries letters that differ between encodings, so that a wrong one is seen.
const entry =
  '<Ntry><NtryRef>Grüße-é</NtryRef><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>DBIT</CdtDbtInd></Ntry>';
const declared = (encoding: string) =>
  `<?xml version="1.0" encoding="${encoding}"?>\n${statementXml(entry)}`;
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

const files: [string, Buffer][] = [
  ['UTF-8 without a declaration', Buffer.from(statementXml(entry))],
  ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${declared('UTF-8')}`)],
  ['ISO-8859-1', Buffer.from(declared('ISO-8859-1'), 'latin1')],
  ['windows-1252', Buffer.from(declared('windows-1252'), 'latin1')],
  ['UTF-16 little endian with a mark', Buffer.from(`\ufeff${declared('UTF-16')}`, 'utf16le')],
  ['UTF-16 big endian with a mark', utf16be(`\ufeff${declared('UTF-16')}`)],
  ['UTF-16 without a mark', Buffer.from(declared('UTF-16LE'), 'utf16le')],
  ['UTF-8 that calls itself utf-16', Buffer.from(declared('utf-16'))],
];

describe('character encodings', () => {
  it.each(files)('%s is read, also in pieces of three bytes', async (_name, bytes) => {
    for (const size of [3, bytes.length]) {
      expect(linesOf(await readAll(bytes, { size }))[0]?.entryReference).toBe('Grüße-é');
    }
  });

  it('text that is decoded already is taken as it is', async () => {
    const parts: StatementPart[] = [];
    async function* texts() {
      yield `\ufeff${declared('ISO-8859-1').slice(0, 90)}`;
      yield declared('ISO-8859-1').slice(90);
    }
    for await (const part of parseCamt053(texts())) parts.push(part);
    expect(linesOf(parts)[0]?.entryReference).toBe('Grüße-é');
  });

  it('an unknown encoding is refused by name of the problem', async () => {
    const { error } = await readUntilError(declared('EBCDIC-CP-US'));
    expect(error?.problem).toBe('ENCODING_UNKNOWN');
  });

  it('bytes outside the declared encoding are refused, not replaced', async () => {
    const { error } = await readUntilError(Buffer.from(declared('UTF-8'), 'latin1'));
    expect(error?.problem).toBe('ENCODING_BROKEN');
  });
});
