/** Bytes of standard error that are kept. */
const restMax = 8 * 1024

const received = /^(?:Receiving|Indexing|Unpacking) objects: +\d+% \(\d+\/(\d+)\)/

/**
 * Reads what git says on standard error. It says how many objects a pack has before it reads them;
 * lines of the server begin with `remote: `.
 */
export class ProgressReader {
  /** The objects of the largest pack so far. */
  objects = 0
  #kept = ''
  #line = ''

  read(chunk: Buffer): void {
    const parts = (this.#line + chunk.toString('latin1')).split(/[\r\n]/)
    this.#line = (parts.pop() ?? '').slice(0, restMax)
    for (const line of [...parts, this.#line]) {
      this.objects = Math.max(this.objects, Number(received.exec(line)?.[1] ?? 0))
    }
    const own = parts.filter((line) => line !== '' && !/^remote: |% \(\d+\/\d+\)/.test(line))
    if (own.length > 0) this.#kept = `${this.#kept}${own.join('\n')}\n`.slice(-restMax)
  }

  /** The last lines that are no progress. */
  get rest(): string {
    return `${this.#kept}${this.#line}`
  }
}
