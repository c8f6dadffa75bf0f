import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** A call as `POST /stacks/{name}/deploy`. */
export type Call = `${string} /${string}`

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Returns the modules of the browser UI as they are bundled: without types, and without functions
 * that nothing uses.
 */
export async function bundledModules(): Promise<Map<string, string>> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['web/main.tsx'],
    outdir: 'dist',
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
    packages: 'external',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    tsconfigRaw: {},
    define: { WORKERS: '{}' },
    loader: { '.css': 'empty', '.woff2': 'empty', '.svg': 'empty' },
  })
  return new Map(outputFiles.flatMap(({ text }) => modulesIn(text)))
}

/** A comment of the bundler stands before each module. */
const modulesIn = (output: string): [string, string][] =>
  output
    .split(/^\/\/ (?=web\/)/m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n')
      return [part.slice(0, end), part.slice(end)]
    })

/**
 * Returns the calls of the API in bundled modules, each with the modules that make it.
 *
 * @throws Error if a call is made in a way that this cannot read
 */
export function callsIn(modules: ReadonlyMap<string, string>): Map<Call, string[]> {
  const found = new Map<Call, string[]>()
  for (const [module, text] of modules) {
    const calls = [...clientCalls(module, text), ...reads(text), ...feeds(text), ...bareCalls(text)]
    for (const call of calls) found.set(call, [...(found.get(call) ?? []), module])
  }
  return found
}

/** `api.POST('/path'`, or with a template that begins with a constant. */
function clientCalls(module: string, text: string): Call[] {
  const calls = text.matchAll(
    /\bapi\d*\.([A-Z]+)\(\s*(?:"([^"]*)"|`\$\{(\w+)\}([^`$]*)`|(.{0,30}))/g,
  )
  return [...calls].map(([all, method, literal, name, rest]) => {
    if (literal !== undefined) return `${method} ${literal}` as Call
    const start = new RegExp(`const ${name} = "([^"]*)"`).exec(text)?.[1]
    if (start === undefined) throw new Error(`${module} hides the path of ${all}`)
    return `${method} ${start}${rest}` as Call
  })
}

/** `useResource('/path'`, or with one of the paths that the module has. */
function reads(text: string): Call[] {
  const calls = [...text.matchAll(/(?<!function )\b(?:useResource|useList|usePolled)\d*\(\s*("?)/g)]
  const literals = text.matchAll(/\b(?:useResource|useList|usePolled)\d*\(\s*"([^"]*)"/g)
  const paths = [...literals].map(([, path]) => path)
  const others = calls.some(([, quote]) => quote === '') ? text.matchAll(/: "(\/[^"]*)"/g) : []
  return [...paths, ...[...others].map(([, path]) => path)].map((path) => `GET ${path}` as Call)
}

/** Each path of a feed is opened: only the request for a ticket has a similar one. */
const feeds = (text: string): Call[] =>
  [...text.matchAll(/"(\/ws\/(?!ticket)[^"]*)"/g)].map(([, path]) => `GET ${path}` as Call)

/** Requests of the session itself, which the client cannot send. */
function bareCalls(text: string): Call[] {
  const posts = text.matchAll(/\bpost\d*\("(\/[^"]*)"/g)
  const gets = text.matchAll(
    /\b(?:fetch|timedFetch\d*|location\.assign)\(`\$\{base\d*\}(\/[^`]*)`/g,
  )
  return [
    ...[...posts].map(([, path]) => `POST ${path}` as Call),
    ...[...gets].map(([, path]) => `GET ${pathOf(path ?? '')}` as Call),
  ]
}

const pathOf = (template: string) =>
  template.replace(/\?.*$/, '').replace(/\$\{encodeURIComponent\((\w+)\)\}/g, '{$1}')
