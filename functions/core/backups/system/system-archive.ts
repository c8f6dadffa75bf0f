import { pack } from 'tar-stream'
import type { Clock } from '../../ports/clock.ts'
import { version } from '../../version.ts'
import type {
  ArchiveDescription,
  StoreTable,
  SystemCounts,
  SystemFile,
  SystemSource,
} from './system-parts.ts'

interface Entry {
  name: string
  mode: number
  content: Uint8Array
}

/**
 * Yields an archive of the service's state: `system.json`, the items of the store
 * (`store/items/000001.ndjson` …, `store/logs/…`), the files outside it (`files/…`) and the counts
 * (`end.json`). Files are read before and after the items, so that every key an item was encrypted
 * with is included although keys are added and removed.
 */
export async function* systemArchive(
  source: SystemSource,
  clock: Pick<Clock, 'now'>,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  const startedAt = clock.now()
  const archive = pack()
  const writing = (async () => {
    for await (const { name, mode, content } of entries(source, startedAt, signal)) {
      signal.throwIfAborted()
      const header = { name, mode, size: content.length, mtime: new Date(startedAt) }
      await new Promise<void>((resolve, reject) => {
        archive.entry(header, Buffer.from(content), (error) => (error ? reject(error) : resolve()))
      })
    }
    archive.finalize()
  })()
  writing.catch((error) => archive.destroy(error))
  try {
    for await (const chunk of archive) yield chunk as Uint8Array
    await writing
  } finally {
    archive.destroy()
    await Promise.allSettled([writing])
  }
}

async function* entries(
  source: SystemSource,
  startedAt: number,
  signal: AbortSignal,
): AsyncIterable<Entry> {
  const about: ArchiveDescription = {
    format: 'container-stacks system',
    version: 1,
    service: version,
    createdAt: new Date(startedAt).toISOString(),
  }
  yield text('system.json', about)
  const before = await source.files(startedAt)
  const counts: SystemCounts = { files: 0, items: 0, logs: 0 }
  const chunks: Record<StoreTable, number> = { items: 0, logs: 0 }
  for await (const { table, count, lines } of source.items(signal)) {
    counts[table] += count
    chunks[table] += 1
    const number = String(chunks[table]).padStart(6, '0')
    yield { name: `store/${table}/${number}.ndjson`, mode: 0o600, content: lines }
  }
  for (const { path, mode, content } of both(before, await source.files(startedAt))) {
    counts.files += 1
    yield { name: `files/${path}`, mode, content }
  }
  yield text('end.json', counts)
}

/**
 * Merges two readings of the files. The later version of a file wins. For `audit-head` the earlier
 * one does, because the rows in the archive are sure to have reached it.
 */
function both(before: SystemFile[], after: SystemFile[]): SystemFile[] {
  const files = new Map([...before, ...after].map((file) => [file.path, file]))
  const head = before.find(({ path }) => path === 'audit-head')
  if (head) files.set(head.path, head)
  return [...files.values()]
}

const text = (name: string, value: unknown): Entry => ({
  name,
  mode: 0o600,
  content: Buffer.from(`${JSON.stringify(value)}\n`),
})
