/** The end of a stream of output as text. */
export interface TailText {
  text: string
  isCut: boolean
}

/** Keeps the end of a stream of output in bounded memory. */
export class OutputTail {
  readonly #max: number
  #chunks: Uint8Array[] = []
  #bytes = 0
  #isCut = false

  /** @param max the most bytes that are kept */
  constructor(max: number) {
    this.#max = max
  }

  add(data: Uint8Array): void {
    // A copy: a slice would keep the whole buffer of its connection.
    this.#chunks.push(Uint8Array.from(data.subarray(Math.max(0, data.length - this.#max))))
    this.#bytes += Math.min(data.length, this.#max)
    if (data.length > this.#max) this.#isCut = true
    // Joined now and then, so that many short chunks take no more memory than their bytes.
    if (this.#bytes > 2 * this.#max || this.#chunks.length > 1000) this.#join()
  }

  /** Records that some output is missing. */
  cut(): void {
    this.#isCut = true
  }

  /** Returns the end of the output; if it was cut, from the first whole line on. */
  read(): TailText {
    this.#join()
    const text = Buffer.concat(this.#chunks).toString('utf8')
    return { text: this.#isStartCut() ? fromWholeLine(text) : text, isCut: this.#isCut }
  }

  #isStartCut(): boolean {
    return this.#isCut && this.#bytes === this.#max
  }

  #join(): void {
    const all = Buffer.concat(this.#chunks)
    const kept = all.subarray(Math.max(0, all.length - this.#max))
    if (kept.length < all.length) this.#isCut = true
    this.#chunks = [Uint8Array.from(kept)]
    this.#bytes = kept.length
  }
}

/** A text that is one line stays as it is: the end of it is better than nothing. */
function fromWholeLine(text: string): string {
  const end = text.indexOf('\n')
  return end < 0 || end === text.length - 1 ? text : text.slice(end + 1)
}

/** Returns the last lines of a text. */
export function lastLines(text: string, count: number): TailText {
  if (count === 0) return { text: '', isCut: text !== '' }
  const lines = text.replace(/\n$/, '').split('\n')
  if (lines.length <= count) return { text, isCut: false }
  return { text: text.slice(text.length - endLength(text, lines.slice(-count))), isCut: true }
}

const endLength = (text: string, lines: readonly string[]): number =>
  lines.join('\n').length + (text.endsWith('\n') ? 1 : 0)
