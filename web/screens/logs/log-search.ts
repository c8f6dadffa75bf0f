import { batch, signal } from '@preact/signals'
import { startWorker } from '../../parts/own-worker.ts'
import { plainText } from './ansi.ts'
import type { LogRing } from './log-ring.ts'
import { moreClass } from './shown-line.ts'
import type { SearchReply, SearchRequest } from './worker-messages.ts'

export interface LogQuery {
  text: string
  isExpression: boolean
  isExact: boolean
}

/** Milliseconds. A search that takes longer is stopped: some expressions never finish. */
const searchTimeout = 3000

/** Returns the regular expression of a query, or undefined if it is invalid. */
export function parseQuery({ text, isExpression, isExact }: LogQuery): RegExp | undefined {
  const pattern = isExpression ? text : text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  try {
    return new RegExp(pattern, isExact ? 'g' : 'gi')
  } catch {
    return undefined
  }
}

/** Finds the lines of a ring that match a query, also those that come in later. */
export class LogSearch {
  /** The sequence numbers of the lines that match, oldest first. */
  readonly found = signal<readonly number[]>([])
  /** Whether the worker is at it. */
  readonly isBusy = signal(false)
  /** `invalid` is no expression, `slow` one that did not end. */
  readonly trouble = signal<'invalid' | 'slow' | undefined>(undefined)
  expression: RegExp | undefined
  readonly #ring: LogRing
  #query: LogQuery = { text: '', isExpression: false, isExact: false }
  /** The lines from one sequence number up to another one are searched. */
  #first = 0
  #next = 0
  #worker: Worker | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #id = 0

  constructor(ring: LogRing) {
    this.#ring = ring
  }

  start(query: LogQuery): void {
    this.close()
    this.#query = query
    this.#first = this.#ring.first
    this.#next = this.#ring.first
    this.expression = query.text === '' ? undefined : parseQuery(query)
    batch(() => {
      this.found.value = []
      this.trouble.value = query.text !== '' && !this.expression ? 'invalid' : undefined
    })
    this.update()
  }

  /** Searches again from the first line. */
  restart(): void {
    this.start(this.#query)
  }

  /** Searches the lines that came since, at the end or before the others. */
  update(): void {
    const { first, end } = this.#ring
    if (!this.expression || this.isBusy.peek() || this.trouble.peek()) return
    if (first < this.#first) {
      const before = this.#first
      this.#first = first
      this.#search(first, Math.min(before, end), this.expression)
      if (this.isBusy.peek()) return
    }
    if (this.#next >= end && (this.found.peek()[0] ?? first) >= first) return
    const from = Math.max(this.#next, first)
    this.#next = end
    this.#search(from, end, this.expression)
  }

  #search(from: number, end: number, expression: RegExp): void {
    if (this.#query.isExpression) this.#ask(from, end, expression)
    else this.#add(this.#scan(from, end))
  }

  /** Finds words here: 50,000 lines take about 10 ms. */
  #scan(from: number, end: number): number[] {
    const { text, isExact } = this.#query
    const wanted = isExact ? text : text.toLowerCase()
    const found: number[] = []
    for (let sequence = from; sequence < end; sequence += 1) {
      const shown = plainText(this.#ring.get(sequence)?.text ?? '')
      if ((isExact ? shown : shown.toLowerCase()).includes(wanted)) found.push(sequence)
    }
    return found
  }

  #ask(from: number, end: number, { source, flags }: RegExp): void {
    const texts: string[] = []
    for (let sequence = from; sequence < end; sequence += 1) {
      texts.push(plainText(this.#ring.get(sequence)?.text ?? ''))
    }
    this.#id += 1
    const id = this.#id
    this.#worker ??= this.#begin()
    this.isBusy.value = true
    const pattern = { pattern: source, flags: flags.replace('g', '') }
    this.#worker.postMessage({ id, ...pattern, from, texts } satisfies SearchRequest)
    this.#timer = setTimeout(() => {
      this.close()
      this.trouble.value = 'slow'
    }, searchTimeout)
  }

  #begin(): Worker {
    const worker = startWorker('log-search')
    worker.addEventListener('message', ({ data }: MessageEvent<SearchReply>) => {
      if (data.id !== this.#id) return
      clearTimeout(this.#timer)
      this.isBusy.value = false
      this.#add(data.found)
      this.update()
    })
    return worker
  }

  #add(more: readonly number[]): void {
    const { first } = this.#ring
    const kept = this.found.peek().filter((sequence) => sequence >= first)
    const isBefore = (more[0] ?? 0) < (kept[0] ?? 0)
    this.found.value = isBefore ? [...more, ...kept] : [...kept, ...more]
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#worker?.terminate()
    this.#worker = undefined
    this.isBusy.value = false
  }
}

/** Marks what matches in the texts that are in the page, without a change of them. */
export function markMatches(
  texts: readonly [number, HTMLElement][],
  { expression, found }: { expression: RegExp | undefined; found: readonly number[] },
  current: number | undefined,
): void {
  const { highlights } = CSS
  if (!highlights) return
  const all: Range[] = []
  const here: Range[] = []
  if (expression) {
    for (const [sequence, element] of texts) {
      const more = element.querySelector<HTMLElement>(`.${moreClass}`)
      const isHidden = more !== null && found.includes(sequence)
      const ranges = isHidden ? [rangeAround(more)] : rangesIn(element, expression)
      ;(sequence === current ? here : all).push(...ranges)
    }
  }
  highlights.set('log-found', new Highlight(...all))
  highlights.set('log-current', new Highlight(...here))
}

/** Where a match may be in what is cut off, the button that shows it is marked. */
function rangeAround(element: HTMLElement): Range {
  const range = document.createRange()
  range.selectNodeContents(element)
  return range
}

/** At most this many marks in a line. */
const mostMarks = 50

function rangesIn(element: HTMLElement, expression: RegExp): Range[] {
  const words = element.textContent ?? ''
  // A slow expression would stop the page; the worker has found the line already.
  if (words.length > 2000) return []
  const ranges: Range[] = []
  for (const match of words.matchAll(expression)) {
    if (match[0] === '' || ranges.length >= mostMarks) break
    ranges.push(rangeOf(element, match.index, match.index + match[0].length))
  }
  return ranges
}

/** Returns the range of two offsets in the text of an element. */
export function rangeOf(element: HTMLElement, from: number, to: number): Range {
  const range = document.createRange()
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  let at = 0
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const length = node.textContent?.length ?? 0
    if (from >= at && from <= at + length) range.setStart(node, from - at)
    if (to <= at + length) {
      range.setEnd(node, to - at)
      break
    }
    at += length
  }
  return range
}
