import { createHash, type Hash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '../api/client.ts'
import type { StackContents } from '../api/types.ts'
import { failed } from '../failure.ts'
import { clean } from '../output/text.ts'
import type { StoredFile } from './stored-entry.ts'

/** The stored revision of a stack to read. */
export interface Source {
  name: string
  revision: number
}

/** A file that is being received. */
interface Receiving {
  handle: FileHandle
  hash: Hash
  received: number
}

/**
 * Writes the contents of files into a directory, under their index in the list, readable by this
 * user alone. Throws a `CliFailure` if the service sends anything other than it listed.
 *
 * @param files sorted by path
 * @param progress is called with the bytes of each part
 */
export async function fetchContents(
  client: Client,
  { name, revision }: Source,
  files: readonly StoredFile[],
  directory: string,
  progress: (bytes: number) => void,
): Promise<void> {
  const receiver = new Receiver(files, directory, progress)
  try {
    for (let place = receiver.place(); place; place = receiver.place()) {
      const query = { revision: String(revision), path: place.path, offset: String(place.offset) }
      const { value } = await client.get('/stacks/{name}/contents', { path: { name }, query })
      await receiver.accept(value)
      const next = receiver.place()
      if (next && next.path === place.path && next.offset === place.offset)
        throw failed(`the service did not send ${clean(place.path)}`)
    }
  } finally {
    await receiver.close()
  }
}

class Receiver {
  readonly #files: readonly StoredFile[]
  readonly #directory: string
  readonly #progress: (bytes: number) => void
  #at = 0
  #current: Receiving | undefined

  constructor(files: readonly StoredFile[], directory: string, progress: (bytes: number) => void) {
    this.#files = files
    this.#directory = directory
    this.#progress = progress
  }

  /** Returns where the next part begins; undefined after the last one. */
  place(): { path: string; offset: number } | undefined {
    const file = this.#files[this.#at]
    return file && { path: file.path, offset: this.#current?.received ?? 0 }
  }

  /** Writes those parts of a response that are wanted. */
  async accept({ parts }: StackContents): Promise<void> {
    for (const { path, offset, base64 } of parts) {
      const file = this.#files[this.#at]
      if (file?.path !== path) continue
      await this.#write(file, offset, Buffer.from(base64, 'base64'))
    }
  }

  async #write(file: StoredFile, offset: number, data: Buffer): Promise<void> {
    this.#current ??= {
      handle: await open(join(this.#directory, String(this.#at)), 'wx', 0o600),
      hash: createHash('sha256'),
      received: 0,
    }
    const { handle, hash, received } = this.#current
    if (offset !== received || received + data.length > file.size) throw notAsListed(file)
    await handle.writeFile(data)
    hash.update(data)
    this.#current.received += data.length
    this.#progress(data.length)
    if (this.#current.received < file.size) return
    await this.close()
    if (hash.digest('hex') !== file.digest) throw notAsListed(file)
    this.#at += 1
  }

  async close(): Promise<void> {
    await this.#current?.handle.close()
    this.#current = undefined
  }
}

const notAsListed = ({ path }: StoredFile) =>
  failed(`${clean(path)} is not what the service listed: try again`)
