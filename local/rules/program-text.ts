import { createScanner, LanguageVariant, SyntaxKind } from 'typescript/unstable/ast'
import { present } from '../../adapters/testing/present.ts'

/** A text in a program that people read. */
export interface ProgramText {
  kind: 'comment' | 'string'
  text: string
  /** The number of its first line in the file, from 1. */
  line: number
  /** The complete lines that contain it. */
  lines: string[]
}

const comments = new Set([SyntaxKind.SingleLineCommentTrivia, SyntaxKind.MultiLineCommentTrivia])
const strings = new Set([
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateHead,
  SyntaxKind.TemplateMiddle,
  SyntaxKind.TemplateTail,
])
/** A slash after one of these divides. After any other token it begins a regular expression. */
const operands = new Set([
  SyntaxKind.Identifier,
  SyntaxKind.PrivateIdentifier,
  SyntaxKind.NumericLiteral,
  SyntaxKind.BigIntLiteral,
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateTail,
  SyntaxKind.CloseParenToken,
  SyntaxKind.CloseBracketToken,
  SyntaxKind.CloseBraceToken,
  SyntaxKind.ThisKeyword,
])
const spaces = new Set([SyntaxKind.WhitespaceTrivia, SyntaxKind.NewLineTrivia])

/** Returns the comments and strings of a TypeScript or JavaScript file. */
export function spokenIn(source: string): ProgramText[] {
  const fileLines = source.split('\n')
  const lineStarts = startsOf(fileLines)
  return [...textsOf(source)].flatMap(({ kind, start, end, value }): ProgramText[] => {
    if (kind === 'pattern') return []
    const first = lineOf(start, lineStarts)
    const last = lineOf(end - 1, lineStarts)
    const text = kind === 'comment' ? wordsOf(source.slice(start, end)) : value
    return [{ kind, text, line: first + 1, lines: fileLines.slice(first, last + 1) }]
  })
}

/**
 * Returns a file with blanks instead of its comments, strings and regular expressions. Lines keep
 * their lengths.
 */
export function codeOf(source: string): string {
  let code = ''
  for (const { start, end } of textsOf(source)) {
    code += source.slice(code.length, start)
    code += source.slice(start, end).replace(/[^\n]/g, ' ')
  }
  return code + source.slice(code.length)
}

interface FoundText {
  kind: ProgramText['kind'] | 'pattern'
  start: number
  end: number
  value: string
}

function* textsOf(source: string): Generator<FoundText> {
  const scanner = createScanner(false, LanguageVariant.Standard, source)
  /** For each open brace, whether it belongs to a template. */
  const braces: boolean[] = []
  let previous = SyntaxKind.Unknown
  for (;;) {
    let token = scanner.scan()
    if (token === SyntaxKind.EndOfFile) return
    if (spaces.has(token)) continue
    const isSlash = token === SyntaxKind.SlashToken || token === SyntaxKind.SlashEqualsToken
    if (isSlash && !operands.has(previous)) token = scanner.reScanSlashToken()
    if (token === SyntaxKind.OpenBraceToken) braces.push(false)
    if (token === SyntaxKind.CloseBraceToken && braces.pop()) {
      token = scanner.reScanTemplateToken(false)
      if (token === SyntaxKind.TemplateMiddle) braces.push(true)
    }
    if (token === SyntaxKind.TemplateHead) braces.push(true)
    const kind = kindOf(token)
    if (kind) {
      const [start, end] = [scanner.getTokenStart(), scanner.getTokenEnd()]
      yield { kind, start, end, value: scanner.getTokenValue() }
    }
    if (kind !== 'comment') previous = token
  }
}

function kindOf(token: SyntaxKind): FoundText['kind'] | undefined {
  if (comments.has(token)) return 'comment'
  if (token === SyntaxKind.RegularExpressionLiteral) return 'pattern'
  return strings.has(token) ? 'string' : undefined
}

/** Returns the text of a comment as one line, without its delimiters. */
const wordsOf = (comment: string) =>
  comment
    .replace(/^\/\*\*?|\*\/$|^\s*\* ?|^\/\/ ?/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim()

function startsOf(lines: readonly string[]): number[] {
  let at = 0
  return lines.map((line) => {
    const start = at
    at += line.length + 1
    return start
  })
}

/** Returns the index of the line that a position is on. */
function lineOf(position: number, starts: readonly number[]): number {
  let [low, high] = [0, starts.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (present(starts[middle]) <= position) low = middle
    else high = middle
  }
  return low
}
