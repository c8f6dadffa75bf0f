/** A piece of a line with one style. */
export interface Piece {
  text: string
  /** Class names: `bold`, `fg-1` (red), `bg-4`, `level-error`. */
  classes: string
  /** A colour outside of the sixteen, as `rgb(…)`. */
  color?: string
}

const sequences = /\u001b(?:\[([0-9;:]*)([@-~])|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\^_])/g
/** What a terminal would not show either. */
const controls = /[\u0000-\u001f\u007f]/g
const hasControls = /[\u0000-\u001f\u007f]/

/** Returns a line as a person reads it: without escape sequences, with blanks for tabs. */
export function plainText(text: string): string {
  if (!hasControls.test(text)) return text
  const shown = text.includes('\u001b') ? text.replace(sequences, '') : text
  // A progress bar writes its line again and again: the last one is left.
  const last = shown.includes('\r') ? (shown.split('\r').findLast(Boolean) ?? '') : shown
  return last.replaceAll('\t', '    ').replace(controls, '')
}

interface Style {
  flags: Set<string>
  fg?: string | undefined
  bg?: string | undefined
  color?: string | undefined
}

/** Returns the pieces of a line by the colours that it asks for. */
export function piecesOf(text: string): Piece[] {
  if (!text.includes('\u001b')) return [{ text: plainText(text), classes: '' }]
  const pieces: Piece[] = []
  const style: Style = { flags: new Set() }
  let from = 0
  const take = (until: number) => {
    const words = plainText(text.slice(from, until))
    if (words === '') return
    const names = [...style.flags, style.fg, style.bg].filter(Boolean).join(' ')
    pieces.push({ text: words, classes: names, ...(style.color && { color: style.color }) })
  }
  for (const match of text.matchAll(sequences)) {
    take(match.index)
    from = match.index + match[0].length
    if (match[2] === 'm') change(style, (match[1] ?? '').split(/[;:]/).map(Number))
  }
  take(text.length)
  return pieces
}

const flags: Readonly<Record<number, string>> = { 1: 'bold', 2: 'dim', 3: 'italic', 4: 'underline' }

/** Applies one "select graphic rendition". */
function change(style: Style, codes: number[]): void {
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0
    const flag = flags[code]
    if (code === 0) reset(style)
    else if (flag) style.flags.add(flag)
    else if (code === 22) for (const one of ['bold', 'dim']) style.flags.delete(one)
    else if (code === 23 || code === 24) style.flags.delete(flags[code - 20] ?? '')
    else if (code === 38 || code === 48) at += extended(style, code, codes.slice(at + 1))
    else paint(style, code)
  }
}

function reset(style: Style): void {
  style.flags.clear()
  style.fg = undefined
  style.bg = undefined
  style.color = undefined
}

function paint(style: Style, code: number): void {
  const ground = Math.floor(code / 10)
  const number = code % 10
  if (number > 7 && number !== 9) return
  const name = number === 9 ? undefined : String(ground >= 9 ? number + 8 : number)
  if (ground === 3 || ground === 9) {
    style.fg = name && `fg-${name}`
    style.color = undefined
  } else if (ground === 4 || ground === 10) {
    style.bg = name && `bg-${name}`
  }
}

/** Applies a colour of the 256, or of all. Returns how many codes it took. */
function extended(style: Style, code: number, [kind, ...rest]: number[]): number {
  if (kind === 2) {
    if (code === 38) style.color = `rgb(${rest.slice(0, 3).map(Number).join(' ')})`
    return 4
  }
  if (kind !== 5) return 0
  const index = rest[0] ?? 0
  if (index < 16) {
    style[code === 38 ? 'fg' : 'bg'] = `${code === 38 ? 'fg' : 'bg'}-${index}`
    style.color = undefined
  } else if (code === 38) {
    style.color = `rgb(${ofTable(index).join(' ')})`
  }
  return 2
}

/** Returns a colour of the table of 256: a cube of six steps a side, then greys. */
function ofTable(index: number): number[] {
  if (index >= 232) return Array<number>(3).fill((index - 232) * 10 + 8)
  const step = (value: number) => (value % 6 === 0 ? 0 : (value % 6) * 40 + 55)
  const at = index - 16
  return [step(Math.floor(at / 36)), step(Math.floor(at / 6)), step(at)]
}
