import type { Schema } from './api-document.ts';
import { docComment } from './doc-comment.ts';

const REF_PREFIX = '#/components/schemas/';
/** About what is left of a line beside the name of a member. */
const LINE_MAX = 80;
/** So many choices stand one on a line; more of them fill the lines. */
const CHOICES_MAX = 12;
/** Schemas whose names would hide a class that every program knows. */
const RENAMED: Readonly<Record<string, string>> = { Error: 'ErrorBody' };
const SCALARS: Readonly<Record<string, string>> = {
  ...{ string: 'string', boolean: 'boolean', null: 'null', integer: 'number', number: 'number' },
};

/** The name that a schema of the document has as a type. */
export const typeName = (name: string): string => RENAMED[name] ?? name;

/**
 * The TypeScript type of a schema, as text, for a place at the indentation. What only narrows values
 * (patterns, lengths, `if` and `then`) is left to the API. Throws where a reference leads elsewhere
 * than to a named schema.
 */
export function typeText(schema: Schema, indent = ''): string {
  if (schema.$ref !== undefined) return typeName(refName(schema.$ref));
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return unionText(choiceTexts(choices, indent), indent);
  if (schema.const !== undefined) return literalText(schema.const);
  if (schema.enum !== undefined) return unionText(schema.enum.map(literalText), indent);
  const parts = (schema.allOf ?? []).filter(hasShape).map((part) => typeText(part, indent));
  if (parts.length > 0) {
    const own = schema.properties === undefined ? [] : [objectText(schema, indent)];
    return [...own, ...parts].join(' & ');
  }
  if (schema.type instanceof Array) {
    const types = schema.type.map((type) => typeText({ ...schema, type }, indent));
    return unionText(types, indent);
  }
  if (schema.type === 'array') return `readonly ${grouped(typeText(schema.items ?? {}, indent))}[]`;
  if (schema.type === 'object' || schema.properties !== undefined)
    return objectText(schema, indent);
  return SCALARS[schema.type ?? ''] ?? 'unknown';
}

/** The members of an object type, without its braces, each with its comment. */
export function membersText(schema: Schema, indent: string): string {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {})
    .map(([name, member]) => memberText({ name, member, isRequired: required.has(name) }, indent))
    .join('');
}

interface Member {
  readonly name: string;
  readonly member: Schema;
  readonly isRequired: boolean;
}

function memberText({ name, member, isRequired }: Member, indent: string): string {
  const type = typeText(member, indent);
  // Also under `exactOptionalPropertyTypes` a member may be given as undefined: it is not sent then.
  const typed = isRequired ? `: ${type}` : `?: ${type} | undefined`;
  return `${docComment(describe(member), indent)}${indent}readonly ${name}${typed};\n`;
}

/** What is said of a member, or of the one thing that it is where it is not null. */
function describe(schema: Schema): string | undefined {
  if (schema.description !== undefined) return schema.description;
  const [first, ...others] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null');
  return others.length === 0 ? first?.description : undefined;
}

function objectText(schema: Schema, indent: string): string {
  if (schema.properties !== undefined) {
    return `{\n${membersText(schema, `${indent}  `)}${indent}}`;
  }
  const { additionalProperties: more } = schema;
  const [byPattern] = Object.values(schema.patternProperties ?? {});
  const value = typeof more === 'object' ? more : (byPattern ?? {});
  return `Readonly<Record<string, ${typeText(value, indent)}>>`;
}

function choiceTexts(choices: readonly Schema[], indent: string): string[] {
  // An amount may be sent as a number as well: a program should not, as its numbers are binary.
  const isAmount =
    choices.some(({ type }) => type === 'number') &&
    choices.some(({ type, pattern }) => type === 'string' && pattern !== undefined);
  const kept = isAmount ? choices.filter(({ type }) => type !== 'number') : choices;
  return kept.map((choice) => typeText(choice, indent));
}

/** One line, or one for each where that is too long. */
function unionText(types: readonly string[], indent: string): string {
  const different = [...new Set(types)];
  const line = different.join(' | ');
  if (line.includes('\n') || line.length <= LINE_MAX - indent.length) return line;
  if (different.length > CHOICES_MAX) return filledText(different, indent);
  return different.map((type) => `\n${indent}  | ${type}`).join('');
}

/** As many on a line as fit. */
function filledText(types: readonly string[], indent: string): string {
  const lines: string[] = [];
  for (const type of types) {
    const last = lines.at(-1);
    const longer = `${last ?? ''} | ${type}`;
    if (last === undefined || longer.length > LINE_MAX) lines.push(`| ${type}`);
    else lines[lines.length - 1] = longer;
  }
  return lines.map((line) => `\n${indent}  ${line}`).join('');
}

const hasShape = ({ $ref, properties }: Schema) => $ref !== undefined || properties !== undefined;

const literalText = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value);

/** The type as an element of an array: in parentheses where an operator stands outside of braces. */
const grouped = (type: string): string =>
  /^[^{]*[|&] /.test(type) || /\} [|&] /.test(type) ? `(${type})` : type;

function refName(ref: string): string {
  if (!ref.startsWith(REF_PREFIX)) throw new Error(`a reference to no named schema: ${ref}`);
  return ref.slice(REF_PREFIX.length);
}
