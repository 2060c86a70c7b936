// The package types its whole, but not the core that languages are registered with.
declare module 'highlight.js/lib/core' {
  export { default } from 'highlight.js';
}
