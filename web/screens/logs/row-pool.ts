import type { Piece } from './ansi.ts'
import type { LogLine, LogRing } from './log-ring.ts'
import { moreClass, type ShownAs, shownPieces, timeOf, wrapPieces } from './shown-line.ts'

/** A row in the page, and what it shows. */
interface Row {
  element: HTMLElement
  time: HTMLElement
  source: HTMLElement
  text: HTMLElement
  top: number
}

/** Height of one row of text. */
export const rowHeight = 20

/**
 * The rows in the page by the sequence numbers of their lines. Rows that leave the view are filled
 * again; they stay in the order of the log, so that a selection covers what it seems to cover.
 */
export class RowPool {
  readonly #place: HTMLElement
  readonly #rows = new Map<number, Row>()
  #free: Row[] = []
  /** Rows that hold the ends of a selection stay. */
  pinned: readonly number[] = []

  constructor(place: HTMLElement) {
    this.#place = place
  }

  /** Shows lines, which are in their order. */
  show(ring: LogRing, wanted: readonly number[], base: number, display: ShownAs): void {
    const kept = new Set([...wanted, ...this.pinned])
    const free = this.#release((sequence) => kept.has(sequence))
    for (const sequence of wanted) {
      const line = ring.get(sequence)
      if (!line || this.#rows.has(sequence)) continue
      const row = free.shift() ?? makeRow()
      fill(row, line, display)
      this.#rows.set(sequence, row)
    }
    for (const { element } of free) element.remove()
    this.#free = free
    this.#arrange(ring, base)
  }

  /** Returns the rows that can be filled again, those that are still in the page first. */
  #release(isKept: (sequence: number) => boolean): Row[] {
    const gone = [...this.#rows].filter(([sequence]) => !isKept(sequence))
    for (const [sequence] of gone) this.#rows.delete(sequence)
    const rows = gone.sort(([one], [other]) => one - other).map(([, row]) => row)
    // Rows that stay must not move, or a selection in them would end.
    if (this.#rows.size > 0) for (const { element } of rows) element.remove()
    return [...rows, ...this.#free]
  }

  /** Puts the rows into their order and their places; touches only those that differ. */
  #arrange(ring: LogRing, base: number): void {
    let next: Element | null = null
    const sequences = [...this.#rows.keys()].sort((one, other) => other - one)
    for (const sequence of sequences) {
      const row = this.#rows.get(sequence) as Row
      // A line that has gone keeps its place while it is in sight.
      const top = sequence < ring.first ? row.top : (ring.topOf(sequence) - base) * rowHeight
      if (row.element.nextElementSibling !== next || !row.element.isConnected) {
        this.#place.insertBefore(row.element, next)
      }
      if (row.top !== top) {
        row.top = top
        row.element.style.transform = `translateY(${top}px)`
      }
      next = row.element
    }
  }

  /** Fills every row again, after a change of the display options. */
  empty(): void {
    this.#rows.clear()
    this.#free = []
    this.#place.replaceChildren()
  }

  /** Returns the line and the offset in its text of a place in the page. */
  find(node: Node | null, offset: number): { sequence: number; offset: number } | undefined {
    for (const [sequence, { element, text }] of this.#rows) {
      if (!node || !element.contains(node)) continue
      if (!text.contains(node)) return { sequence, offset: 0 }
      const range = document.createRange()
      range.setStart(text, 0)
      range.setEnd(node, offset)
      return { sequence, offset: range.toString().length }
    }
    return undefined
  }

  /** Returns the line of a place in the page. */
  lineAt(node: Node | null): number | undefined {
    return [...this.#rows].find(([, { element }]) => node && element.contains(node))?.[0]
  }

  /** Returns the elements with the texts that are in the page. */
  texts(): [number, HTMLElement][] {
    return [...this.#rows].map(([sequence, { text }]) => [sequence, text])
  }
}

function makeRow(): Row {
  const element = document.createElement('div')
  const time = document.createElement('span')
  const source = document.createElement('span')
  const text = document.createElement('span')
  time.className = 'log-time'
  text.className = 'log-text'
  element.append(time, source, text)
  return { element, time, source, text, top: Number.NaN }
}

function fill({ element, time, source, text }: Row, line: LogLine, display: ShownAs): void {
  element.className = `log-row ${line.kind} of-${line.level ?? 'none'}`
  time.textContent = display.times ? timeOf(line.time) : ''
  time.title = line.time
  source.className = line.source === '' ? '' : `log-source hue-${hueOf(line.source)}`
  source.textContent = line.source
  source.title = line.source
  const pieces = shownPieces(line, display)
  const [only] = pieces
  const rows = display.wrap ? wrapPieces(pieces, display.columns) : [pieces]
  const isPlain = rows.length === 1 && pieces.length <= 1 && !only?.classes && !only?.color
  if (isPlain) text.textContent = only?.text ?? ''
  else text.replaceChildren(...rows.flatMap(elementsOf))
}

/** Returns the elements of a row of a line, after a break if it is not the first one. */
const elementsOf = (pieces: readonly Piece[], index: number): HTMLElement[] => [
  ...(index > 0 ? [document.createElement('br')] : []),
  ...pieces.map(elementOf),
]

function elementOf({ text, classes, color }: Piece): HTMLElement {
  if (classes === moreClass) return buttonOf(text)
  const span = document.createElement('span')
  span.className = color ? `${classes} own-color` : classes
  span.textContent = text
  if (color) span.style.setProperty('--own', color)
  return span
}

/** Returns the button that shows a whole line. The viewer handles its click. */
function buttonOf(text: string): HTMLElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = moreClass
  button.textContent = text
  return button
}

/** Returns the same number from 0 to 5 for a name each time. */
function hueOf(name: string): number {
  let sum = 7
  for (const letter of name) sum = (sum * 31 + letter.charCodeAt(0)) % 9973
  return sum % 6
}
