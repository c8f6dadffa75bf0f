/** The directories that compose files name, relative to their own directory; '' is that one. */
export interface ComposePlaces {
  /** What a container may write to. */
  writable: readonly string[]
  /** Build contexts. */
  contexts: readonly string[]
}

/** `./data:/var/lib/data:ro`, alone or in a list of one line. */
const shortMount = /(?<=["'\s[,])(\.[^:"'\s,\]]*):(\/[^:"'\s,\]]*)(?::([^"'\s,\]]*))?/g
const longMount = /\bsource:\s*["']?(\.[^\s"',}]*)/g
const context = /\b(?:build|context):[ \t]*["']?([\w./-]+)["']?[ \t]*(?:#.*|[,}].*)?$/gm

/**
 * Returns the places that compose files name, as they are written: variables, anchors of lists and
 * paths outside of the directory are not followed. The service reads the files in full.
 */
export function placesIn(texts: string): ComposePlaces {
  const short = [...texts.matchAll(shortMount)].flatMap(([, source = '', , options = '']) =>
    options.split(',').includes('ro') ? [] : [source],
  )
  const long = [...texts.matchAll(longMount)].flatMap((match) =>
    /\bread_only:\s*true/.test(itemAround(texts, match.index)) ? [] : [match[1] ?? ''],
  )
  const contexts = [...texts.matchAll(context)].map(([, path = '']) => path)
  return { writable: inside([...short, ...long]), contexts: inside(contexts) }
}

/** Returns the item of a list that a position is in. */
function itemAround(text: string, at: number): string {
  const begin = Math.max(text.lastIndexOf('- ', at), 0)
  const rest = text.slice(at)
  const end = rest.search(/\n\s*(?:-|$)|\n\S|\}/)
  return text.slice(begin, end < 0 ? text.length : at + end)
}

function inside(paths: readonly string[]): string[] {
  const all = paths
    .map((path) => path.split('/').filter((part) => part !== '' && part !== '.'))
    .filter((parts) => !parts.includes('..'))
  return [...new Set(all.map((parts) => parts.join('/')))]
}

/** Returns whether a path is a directory or lies in it; everything lies in ''. */
export const isIn = (path: string, directory: string): boolean =>
  directory === '' || path === directory || path.startsWith(`${directory}/`)
