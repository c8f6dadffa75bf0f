import { partBefore } from '../part-before.ts'
import { attempt, Problem, type Report, raise } from '../yaml/problem.ts'
import type { Lookup } from './template.ts'
import { substitute, TemplateError } from './template.ts'

/**
 * Parses a `.env` text: `KEY=value`, `KEY: value`, `export KEY=value`, or `KEY` alone to take the
 * value from `lookup`. Values may be in double quotes (with escapes and variables), in single
 * quotes (literal) or unquoted (up to ` #`, with variables). Variables are looked up in `lookup`,
 * then among the preceding keys, then in `known` (earlier files). Returns the variables of this
 * text only. If `report` keeps problems, the lines that have them are skipped.
 *
 * @throws Problem with the line
 */
export function parseDotenv(
  text: string,
  file: string,
  lookup: Lookup = () => undefined,
  known: ReadonlyMap<string, string> = new Map(),
  report: Report = raise,
): Map<string, string> {
  const source = normalized(text)
  const result = new Map<string, string>()
  const resolve: Lookup = (name) => lookup(name) ?? result.get(name) ?? known.get(name)
  const reader: Reader = { source, file, at: 0 }
  const readStatement = () => {
    const { key, bare } = readKey(reader)
    const read = () => (bare ? lookup(key) : readValue(reader, resolve))
    const value = attempt(read, (problem) => skipped(problem, reader, report), '')
    if (value !== undefined) result.set(key, value)
  }
  while (skipToStatement(reader)) {
    attempt(readStatement, (problem) => skipped(problem, reader, report), undefined)
  }
  return result
}

const normalized = (text: string) => text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')

/** A statement of a `.env` text, such as `KEY=value`. */
export interface DotenvStatement {
  key: string
  /** As it is written, with a comment behind an unquoted value. */
  text: string
  /** The value before its variables are replaced; undefined for `KEY` alone. */
  value: string | undefined
  /** In single quotes, so that its variables stay. */
  isLiteral: boolean
  /** Where `text` begins and ends in `source`. */
  start: number
  end: number
}

/**
 * Returns the statements of a `.env` text in their order, without replacing variables.
 *
 * @returns `source`: the text without a byte order mark and with plain line ends
 * @throws Problem with the line
 */
export function splitDotenv(
  text: string,
  file: string,
): { source: string; statements: DotenvStatement[] } {
  const source = normalized(text)
  const reader: Reader = { source, file, at: 0 }
  const statements: DotenvStatement[] = []
  while (skipToStatement(reader)) {
    const start = reader.at
    const { key, bare } = readKey(reader)
    const written = bare ? undefined : readWritten(reader)
    const own = source.slice(start, reader.at).trimEnd()
    statements.push({
      key,
      text: own,
      value: written?.text,
      isLiteral: written?.isLiteral ?? false,
      start,
      end: start + own.length,
    })
  }
  return { source, statements }
}

/**
 * Reports a problem and goes to the end of its line; an open quote has no other end than the
 * text's.
 */
function skipped(problem: Problem, reader: Reader, report: Report): void {
  report(problem)
  const end = problem.detail === openQuote ? -1 : reader.source.indexOf('\n', reader.at)
  reader.at = end < 0 ? reader.source.length : end
}

const openQuote = 'unterminated quoted value'

/** Parses an `env_file` with the format `raw`: values are literal, without quotes or variables. */
export function parseRawEnv(text: string, lookup: Lookup = () => undefined): Map<string, string> {
  const result = new Map<string, string>()
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const statement = line.trimStart()
    if (statement === '' || statement.startsWith('#')) continue
    const equals = statement.indexOf('=')
    const value = equals < 0 ? lookup(statement.trim()) : statement.slice(equals + 1)
    const key = equals < 0 ? statement.trim() : statement.slice(0, equals)
    if (value !== undefined) result.set(key, value)
  }
  return result
}

interface Reader {
  source: string
  file: string
  at: number
}

/** Skips white space and comments. Returns false at the end of the text. */
function skipToStatement(reader: Reader): boolean {
  const blanks = /\s*(?:#[^\n]*)?/y
  do {
    blanks.lastIndex = reader.at
    blanks.exec(reader.source)
    if (blanks.lastIndex === reader.at) break
    reader.at = blanks.lastIndex
  } while (reader.at < reader.source.length)
  return reader.at < reader.source.length
}

function readKey(reader: Reader): { key: string; bare: boolean } {
  const blank = /(?:export[^\S\n]+)?/y
  blank.lastIndex = reader.at
  blank.exec(reader.source)
  const start = blank.lastIndex
  let at = start
  while (at < reader.source.length && !'=:\n'.includes(reader.source.charAt(at))) {
    const [code = ''] = reader.source.slice(at, at + 2)
    if (!/[\p{L}\p{N}_.\-[\]\s]/u.test(code)) {
      const line = reader.source.slice(start).split('\n', 1)[0]
      fail(reader, `unexpected character "${code}" in variable name "${line}"`)
    }
    at += code.length
  }
  const key = reader.source.slice(start, at).trimEnd()
  if (/\s/.test(key)) fail(reader, 'key cannot contain a space')
  const bare = at >= reader.source.length || reader.source[at] === '\n'
  reader.at = Math.min(at + 1, reader.source.length)
  return { key, bare }
}

function readValue(reader: Reader, resolve: Lookup): string {
  const { text, isLiteral } = readWritten(reader)
  return isLiteral ? text : expand(reader, text, resolve)
}

/** Reads a value without replacing its variables. */
function readWritten(reader: Reader): { text: string; isLiteral: boolean } {
  const blank = /[^\S\n]*/y
  blank.lastIndex = reader.at
  blank.exec(reader.source)
  reader.at = blank.lastIndex
  const quote = reader.source[reader.at]
  if (quote === '"') {
    return { text: withoutEscapes(readQuoted(reader, '"')), isLiteral: false }
  }
  if (quote === "'") return { text: readQuoted(reader, "'"), isLiteral: true }
  const end = reader.source.indexOf('\n', reader.at)
  const line = reader.source.slice(reader.at, end < 0 ? undefined : end)
  reader.at = end < 0 ? reader.source.length : end
  return { text: partBefore(line, ' #').trimEnd(), isLiteral: false }
}

/** Reads a quoted value, which may span lines. Only an escaped quote is unescaped. */
function readQuoted(reader: Reader, quote: string): string {
  let value = ''
  for (let at = reader.at + 1; at < reader.source.length; at++) {
    const character = reader.source.charAt(at)
    if (character === quote) {
      reader.at = at + 1
      return value
    }
    if (character === '\\' && at + 1 < reader.source.length) {
      at += 1
      value += reader.source[at] === quote ? quote : `\\${reader.source[at]}`
    } else value += character
  }
  // The error does not repeat the value because it may be a secret.
  return fail(reader, openQuote)
}

const escapes: Record<string, string> = {
  a: '\x07',
  b: '\b',
  c: '',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '"': '"',
  '\\': '\\',
  // `$$` survives the substitution that follows as a single dollar.
  $: '$$',
}

const withoutEscapes = (text: string) =>
  text.replace(/\\(0[0-7]{1,3}|[\s\S])/g, (whole, code: string) =>
    code.length > 1
      ? String.fromCharCode(Number.parseInt(code, 8) & 0xff)
      : (escapes[code] ?? whole),
  )

function expand(reader: Reader, text: string, resolve: Lookup): string {
  try {
    return substitute(text, resolve)
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    return fail(reader, error.message)
  }
}

function fail(reader: Reader, detail: string): never {
  const line = reader.source.slice(0, Math.min(reader.at, reader.source.length)).split('\n').length
  throw new Problem('semantic', detail, { position: { file: reader.file, line } })
}
