import { type Change, diff } from '@codemirror/merge'

export interface Merged {
  text: string
  /** The lines, from 1, at which both changed something. There the text is that of `mine`. */
  conflicts: number[]
}

type Lines = readonly string[]

/** Returns a text with the changes of both since their common base. */
export function mergeTexts(base: string, mine: string, theirs: string): Merged {
  const inBase = base.split('\n')
  const inMine = mine.split('\n')
  const inTheirs = theirs.split('\n')
  const [ofMine, ofTheirs] = changedLines(inBase, inMine, inTheirs)
  const result: string[] = []
  const conflicts: number[] = []
  let at = 0
  for (const { from, to, mine: left, theirs: right } of groupsOf(ofMine, ofTheirs)) {
    result.push(...inBase.slice(at, from))
    const ours = rangeOf(ofMine, inMine, from, to)
    const others = rangeOf(ofTheirs, inTheirs, from, to)
    const isSame = ours.join('\n') === others.join('\n')
    if (left && right && !isSame) conflicts.push(result.length + 1)
    result.push(...(left ? ours : others))
    at = to
  }
  result.push(...inBase.slice(at))
  return { text: result.join('\n'), conflicts }
}

/** Compares by lines: each different line is one character. */
function changedLines(base: Lines, ...others: Lines[]): [readonly Change[], readonly Change[]] {
  const codes = new Map<string, string>()
  const coded = (lines: Lines) => lines.map((line) => codeOf(codes, line)).join('')
  const first = coded(base)
  const [mine = [], theirs = []] = others.map((lines) => diff(first, coded(lines)))
  return [mine, theirs]
}

/** Characters from 256 on, without the halves of surrogate pairs. */
function codeOf(codes: Map<string, string>, line: string): string {
  const known = codes.get(line)
  if (known !== undefined) return known
  const number = 256 + codes.size
  const code = String.fromCharCode(number < 0xd800 ? number : number + 0x800)
  codes.set(line, code)
  return code
}

interface Group {
  from: number
  to: number
  mine: boolean
  theirs: boolean
}

/** Returns the parts of the base that someone changed; changes that touch are one part. */
function groupsOf(mine: readonly Change[], theirs: readonly Change[]): Group[] {
  const all = [
    ...mine.map(({ fromA, toA }) => ({ from: fromA, to: toA, mine: true, theirs: false })),
    ...theirs.map(({ fromA, toA }) => ({ from: fromA, to: toA, mine: false, theirs: true })),
  ].sort((one, two) => one.from - two.from || one.to - two.to)
  const groups: Group[] = []
  for (const change of all) {
    const last = groups.at(-1)
    if (last && change.from <= last.to) {
      last.to = Math.max(last.to, change.to)
      last.mine ||= change.mine
      last.theirs ||= change.theirs
    } else groups.push({ ...change })
  }
  return groups
}

/**
 * Returns the lines of a version that stand where a group of the base was. No other change touches
 * the group.
 */
function rangeOf(changes: readonly Change[], lines: Lines, from: number, to: number): Lines {
  const growth = (before: readonly Change[]) =>
    before.reduce((sum, { fromA, toA, fromB, toB }) => sum + toB - fromB - (toA - fromA), 0)
  const start = from + growth(changes.filter(({ toA }) => toA < from))
  return lines.slice(start, to + growth(changes.filter(({ toA }) => toA <= to)))
}
