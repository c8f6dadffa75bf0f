import { signal } from '@preact/signals'
import { copiedText } from './log-copy.ts'
import type { LogRing } from './log-ring.ts'
import { RowPool, rowHeight } from './row-pool.ts'
import { type LogDisplay, rowsOf, shownText } from './shown-line.ts'

/** New lines are painted at most this often: shaping text is what costs. */
const pace = 100
/** Rows above and below those in sight. */
const spare = 10
/** Browsers cut elements that are much higher; far below it the page begins to count again. */
const highest = 8_000_000

/**
 * The lines in sight of a log, without Preact. It follows the end until the reader scrolls up. From
 * then on no line moves, whatever comes in.
 */
export class LogPane {
  readonly following = signal(true)
  /** Called after each painting, for marks in the text. */
  onPaint: () => void = () => {}
  readonly pool: RowPool
  readonly #ring: LogRing
  readonly #scroller: HTMLElement
  readonly #inner: HTMLElement
  #display: LogDisplay
  /** The row at the top of the page's scale. */
  #base = 0
  #height = -1
  /** Where the page is scrolled to, and how high it is: reading them would lay out the page. */
  #top = 0
  #view = 0
  #lastPaint = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #frame = 0
  readonly #stop = new AbortController()
  readonly #resize: ResizeObserver

  constructor(ring: LogRing, scroller: HTMLElement, display: LogDisplay) {
    this.#ring = ring
    this.#scroller = scroller
    this.#display = display
    this.#inner = scroller.firstElementChild as HTMLElement
    this.pool = new RowPool(this.#inner)
    const { signal: ended } = this.#stop
    scroller.addEventListener('scroll', () => this.#scrolled(), { signal: ended, passive: true })
    document.addEventListener('selectionchange', () => this.#selected(), { signal: ended })
    scroller.addEventListener('copy', (event) => this.#copy(event), { signal: ended })
    this.#resize = new ResizeObserver(() => this.#measure())
    this.#resize.observe(scroller)
    this.#measure()
  }

  /** Paints what came in, soon. */
  changed(): void {
    if (this.#timer !== undefined) return
    const due = Math.max(0, this.#lastPaint + pace - performance.now())
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#nextFrame()
    }, due)
  }

  setDisplay(display: LogDisplay): void {
    this.#display = display
    this.#measure()
  }

  /** Begins again after the ring was cleared. */
  restart(): void {
    this.#base = 0
    this.#top = 0
    this.#height = -1
    this.#scroller.scrollTop = 0
    this.pool.pinned = []
    this.pool.empty()
    this.follow()
  }

  follow(): void {
    this.following.value = true
    this.#nextFrame()
  }

  /** Shows a line in the middle, and stops to follow. */
  reveal(sequence: number): void {
    this.following.value = false
    const top = (this.#ring.topOf(sequence) - this.#base) * rowHeight
    const most = Math.max(0, this.#height - this.#view)
    this.#scrollTo(Math.min(most, Math.max(0, top - this.#view / 2)))
    this.#nextFrame()
  }

  /** Returns the first line in sight. */
  firstInSight(): number {
    return this.#ring.at(this.#base + this.#top / rowHeight)
  }

  close(): void {
    this.#stop.abort()
    this.#resize.disconnect()
    clearTimeout(this.#timer)
    cancelAnimationFrame(this.#frame)
  }

  #nextFrame(): void {
    if (this.#frame !== 0) return
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0
      this.#paint()
    })
  }

  #measure(): void {
    const before = this.firstInSight()
    const { wrap } = this.#display
    const columns = this.#columnsOf()
    const display = this.#display
    this.#ring.measure(wrap ? (line) => rowsOf(shownText(line, display), columns) : () => 1)
    this.#scroller.style.setProperty('--columns', String(columns))
    this.pool.empty()
    this.#base = this.#ring.topOf(this.#ring.first)
    this.#height = -1
    this.#view = this.#scroller.clientHeight
    this.#paint()
    if (this.following.peek()) return
    this.#scrollTo((this.#ring.topOf(before) - this.#base) * rowHeight)
    this.#paint()
  }

  /** Returns how many letters fit beside the time and the source. */
  #columnsOf(): number {
    const style = getComputedStyle(this.#scroller)
    const letter = Number.parseFloat(style.getPropertyValue('--letter')) || 7.2
    const before = Number.parseFloat(style.getPropertyValue('--before')) || 0
    return Math.max(20, Math.floor((this.#scroller.clientWidth - 48) / letter - before))
  }

  #paint(): void {
    this.#lastPaint = performance.now()
    const ring = this.#ring
    const isFollowing = this.following.peek()
    if (isFollowing) this.#base = ring.topOf(ring.first)
    else if (this.#height > highest) this.#rebase()
    const height = (ring.bottom - this.#base) * rowHeight + padding
    if (height !== this.#height) {
      this.#height = height
      this.#inner.style.blockSize = `${height}px`
    }
    if (isFollowing) this.#scrollTo(Math.max(0, height - this.#view))
    const row = this.#base + this.#top / rowHeight
    const first = Math.max(ring.first, ring.at(row) - spare)
    const last = Math.min(ring.end, ring.at(row + this.#view / rowHeight) + 1 + spare)
    this.pool.show(ring, first, last, this.#base, this.#display)
    this.onPaint()
  }

  /** Counts from the oldest line again, and scrolls so that nothing moves. */
  #rebase(): void {
    const by = this.#ring.topOf(this.#ring.first) - this.#base
    if (by <= 0) return
    this.#base += by
    this.#scrollTo(Math.max(0, this.#top - by * rowHeight))
  }

  #scrollTo(top: number): void {
    if (top === this.#top) return
    this.#top = top
    this.#scroller.scrollTop = top
  }

  #scrolled(): void {
    const { scrollTop } = this.#scroller
    const by = scrollTop - this.#top
    this.#top = scrollTop
    const isAtEnd = scrollTop + this.#view >= this.#height - rowHeight
    // The first step upwards counts: the next painting would take the reader back.
    if (this.following.peek() ? by < -2 : by > 0 && isAtEnd && !this.#hasSelection()) {
      this.following.value = !this.following.peek()
    } else if (this.following.peek()) {
      return
    }
    this.#nextFrame()
  }

  #hasSelection(): boolean {
    const selection = getSelection()
    return (
      selection !== null && !selection.isCollapsed && this.#inner.contains(selection.anchorNode)
    )
  }

  /** A selection stops following, and its ends stay in the page. */
  #selected(): void {
    const ends = this.#hasSelection() ? this.#ends() : []
    this.pool.pinned = ends.map(({ sequence }) => sequence)
    if (ends.length > 0) this.following.value = false
  }

  #ends(): { sequence: number; offset: number }[] {
    const selection = getSelection()
    if (!selection) return []
    return [
      this.pool.find(selection.anchorNode, selection.anchorOffset),
      this.pool.find(selection.focusNode, selection.focusOffset),
    ].flatMap((end) => (end ? [end] : []))
  }

  #copy(event: ClipboardEvent): void {
    const ends = this.#hasSelection() ? this.#ends() : []
    const [one, other] = ends
    if (!one || !other) return
    event.preventDefault()
    event.clipboardData?.setData('text/plain', copiedText(this.#ring, one, other, this.#display))
  }
}

/** Below the last line. */
const padding = 8
