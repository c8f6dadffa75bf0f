import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { collected, collecting } from './collected.ts'
import { engine, forEachConcurrently } from './engine.ts'
import { container, follow, stalled } from './feed-clients.ts'
import { short, sized, table } from './numbers.ts'
import { residentMebibytes } from './process.ts'
import { dataDirectory, type Service, startService } from './service.ts'

const readers = sized(1000, 20)
const watched = sized(10_000, 2000)

type Open = (service: Service, path: string) => Promise<() => void>

/**
 * Measures the memory of the service while clients follow the log of a container that never stops
 * writing. There are three cases, each in a new service: all clients read; all clients but one
 * read nothing; the same, but the stalled clients connect after the container began to write, so
 * the service first sends them 400 kB of earlier lines.
 */
export async function stalledReaders(): Promise<string> {
  const read: Open = async (service, path) => {
    const socket = await follow(service, path, () => {})
    return () => socket.terminate()
  }
  const ignored: Open = async (service, path) => {
    const socket = await stalled(service, path)
    return () => socket.destroy()
  }
  const rows = [
    await row(`${readers} readers`, read, false),
    await row(`${readers} stalled readers`, ignored, false),
    await row(`${readers} stalled readers that join late`, ignored, true),
  ]
  const head = [
    ...['', 'before MiB', 'peak MiB', 'collected MiB', 'collected, each kB'],
    'after they disconnect MiB',
  ]
  return table(head, rows)
}

async function row(name: string, open: Open, late: boolean): Promise<string[]> {
  const { path, remove } = dataDirectory()
  const memory = join(path, 'memory.json')
  const service = await startService(path, collecting(memory))
  try {
    await service.signIn()
    await service.warm()
    const flood = 'while :; do head -c 4000 /dev/zero | tr "\\0" x; echo; done'
    const id = await container(`until [ -e /begin ]; do usleep 50000; done; ${flood}`)
    const begin = () => execFileSync('docker', ['exec', id, 'touch', '/begin'])
    const feed = `/ws/logs/${id}`
    const reader = await follow(service, feed, () => {})
    if (late) begin()
    const before = (await collected(service.pid, memory)).resident
    const ends: (() => void)[] = []
    let most = 0
    const watch = setInterval(() => {
      most = Math.max(most, residentMebibytes(service.pid))
    }, 20)
    const wanted = Array.from({ length: readers }, (_, index) => index)
    await forEachConcurrently(wanted, async () => void ends.push(await open(service, feed)))
    if (!late) begin()
    await pause(watched)
    clearInterval(watch)
    const held = (await collected(service.pid, memory)).resident
    reader.terminate()
    for (const end of ends) end()
    await engine('DELETE', `/containers/${id}?force=true`)
    await pause(1000)
    const after = (await collected(service.pid, memory)).resident
    const each = ((held - before) * 1024) / readers
    return [name, ...[before, most, held, each, after].map(short)]
  } finally {
    await service.stop()
    remove()
  }
}
