import { anySpace, trimSpace, whiteSpace } from './white-space.ts'

const skipped = new RegExp(`^${whiteSpace}*(#|$)`)
const start = new RegExp(`^(?:${whiteSpace}|\\ufeff)*([A-Za-z\\u0130]+)(?:${anySpace}+(.*))?$`, 's')
const directive = new RegExp(
  `^#${whiteSpace}*([a-z][a-z0-9]*)${whiteSpace}*=${whiteSpace}*(.+)$`,
  'i',
)

/** An instruction of a Dockerfile with its continuation lines, before variables are replaced. */
export interface Instruction {
  /** The number of its first line, from 1. */
  line: number
  /** In upper case. */
  word: string
  /** What follows the word, flags included. */
  text: string
}

/** An escape character, which also continues lines. */
export type Escape = '\\' | '`'

/** Returns the lines of a Dockerfile without their ends and without a byte order mark. */
export const linesOf = (text: string): string[] => text.replace(/^\uFEFF/, '').split(/\r?\n/)

/** What begins at a line of a Dockerfile. */
interface JoinedLine {
  /** The line with its continuation lines; empty for a comment or a blank line. */
  text: string
  /** The index of the line after it. */
  next: number
}

/**
 * Returns for each line what begins there: a line that ends with the escape character continues on
 * the next; comments and blank lines in between are skipped.
 *
 * @param max cuts each text after that many characters
 */
export function joinLines(
  lines: readonly string[],
  escapeWith: Escape,
  max = Number.POSITIVE_INFINITY,
): JoinedLine[] {
  const continued = escapeWith === '\\' ? /\\[ \t]*$/ : /`[ \t]*$/
  const joined: JoinedLine[] = []
  let after: JoinedLine = { text: '', next: lines.length }
  for (const [index, line] of [...lines.entries()].reverse()) {
    if (skipped.test(line)) {
      joined.push({ text: '', next: index + 1 })
      continue
    }
    const end = line.search(continued)
    const text = end < 0 ? line : line.slice(0, end) + after.text
    after = { text: text.slice(0, max), next: end < 0 ? index + 1 : after.next }
    joined.push(after)
  }
  return joined.reverse()
}

/** Returns the instruction of a joined line, or undefined if it does not begin with a word. */
export function instructionIn(joined: string, line: number): Instruction | undefined {
  const [, first, after = ''] = start.exec(joined) ?? []
  // The builder converts U+0130 to the lower-case letter i.
  const word = first?.replaceAll('\u0130', 'I').toUpperCase()
  return word === undefined ? undefined : { line, word, text: trimSpace(after) }
}

/**
 * Returns the directives of a Dockerfile. They come before everything else except a `#!` line; the
 * first of each name counts.
 */
export function directivesOf(lines: readonly string[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const [index, line] of lines.entries()) {
    if (index === 0 && line.startsWith('#!')) continue
    const [, key, value] = directive.exec(trimSpace(line)) ?? []
    if (key === undefined || value === undefined) break
    if (!found.has(key.toLowerCase())) found.set(key.toLowerCase(), value)
  }
  return found
}

/** Splits what follows the word of an instruction into flags, without their `--`, and the rest. */
export function splitFlags({ text }: Instruction): { flags: string[]; rest: string } {
  const flags: string[] = []
  let rest = text
  for (;;) {
    const [whole, flag] = /^--(\S+)\s*/.exec(rest) ?? []
    if (whole === undefined || flag === undefined) return { flags, rest }
    flags.push(flag)
    rest = rest.slice(whole.length)
  }
}
