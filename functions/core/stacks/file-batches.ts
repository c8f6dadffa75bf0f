import { must } from '../../compose/must.ts'
import type { Needs } from '../ports/ports.ts'
import { markHandled } from '../promises.ts'
import type { TreeFile } from '../records/stack-tree.ts'
import { fileEntry } from './tree.ts'

/** Contents that are stored together, and their bytes. A single one may be larger. */
const batchFilesMax = 100
const batchBytesMax = 2 * 1024 * 1024

/** Files of a stream that are stored a few at a time. */
export interface FileBatches {
  add(path: string, content: Uint8Array, mode: number): Promise<void>
  /** Stores the rest, and returns the entries of all files by path. */
  end(): Promise<Map<string, TreeFile>>
}

/**
 * Returns a store for the files of a stream: small contents are stored together, large ones alone.
 * While some are stored, the next are gathered.
 */
export function fileBatches(ports: Needs<'texts'>): FileBatches {
  const stored = new Map<string, TreeFile>()
  let waiting: [path: string, content: Uint8Array, mode: number][] = []
  let bytes = 0
  let storing: Promise<void> | undefined
  const store = async (batch: typeof waiting) => {
    const digests = await ports.texts.putMany(batch.map(([, content]) => content))
    for (const [at, [path, content, mode]] of batch.entries()) {
      stored.set(path, fileEntry(must(digests[at], 'digest'), content, mode))
    }
  }
  const storeBatch = async () => {
    await storing
    if (waiting.length === 0) return
    storing = markHandled(store(waiting))
    waiting = []
    bytes = 0
  }
  return {
    async add(path, content, mode) {
      if (bytes + content.length > batchBytesMax) await storeBatch()
      waiting.push([path, content, mode])
      bytes += content.length
      if (waiting.length === batchFilesMax) await storeBatch()
    },
    async end() {
      await storeBatch()
      await storing
      return stored
    },
  }
}
