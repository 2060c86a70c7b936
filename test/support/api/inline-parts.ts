/** As much of an OpenAPI document as is read here. */
interface Shared {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Partial<Record<'parameters' | 'responses', Readonly<Parts>>>>;
}

interface Operation {
  readonly parameters?: readonly object[];
  readonly responses: Readonly<Parts>;
}

type Parts = Record<string, object>;

/** The document with the parameters and responses of its operations in the place of references to them. */
export function inlineParts<Doc extends object>(document: Doc): Doc {
  const { paths, components } = document as unknown as Shared;
  const inline = (kind: 'parameters' | 'responses', part: object): object => {
    if (!('$ref' in part)) return part;
    const found = components[kind]?.[String(part.$ref).replace(`#/components/${kind}/`, '')];
    if (found === undefined) throw new Error(`the document has no ${String(part.$ref)}`);
    return found;
  };
  const whole = (operation: Operation): Operation => ({
    ...operation,
    ...(operation.parameters && {
      parameters: operation.parameters.map((one) => inline('parameters', one)),
    }),
    responses: mapValues(operation.responses, (one) => inline('responses', one)),
  });
  return { ...document, paths: mapValues(paths, (path) => mapValues(path, whole)) };
}

const mapValues = <From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Record<string, To> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
