interface Root {
  paths?: unknown;
  webhooks?: unknown;
  components?: { schemas?: object };
}

type Members = Readonly<Record<string, unknown>>;

/**
 * Writes every titled object and every titled set of values once, as components.schemas.<title>, and refers to it
 * wherever it stood: a smaller document, and generated clients get types with names. What is said of a set of values at
 * one place (a description, an example, a default) stays there, beside the reference. Two different schemas of one
 * title are a mistake and throw.
 */
export function shareTitledSchemas<Doc extends object>(document: Doc): Doc {
  const shared = new Map<string, { readonly text: string; readonly schema: unknown }>();
  const root = document as Root;

  function hoist(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(hoist);
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).map(([name, item]) => [name, hoist(item)] as const);
    const schema = Object.fromEntries(members) as Members;
    const { title, type } = schema;
    if (typeof title !== 'string') return schema;
    if (Array.isArray(schema['enum'])) {
      const { title: _title, type: _type, enum: values, ...beside } = schema;
      return { $ref: share(title, { title, type, enum: values }), ...beside };
    }
    return type === 'object' ? { $ref: share(title, schema) } : schema;
  }

  function share(title: string, schema: Members): string {
    const text = JSON.stringify(schema);
    const known = shared.get(title);
    if (known !== undefined && known.text !== text) {
      throw new Error(`two schemas are titled ${title}`);
    }
    shared.set(title, { text, schema });
    return `#/components/schemas/${title}`;
  }

  const paths = hoist(root.paths);
  const webhooks = hoist(root.webhooks);
  const given = hoist(root.components?.schemas) as object | undefined;
  const schemas = Object.fromEntries([...shared].map(([title, { schema }]) => [title, schema]));
  root.paths = paths;
  if (webhooks !== undefined) root.webhooks = webhooks;
  root.components = {
    ...root.components,
    schemas: { ...schemas, ...given },
  };
  return document;
}
