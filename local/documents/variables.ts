import { present } from '../../adapters/testing/present.ts'
import type { Page } from './pages.ts'

/** Documented variables that belong to other programs, such as the AWS SDK, Node.js and Java. */
const ofOthers = new Set([
  ...['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_PROFILE'],
  ...['JAVA_HOME', 'PATH', 'NODE_EXTRA_CA_CERTS', 'MALLOC_ARENA_MAX'],
  ...['AGENT_SERVER', 'AGENT_HOME'],
])

/** Variables that the terminal and the operating system set. */
const ofTheSystem = new Set([
  ...['HOME', 'USERPROFILE', 'APPDATA', 'TERM', 'DISPLAY', 'WAYLAND_DISPLAY'],
  'AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED',
])

/** Returns the variables that a page names in table cells that hold nothing but code. */
export function namedVariables({ text }: Page): Set<string> {
  const cells = text.match(/\| (?:`[^`|]+`(?:, )?)+ (?=\|)/g) ?? []
  const spans = cells.flatMap((cell) => cell.match(/[^`|]+/g) ?? [])
  return new Set(spans.filter((span) => /^[A-Z][A-Z0-9_]+$/.test(span)))
}

/** Returns the names of the environment variables that a source reads. */
export function readVariables(source: string): Set<string> {
  const found = source.matchAll(/\b(?:env|environment)\.([A-Z][A-Z0-9_]+)\b/g)
  return new Set([...found].map(([, name]) => present(name)))
}

/** Returns the variables that are read but not documented, and those documented but never read. */
export function variableOffences(named: ReadonlySet<string>, read: ReadonlySet<string>): string[] {
  const missing = [...read].filter((name) => !named.has(name) && !ofTheSystem.has(name))
  const unread = [...named].filter((name) => !read.has(name) && !ofOthers.has(name))
  return [
    ...missing.map((name) => `${name} is read and not documented`),
    ...unread.map((name) => `${name} is documented and not read`),
  ]
}
