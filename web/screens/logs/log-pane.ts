import { signal } from '@preact/signals'
import { copiedText } from './log-copy.ts'
import type { LogRing } from './log-ring.ts'
import { RowPool, rowHeight } from './row-pool.ts'
import { type LogDisplay, rowsOf, type ShownAs } from './shown-line.ts'

/** New lines are painted at most this often: shaping text is what costs. */
const pace = 100
/** Rows above and below those in sight. */
const spare = 10
/** Older lines are asked for when fewer rows than these are above those in sight. */
const early = 60
/** Above the first line, where the page says what there is before it. Pixels. */
const head = 36
/** Browsers cut elements that are much higher; far below it the page begins to count again. */
const highest = 8_000_000

/**
 * The lines in sight of a log, without Preact. It follows the end until the reader scrolls up. From
 * then on no line moves, whatever comes in.
 */
export class LogPane {
  readonly following = signal(true)
  /** Called before each painting, for what hides lines. */
  onUpdate: (anchor?: number) => void = () => {}
  /** Called after each painting, for marks in the text. */
  onPaint: () => void = () => {}
  /** Called when the reader comes near the first line. */
  onBegin: () => void = () => {}
  readonly pool: RowPool
  readonly #ring: LogRing
  readonly #scroller: HTMLElement
  readonly #inner: HTMLElement
  #display: ShownAs
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
    this.#display = { ...display, columns: 80 }
    this.#inner = scroller.firstElementChild as HTMLElement
    this.pool = new RowPool(this.#inner.lastElementChild as HTMLElement)
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
    this.#display = { ...display, columns: this.#display.columns }
    this.#measure()
  }

  /** Paints after other lines were hidden. The line that kept its place stays there. */
  refiltered(): void {
    this.#rebase()
    this.#nextFrame()
  }

  /** Paints after older lines were put before the others. No line in sight moves. */
  prepended(): void {
    this.onUpdate(this.firstInSight())
    this.#rebase()
    this.#nextFrame()
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
    const most = Math.max(0, this.#height - this.#view)
    this.#scrollTo(Math.min(most, Math.max(0, this.#placeOf(sequence) - this.#view / 2)))
    this.#nextFrame()
  }

  /** Returns the first line in sight. */
  firstInSight(): number {
    return this.#ring.at(this.#rowAt(this.#top))
  }

  #rowAt(top: number): number {
    return this.#base + (top - head) / rowHeight
  }

  #placeOf(sequence: number): number {
    return (this.#ring.topOf(sequence) - this.#base) * rowHeight + head
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
    const display = { ...this.#display, columns: this.#columnsOf() }
    this.#display = display
    this.#ring.measure((line) => rowsOf(line, display))
    this.pool.empty()
    this.#base = this.#ring.topOf(this.#ring.first)
    this.#height = -1
    this.#view = this.#scroller.clientHeight
    this.#paint()
    if (this.following.peek()) return
    this.#scrollTo(this.#placeOf(before))
    this.#paint()
  }

  /** Returns how many letters fit beside the time and the source. */
  #columnsOf(): number {
    const style = getComputedStyle(this.#scroller)
    const letter = Number.parseFloat(style.getPropertyValue('--letter')) || 7.2
    const before = Number.parseFloat(style.getPropertyValue('--before')) || 0
    const padding = 2 * (Number.parseFloat(style.getPropertyValue('--edge')) || 24)
    const free = this.#scroller.clientWidth - padding
    return Math.max(20, Math.floor(free / letter - before + 0.01))
  }

  #paint(): void {
    this.#lastPaint = performance.now()
    const ring = this.#ring
    const isFollowing = this.following.peek()
    this.onUpdate(isFollowing ? undefined : this.firstInSight())
    const top = ring.topOf(ring.first)
    if (isFollowing) this.#base = top
    else if (top < this.#base || this.#height > highest) this.#rebase()
    this.#setHeight()
    if (isFollowing) this.#scrollTo(Math.max(0, this.#height - this.#view))
    this.pool.show(ring, this.#linesInSight(), this.#base, this.#display)
    this.onPaint()
  }

  #setHeight(): void {
    const height = head + (this.#ring.bottom - this.#base) * rowHeight + padding
    if (height === this.#height) return
    this.#height = height
    this.#inner.style.blockSize = `${height}px`
  }

  /** Returns the lines that are in sight, and some above and below. */
  #linesInSight(): number[] {
    const row = this.#rowAt(this.#top)
    return this.#ring.shownBetween(row - spare, row + this.#view / rowHeight + spare)
  }

  /** Counts from the oldest line again, and scrolls so that nothing moves. */
  #rebase(): void {
    const by = this.#ring.topOf(this.#ring.first) - this.#base
    if (by === 0 || this.following.peek()) return
    this.#base += by
    const top = Math.max(0, this.#top - by * rowHeight)
    // Where there are more rows above, there is no place to scroll to before they are.
    if (by < 0) this.#setHeight()
    this.#scrollTo(top)
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
    const above = this.#rowAt(scrollTop) - this.#ring.topOf(this.#ring.first)
    if (by < 0 && above < early) {
      this.#rebase()
      this.onBegin()
    }
    const isAtEnd = scrollTop + this.#view >= this.#height - rowHeight
    // The first step upwards counts: the next painting would take the reader back.
    if (
      this.following.peek()
        ? by < -2 && !this.#isAtBottom()
        : by > 0 && isAtEnd && !this.#hasSelection()
    ) {
      this.following.value = !this.following.peek()
    } else if (this.following.peek()) {
      return
    }
    this.#nextFrame()
  }

  /** A view that grows moves the lines in it too, but not away from the end. */
  #isAtBottom(): boolean {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller
    return scrollTop + clientHeight >= scrollHeight - 2
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
