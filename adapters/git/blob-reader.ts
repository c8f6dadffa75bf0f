import { SourceFailure } from '../../functions/core/ports/source-reader.ts'
import type { LocalRun } from './repository.ts'

/** Reads blobs one after another from a run of `git cat-file --batch`. */
export class BlobReader {
  /** Whether the copy of the repository is damaged. */
  isDamaged = false
  readonly #git: LocalRun
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(git: LocalRun) {
    this.#git = git
    this.#chunks = git.stdout[Symbol.asyncIterator]()
  }

  /**
   * Returns the content of a blob.
   *
   * @param size in bytes, as git said before
   * @throws SourceFailure if git says something else
   */
  async read(id: string, size: number): Promise<Buffer> {
    this.#git.stdin.write(`${id}\n`)
    const expected = `${id} blob ${size}\n`
    const head = await this.#take(expected.length)
    if (head.toString('latin1') !== expected) throw this.#lost()
    const content = Buffer.from(await this.#take(size))
    await this.#take(1)
    return content
  }

  close(): void {
    this.#git.kill()
  }

  async #take(bytes: number): Promise<Buffer> {
    const chunks = [this.#rest]
    let length = this.#rest.length
    while (length < bytes) {
      const { value, done } = await this.#chunks.next()
      if (done) throw this.#git.failure() ?? this.#lost()
      chunks.push(value)
      length += value.length
    }
    const all = Buffer.concat(chunks)
    this.#rest = all.subarray(bytes)
    return all.subarray(0, bytes)
  }

  #lost(): SourceFailure {
    this.isDamaged = true
    return lost()
  }
}

const lost = () =>
  new SourceFailure(
    'unreachable',
    'the copy of the repository here was damaged or removed while it was read; the next look reads it again',
  )
