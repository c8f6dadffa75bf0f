import type { Source } from '../rules/source.ts'

/** The file with the routes of the API. It imports every endpoint. */
export const manifest = 'serverless.ts'
const commandList = 'cli/commands.ts'
const screenList = 'web/routes.ts'

const route = /^\s*'[A-Z]+\s+(\/[^']+)':\s*\(\) => import\('\.\/([^']+)'\)/gm
const command = /^ {2}'?([a-z][a-z -]*)'?: entry\([^;]*?import\('\.\/([^']+)'\)/gm
const screen = /path: '(\/[^']*)',[^}]*?import\('\.\/([^']+)'\)/g

/** A file, and how a test names what it makes: a route, a command or a page of the browser UI. */
export interface NamedFile {
  file: string
  name: string
  pattern: RegExp
}

/** Returns the path of each route of the API, such as `/stacks/{name}`, with its endpoint. */
export function routesOf(sources: readonly Source[]): { address: string; file: string }[] {
  return pairsIn(sources, manifest, route).map(([address, file]) => ({ address, file }))
}

/**
 * Returns the endpoints, commands and screens that tests name, such as by `/stacks/shop/deploy` or
 * `['stacks', 'deploy', …]`.
 */
export function namedFiles(sources: readonly Source[]): NamedFile[] {
  return [
    ...routesOf(sources).map(({ address, file }) => addressed(address, file)),
    ...pairsIn(sources, screenList, screen).map(([one, file]) => addressed(one, `web/${file}`)),
    ...pairsIn(sources, commandList, command).map(([words, file]) => called(words, `cli/${file}`)),
  ]
}

/** A command of one word is found in the words of a call alone: that word may have another use. */
function called(words: string, file: string): NamedFile {
  const before = words.includes(' ') ? "['`]" : "\\['"
  const between = words.replaceAll(' ', "(?:', '| )")
  return { file, name: `cli ${words}`, pattern: new RegExp(`${before}${between}(?=['\` ])`) }
}

/** Any value takes the place of a parameter: `{name}` in a route, `:name` in a screen. */
function addressed(address: string, file: string): NamedFile {
  const parts = address.split(/\{[^}]+\}|:\w+\*?/)
  const escaped = parts.map((part) => part.replace(/[.+]/g, '\\$&'))
  return {
    file,
    name: address,
    pattern: new RegExp(`['\`}]${escaped.join("(?:\\$\\{[^}]*\\}|[^/'`?])+")}(?=['\`?#])`),
  }
}

/** Returns what the two groups of a pattern match in a file, by turns. */
function pairsIn(sources: readonly Source[], path: string, pattern: RegExp): [string, string][] {
  const text = sources.find((one) => one.path === path)?.text ?? ''
  return [...text.matchAll(pattern)].map(([, name = '', file = '']) => [name, file])
}
