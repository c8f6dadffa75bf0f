import type { YAMLParseError } from 'yaml'

/** What is wrong with the syntax of a file, at an offset of its text. */
export interface SyntaxProblem {
  offset: number
  detail: string
}

/** More errors than a person reads at once: each may look at many lines. */
const errorsMax = 200
/** The number of columns that a message offers. */
const columnsShown = 5
/** The number of lines above an error that are looked at. */
const linesAboveMax = 1000

/**
 * Returns what a person has to mend in a file, one problem for each line, at the line to mend. The
 * parser reports several errors for one mistake, some of them at the line before.
 */
export function syntaxProblems(errors: readonly YAMLParseError[], text: string): SyntaxProblem[] {
  const tabs = errors.filter(({ code }) => code === 'TAB_AS_INDENT')
  const lines = new Map<number, SyntaxProblem>()
  const first = (tabs.length > 0 ? tabs : withoutRest(errors)).slice(0, errorsMax)
  for (const error of first) {
    const problem = problemOf(error, text)
    const start = lineStart(text, problem.offset)
    if (!lines.has(start)) lines.set(start, problem)
  }
  return [...lines.values()]
}

/** Leaves out what the parser says of the rest of a document after an error that ended it. */
const withoutRest = (errors: readonly YAMLParseError[]) =>
  errors.filter(({ message }, at) => at === 0 || !message.includes('in YAML stream'))

function problemOf({ code, pos: [offset, end], message }: YAMLParseError, text: string) {
  const detail = words[code]
  if (detail !== undefined) return { offset, detail }
  if (code === 'BAD_INDENT' && !message.startsWith('Flow')) return badIndent(offset, text)
  if (code === 'BLOCK_AS_IMPLICIT_KEY' || code === 'MULTILINE_IMPLICIT_KEY')
    return badKey(offset, end, text)
  return { offset, detail: (wordsOf(message) ?? message).slice(0, 200) }
}

const words: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'a tab is not allowed as indentation: use spaces',
  RESOURCE_EXHAUSTION: 'the file is nested too deeply',
  KEY_OVER_1024_CHARS: 'a key has more than 1024 characters',
  COMMENT_SPACE: 'a comment needs a space before its #',
  BAD_SCALAR_START: 'a value that begins with this character needs quotes',
  UNEXPECTED_TOKEN:
    'this does not fit here: check indentation, quotes and brackets, also of the line above',
  BLOCK_IN_FLOW: 'a value in [ ] or { } cannot go on as an indented block',
}

/** Returns clearer words for messages of the parser that have no code of their own. */
function wordsOf(message: string): string | undefined {
  const quote = /^Missing closing (["'])/.exec(message)?.[1]
  if (quote) return `a text that begins with ${quote} has no ${quote} at its end`
  const flow = /^Flow (?:sequence|map).* end with a ([\]}])/.exec(message)?.[1]
  if (flow) return `${flow === ']' ? 'a list' : 'a mapping'} has no ${flow} at its end`
  if (message.startsWith('Implicit map keys need')) return noColon
  if (message.startsWith('Sequence item without'))
    return 'an item of a list begins with - and a space'
  return undefined
}

const noColon = 'a key needs a colon and a space behind it'

/** A line whose beginning is in no column of the lines above. */
function badIndent(offset: number, text: string): SyntaxProblem {
  const first = lineStart(text, offset)
  const start = isBlank(text, first) ? (nextLine(text, first) ?? first) : first
  const width = indentAt(text, start)
  const columns = columnsAbove(text, start)
  const fits = columns.includes(width)
  const use = columns.length > 0 && !fits ? `: use ${listed(columns.slice(-columnsShown))}` : ''
  return {
    offset: start + width,
    detail: fits
      ? 'this line does not continue what is above it in the same column'
      : `an indentation of ${width} ${spaces(width)} fits none of the lines above${use}`,
  }
}

/** A key whose line ends the value before it, or begins one inside it. */
function badKey(offset: number, end: number, text: string): SyntaxProblem {
  const start = lineStart(text, offset)
  const width = indentAt(text, start)
  if (offset < start + width || text[start + width] === '-') {
    const columns = columnsAbove(text, start)
    if (!columns.includes(width)) return badIndent(offset, text)
  }
  const next = nextLine(text, start)
  const deeper = next !== undefined && next < end + 1 && indentAt(text, next) > width
  if (next !== undefined && (deeper || isDeeperKey(text, next, width)) && hasValue(text, start)) {
    const own = indentAt(text, next)
    return {
      offset: next + own,
      detail: `an indentation of ${own} spaces makes this part of the value above: use ${width}`,
    }
  }
  const line = text.slice(start, lineEnd(text, start))
  return { offset, detail: hasValue(text, start) && /: .*: /.test(line) ? quoteIt : noColon }
}

const quoteIt = 'a value with a colon and a space in it needs quotes'

/** Returns whether a line is `key: value`. */
const hasValue = (text: string, start: number) =>
  /^\s*(- +)?[^\s#][^#]*?: +\S/.test(text.slice(start, lineEnd(text, start)))

const isDeeperKey = (text: string, start: number, width: number) =>
  indentAt(text, start) > width && /: *|:$/.test(text.slice(start, lineEnd(text, start)))

/** Returns the columns at which a line may begin, by the lines above, narrowest first. */
function columnsAbove(text: string, start: number): number[] {
  const columns: number[] = []
  let at = start
  for (let count = 0; at > 0 && count < linesAboveMax; count += 1) {
    at = lineStart(text, at - 1)
    if (isBlank(text, at)) continue
    const width = indentAt(text, at)
    if (columns.length === 0 || width < (columns.at(-1) ?? 0)) columns.push(width)
    if (width === 0) break
  }
  return columns.reverse()
}

function listed(columns: readonly number[]): string {
  const texts = columns.map(String)
  const last = texts.pop()
  return texts.length === 0 ? `${last}` : `${texts.join(', ')} or ${last}`
}

const spaces = (count: number) => (count === 1 ? 'space' : 'spaces')

/** `lastIndexOf` takes a negative position for 0. */
const lineStart = (text: string, offset: number) =>
  offset <= 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1

function lineEnd(text: string, start: number): number {
  const end = text.indexOf('\n', start)
  return end < 0 ? text.length : end
}

function nextLine(text: string, start: number): number | undefined {
  for (let at = lineEnd(text, start) + 1; at < text.length; at = lineEnd(text, at) + 1)
    if (!isBlank(text, at)) return at
  return undefined
}

const isBlank = (text: string, start: number) =>
  /^\s*(#.*)?$/.test(text.slice(start, lineEnd(text, start)))

function indentAt(text: string, start: number): number {
  let width = 0
  while (text[start + width] === ' ') width += 1
  return width
}
