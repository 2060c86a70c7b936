import { ERRORS, type ErrorCode } from '../../../domain/errors/registry.ts';
import { fieldGroups, fieldOf, type Field, type FieldGroup } from './field-tree.ts';
import {
  follow,
  VERBS,
  type Answer,
  type Media,
  type OpenApi,
  type Operation,
  type Parameter,
  type Schema,
  type Verb,
} from './open-api.ts';
import { sampleOfMedia, sampleOfParameter } from './sample-value.ts';

/** Everything that a page tells of one operation of the API. */
export interface ShownOperation {
  /** The operationId, and the anchor of its section. */
  readonly id: string;
  readonly tag: string;
  readonly verb: Verb;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** The scope that the key needs; null where any key will do, or none is asked for. */
  readonly scope: string | null;
  readonly needsKey: boolean;
  readonly parameters: readonly ShownParameter[];
  /** Null where nothing is sent. */
  readonly body: ShownBody | null;
  /** Answers that are no errors. */
  readonly answers: readonly ShownAnswer[];
  readonly errors: readonly ErrorCode[];
}

export interface ShownParameter {
  readonly place: Parameter['in'];
  readonly field: Field;
  /** As it is sent. */
  readonly sample: string;
}

interface ShownBody {
  readonly groups: readonly FieldGroup[];
  readonly sample: unknown;
  /** More of the document's examples, each for another case. */
  readonly others: readonly { readonly title: string; readonly value: unknown }[];
}

export interface ShownAnswer {
  readonly status: string;
  readonly description: string;
  /** Null where the answer has no body of JSON. */
  readonly sample: unknown;
  readonly groups: readonly FieldGroup[];
}

export interface ShownTag {
  readonly name: string;
  /** Its part of an address. */
  readonly slug: string;
  readonly description: string;
  readonly operations: readonly ShownOperation[];
}

/** "End-users" is at "end-users", "Bank accounts" at "bank-accounts". */
export const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/** The operations of a document by its tags, in the document's order. Tags without operations are left out. */
export function readReference(document: OpenApi): readonly ShownTag[] {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    VERBS.flatMap((verb) => {
      const operation = item[verb];
      return operation === undefined ? [] : [showOperation(document, path, verb, operation)];
    }),
  );
  const described = new Map((document.tags ?? []).map((tag) => [tag.name, tag.description ?? '']));
  const names = new Set([...described.keys(), ...operations.map(({ tag }) => tag)]);
  return [...names]
    .map((name) => ({
      name,
      slug: slugOf(name),
      description: described.get(name) ?? '',
      operations: operations.filter(({ tag }) => tag === name),
    }))
    .filter((tag) => tag.operations.length > 0);
}

function showOperation(
  document: OpenApi,
  path: string,
  verb: Verb,
  operation: Operation,
): ShownOperation {
  const parameters = (operation.parameters ?? []).map((one) => follow<Parameter>(document, one));
  const media = operation.requestBody?.content?.['application/json'];
  const responses = Object.entries(operation.responses ?? {}).map(
    ([status, answer]) => [status, follow<Answer>(document, answer)] as const,
  );
  return {
    id: operation.operationId ?? `${verb}-${slugOf(path)}`,
    tag: operation.tags?.[0] ?? 'Reference',
    verb,
    path,
    summary: operation.summary ?? path,
    description: operation.description ?? '',
    scope: operation['x-required-scope'] ?? null,
    needsKey: operation.security?.some((one) => 'apiKey' in one) ?? true,
    parameters: parameters.map((one) => showParameter(document, one)),
    body: media === undefined ? null : showBody(document, media),
    answers: responses
      .filter(([status]) => /^[23]/.test(status))
      .map(([status, answer]) => showAnswer(document, status, answer)),
    errors: errorsOf(responses.map(([, answer]) => answer)),
  };
}

function showParameter(document: OpenApi, parameter: Parameter): ShownParameter {
  const { name, required, schema = {}, description } = parameter;
  const presence = required === true ? 'required' : 'optional';
  const field = fieldOf(document, name, schema, presence);
  const sample = sampleOfParameter(document, parameter);
  return {
    place: parameter.in,
    field: { ...field, description: description ?? field.description },
    sample: typeof sample === 'string' ? sample : JSON.stringify(sample),
  };
}

const showBody = (document: OpenApi, media: Media): ShownBody => ({
  groups: fieldGroups(document, media.schema ?? {}),
  sample: sampleOfMedia(document, media, true),
  others: Object.entries(media.examples ?? {})
    .slice(1)
    .map(([name, { summary = name, value }]) => ({ title: summary, value })),
});

function showAnswer(document: OpenApi, status: string, answer: Answer): ShownAnswer {
  const media = answer.content?.['application/json'];
  return {
    status,
    description: answer.description ?? '',
    sample: media === undefined ? null : sampleOfMedia(document, media, false),
    groups: media === undefined ? [] : fieldGroups(document, media.schema ?? {}),
  };
}

/** The codes that the document names for the answers of an operation, in the registry's order. */
function errorsOf(answers: readonly Answer[]): readonly ErrorCode[] {
  const named = new Set(
    answers.flatMap(({ content }) => {
      const schema = content?.['application/json']?.schema ?? {};
      return [schema, ...(schema.allOf ?? [])].flatMap(codesIn);
    }),
  );
  return (Object.keys(ERRORS) as ErrorCode[]).filter((code) => named.has(code));
}

const codesIn = ({ properties }: Schema): readonly unknown[] => properties?.['error']?.enum ?? [];

/** The codes that every operation behind a key may answer with. */
export function errorsOfAll(tags: readonly ShownTag[]): readonly ErrorCode[] {
  const operations = tags.flatMap((tag) => tag.operations).filter(({ needsKey }) => needsKey);
  const [first, ...others] = operations.map(({ errors }) => errors);
  return (first ?? []).filter((code) => others.every((errors) => errors.includes(code)));
}
