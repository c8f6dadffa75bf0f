import { isScalar, parseAllDocuments, visit } from 'yaml'

/** The attributes of a compose file that name files to read. */
const reading = new Set(['env_file', 'label_file', 'include', 'extends'])

/**
 * Returns the texts below the attributes that name files, from a compose file that may have
 * problems. Not all of them are paths.
 */
export function mentionedPaths(text: string): string[] {
  const found = new Set<string>()
  for (const document of parseAllDocuments(text, { logLevel: 'silent' })) {
    visit(document, {
      Pair(_, { key, value }) {
        if (!isScalar(key) || !reading.has(String(key.value))) return
        visit(value as Parameters<typeof visit>[0], {
          Scalar(_key, { value: path }) {
            if (typeof path === 'string' && path !== '') found.add(path)
          },
        })
      },
    })
  }
  return [...found]
}
