import type { FoundDocument } from './found-document.ts';

/** Where the end of a file must stand: the last kilobyte, as readers have it (ISO 32000-1, annex H). */
const END_WITHIN = 1_024;

/**
 * Things that a scan has no use for and that do something when it is opened, or hide it: programs, other
 * files, forms that are programs, passwords. In a name any letter may be written `#` and its code.
 */
const UNWANTED = new RegExp(
  ['JavaScript', 'Launch', 'EmbeddedFile', 'RichMedia', 'XFA[\\s\\[(<]', 'Encrypt[\\s<\\d]']
    .map((name) => `/${spelledAnyhow(name)}`)
    .join('|'),
);

function spelledAnyhow(name: string): string {
  return name.replace(/\[[^\]]+\]|[A-Za-z]/g, (part) => {
    if (part.length > 1) return part;
    const [high = '', low = ''] = part.charCodeAt(0).toString(16);
    return `(?:${part}|#${high}[${low}${low.toUpperCase()}])`;
  });
}

/** Reads where a PDF ends and refuses one that can do more than be looked at. Null: this is none. */
export function readPdf(bytes: Uint8Array): FoundDocument | null {
  const text = new TextDecoder('latin1').decode(bytes);
  if (!/^%PDF-[12]\.\d/.test(text)) return null;
  const end = text.lastIndexOf('%%EOF');
  if (end === -1 || end + '%%EOF'.length < text.length - END_WITHIN) return null;
  if (UNWANTED.test(text)) return null;
  return { contentType: 'application/pdf', length: end + '%%EOF'.length };
}
