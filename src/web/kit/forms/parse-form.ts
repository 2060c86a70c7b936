import { isStorableText } from '../http/storable-text.ts';
import { unreadableForm } from '../page-refusal.ts';
import type { FormRules } from './form-rules.ts';
import { FORM_FIELD } from './form-token.ts';

/** More fields than any page of ours has. */
const FIELDS_MAX = 200;

/** What application/x-www-form-urlencoded is written in, percent-encoding included. */
const ENCODED = /^[\x21-\x7e]*$/;

/** A form's texts by name, each in the order it came. */
export type FormTexts = ReadonlyMap<string, readonly string[]>;

/**
 * Reads a body of application/x-www-form-urlencoded that follows the rules. Throws PageRefusal (400) for
 * an encoding that is not UTF-8, text that cannot be kept, a field that the rules do not name, and one
 * that came twice where it is no list.
 */
export function parseForm(body: string, rules: FormRules): FormTexts {
  if (!ENCODED.test(body) || !isUtf8(body)) throw unreadableForm('The form is not in UTF-8.');
  const texts = new Map<string, string[]>();
  let fields = 0;
  for (const [name, text] of new URLSearchParams(body)) {
    fields += 1;
    if (fields > FIELDS_MAX) throw unreadableForm('The form has too many fields.');
    const isKnown = name === FORM_FIELD || Object.hasOwn(rules, name);
    if (!isKnown) throw unreadableForm('The form has a field that this page does not have.');
    if (!isStorableText(text))
      throw unreadableForm('The form has a character that cannot be stored.');
    const before = texts.get(name);
    if (before === undefined) texts.set(name, [text]);
    else if (rules[name]?.isList === true) before.push(text);
    else throw unreadableForm('The form has a field twice.');
  }
  return texts;
}

// URLSearchParams makes U+FFFD of what is no UTF-8; decodeURIComponent refuses it.
function isUtf8(body: string): boolean {
  try {
    decodeURIComponent(body);
    return true;
  } catch {
    return false;
  }
}
