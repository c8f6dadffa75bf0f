/** What the editor knows of a text. `compose` is completed by its schema. */
export type Language = 'compose' | 'yaml' | 'env' | 'text'

/** Returns the language of a file by its name. */
export function languageOf(path: string): Language {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (/^(?:docker-)?compose(?:\.[^/]+)?\.ya?ml$/.test(name)) return 'compose'
  if (/\.(?:ya?ml|json)$/.test(name)) return 'yaml'
  return /^\.env(?:\.|$)|\.env$/.test(name) ? 'env' : 'text'
}
