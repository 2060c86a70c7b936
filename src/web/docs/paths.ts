import { slugOf } from './reference/reference.ts';

/** Where everything is. `base` is the path that the whole service is under, without a slash at its end. */
export function createPaths(base: string) {
  const docs = `${base}/docs`;
  return {
    home: docs,
    guide: (slug: string) => `${docs}/guides/${slug}`,
    tag: (name: string) => `${docs}/reference/${slugOf(name)}`,
    operation: ({ tag, id }: { readonly tag: string; readonly id: string }) =>
      `${docs}/reference/${slugOf(tag)}#${id}`,
    errors: `${docs}/errors`,
    error: (code: string) => `${docs}/errors#${code}`,
    events: `${docs}/events`,
    event: (type: string) => `${docs}/events#${type}`,
    openApi: `${base}/api/v1/openapi.json`,
    /** A path of the API or of a file, as the browser asks for it. */
    at: (path: string) => base + path,
  };
}

export type Paths = ReturnType<typeof createPaths>;
