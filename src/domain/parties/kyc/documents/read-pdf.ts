import type { FoundDocument } from './found-document.ts';

/** Decompresses zlib data; null where that is none, or more than `bytesMax` comes out. */
export type Inflate = (bytes: Uint8Array, bytesMax: number) => Uint8Array | null;

/** Bytes that all object streams of a file may hold: they hold no pictures. */
const OBJECT_BYTES_MAX = 8 * 1_024 * 1_024;

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

/** What begins objects that are compressed together (ISO 32000-1, section 7.5.7), and the tables that find them. */
const OBJECT_STREAM = new RegExp(`/${spelledAnyhow('ObjStm')}`, 'g');
const HAS_OBJECT_STREAMS = new RegExp(
  ['ObjStm', 'XRef', 'XRefStm'].map((name) => `/${spelledAnyhow(name)}`).join('|'),
);
/** Only streams of objects say where their first one is. A reader may not ask for the type. */
const IS_OF_OBJECTS = new RegExp(
  ['ObjStm', 'First'].map((name) => `/${spelledAnyhow(name)}`).join('|'),
);
const FLATE = new RegExp(
  `^(?:\\s*/${spelledAnyhow('FlateDecode')}|\\s*\\[\\s*/${spelledAnyhow('FlateDecode')}\\s*\\])`,
);
const FILTER = new RegExp(`/${spelledAnyhow('Filter')}(?=[\\s/\\[])`);
const PARAMETERS = new RegExp(`/${spelledAnyhow('DecodeParms')}`);
const STREAM = /stream\r?\n/g;

function spelledAnyhow(name: string): string {
  return name.replace(/\[[^\]]+\]|[A-Za-z]/g, (part) => {
    if (part.length > 1) return part;
    const [high = '', low = ''] = part.charCodeAt(0).toString(16);
    return `(?:${part}|#${high}[${low}${low.toUpperCase()}])`;
  });
}

/**
 * Reads where a PDF ends and refuses one that can do more than be looked at. What is compressed with other objects is
 * looked at, too; a file whose objects cannot be read is refused. Null: this is none.
 */
export function readPdf(bytes: Uint8Array, inflate: Inflate): FoundDocument | null {
  const text = new TextDecoder('latin1').decode(bytes);
  if (!/^%PDF-[12]\.\d/.test(text)) return null;
  const end = text.lastIndexOf('%%EOF');
  if (end === -1 || end + '%%EOF'.length < text.length - END_WITHIN) return null;
  if (UNWANTED.test(text)) return null;
  if (HAS_OBJECT_STREAMS.test(text) && !areObjectsHarmless(bytes, text, inflate)) return null;
  return { contentType: 'application/pdf', length: end + '%%EOF'.length };
}

/** Is every stream of objects read, and none of them holds what is unwanted? */
function areObjectsHarmless(bytes: Uint8Array, text: string, inflate: Inflate): boolean {
  let left = OBJECT_BYTES_MAX;
  let typed = 0;
  for (const { index, 0: keyword } of text.matchAll(STREAM)) {
    if (text.slice(index - 3, index) === 'end') continue;
    const head = text.slice(text.lastIndexOf('endobj', index) + 1, index);
    if (!IS_OF_OBJECTS.test(head)) continue;
    typed += head.match(OBJECT_STREAM)?.length ?? 0;
    const begin = index + keyword.length;
    const end = text.indexOf('endstream', begin);
    if (end === -1) return false;
    const objects = readObjects(head, bytes.subarray(begin, end), (data) => inflate(data, left));
    if (objects === null || UNWANTED.test(objects)) return false;
    left -= objects.length;
  }
  // One that stands in no head was hidden from this look.
  return typed === (text.match(OBJECT_STREAM)?.length ?? 0);
}

/** Null where the objects are written in a way that scanners and printers do not use. */
function readObjects(
  head: string,
  data: Uint8Array,
  inflate: (data: Uint8Array) => Uint8Array | null,
): string | null {
  if (PARAMETERS.test(head)) return null;
  const filter = FILTER.exec(head);
  const decoder = new TextDecoder('latin1');
  if (filter === null) return decoder.decode(data);
  if (!FLATE.test(head.slice(filter.index + filter[0].length))) return null;
  const objects = inflate(data);
  return objects === null ? null : decoder.decode(objects);
}
