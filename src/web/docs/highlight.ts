import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import go from 'highlight.js/lib/languages/go';
import json from 'highlight.js/lib/languages/json';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';

const LANGUAGES = { bash, go, json, php, python, typescript };

for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

/** Commands are not marked in every guide. */
const COMMAND = /^(curl|npm|npx|node|git|[A-Z_]+=)/;

/**
 * A text as HTML with its words marked by classes `hljs-*`; everything in it is escaped. `name` is what a guide or a
 * sample says of its language: a name or a short one, as "sh" and "ts"; of others nothing is marked.
 */
export function highlight(text: string, name: string): string {
  const language = name === '' && COMMAND.test(text) ? 'bash' : name;
  if (hljs.getLanguage(language) === undefined) return escapeHtml(text);
  return hljs.highlight(text, { language, ignoreIllegals: true }).value;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text that stands for itself in HTML, in an attribute too. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
