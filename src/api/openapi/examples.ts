import { ERROR_CODES } from '../../domain/errors/registry.ts';
import { ID_PREFIXES } from '../../domain/ids.ts';
import { errorExample } from '../examples/error-examples.ts';
import { exampleId } from '../examples/operation-example.ts';
import { OPERATION_EXAMPLES } from '../examples/operation-examples.ts';

/** As much of an OpenAPI document as is changed here. */
interface Document {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components?: { examples?: object };
}

interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content?: Content };
  readonly responses?: Readonly<Record<string, { readonly content?: Content }>>;
}

interface Parameter {
  readonly name: string;
  example?: unknown;
}

type Content = Readonly<Record<string, Media>>;

interface Media {
  readonly schema?: { readonly allOf?: readonly ErrorPart[] };
  example?: unknown;
  examples?: Record<string, object>;
}

interface ErrorPart {
  readonly properties?: { readonly error?: { readonly enum?: readonly string[] } };
}

const JSON_TYPE = 'application/json';

/** The example of the id that a parameter names; undefined for every other parameter. */
const ID_OF_PARAMETER = new Map(
  Object.entries(ID_PREFIXES).map(([name, prefix]) => [`${name}Id`, exampleId(prefix)]),
);

/**
 * Gives every operation its examples: of the body, of each good answer, of each id, and of each error that it
 * may answer with. The errors' stand once, under `components.examples`, by their code.
 */
export function addExamples<Doc extends object>(document: Doc): Doc {
  const root = document as Document;
  const used = new Set<string>();
  for (const operation of Object.values(root.paths ?? {}).flatMap((path) => Object.values(path))) {
    for (const parameter of operation.parameters ?? []) {
      const id = ID_OF_PARAMETER.get(parameter.name);
      if (parameter.example === undefined && id !== undefined) parameter.example = id;
    }
    for (const [status, { content = {} }] of Object.entries(operation.responses ?? {})) {
      if (!/^[45]/.test(status)) continue;
      for (const code of addErrors(content[JSON_TYPE])) used.add(code);
    }
    addOwn(operation);
  }
  const errors = ERROR_CODES.filter((code) => used.has(code)).map(
    (code) => [code, errorExample(code)] as const,
  );
  root.components = { ...root.components, examples: Object.fromEntries(errors) };
  return document;
}

function addOwn({ operationId = '', requestBody, responses = {} }: Operation): void {
  for (const [name, example] of Object.entries(OPERATION_EXAMPLES[operationId] ?? {})) {
    const { summary, request, status, answer, mediaType = JSON_TYPE } = example;
    // A merge patch is taken under two types, which share one description.
    const bodies = new Set(Object.values(requestBody?.content ?? {}));
    if (request !== undefined) for (const body of bodies) add(body, name, summary, request);
    const media = responses[String(status)]?.content?.[mediaType];
    if (answer !== undefined && media !== undefined) add(media, name, summary, answer);
  }
}

/** `example` and `examples` exclude each other. */
function add(media: Media, name: string, summary: string, value: unknown): void {
  delete media.example;
  media.examples = { ...media.examples, [name]: { summary, value } };
}

/** Refers to the example of each code that an answer may have, and says which they are. */
function addErrors(media: Media | undefined): readonly string[] {
  const codes = media?.schema?.allOf?.[1]?.properties?.error?.enum ?? [];
  if (media === undefined || codes.length === 0) return [];
  media.examples = Object.fromEntries(
    codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
  );
  return codes;
}
