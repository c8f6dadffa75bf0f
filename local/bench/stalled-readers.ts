import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { collected, collecting } from './collected.ts'
import { engine, inTens } from './engine.ts'
import { container, follow, stalled } from './feed-clients.ts'
import { short, sized, table } from './numbers.ts'
import { residentMebibytes } from './process.ts'
import { dataDirectory, type Service, startService } from './service.ts'

const readers = sized(1000, 20)
const watched = sized(10_000, 2000)

type Open = (service: Service, path: string) => Promise<() => void>

/**
 * Measures clients that follow the log of a container that never stops writing: clients that read
 * it, and clients that read nothing while another one reads. The latter connect before the
 * container begins to write, or later and receive 400 kB of earlier lines first. Each case runs in
 * a new service.
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
    await row(`${readers} stalled readers who come late`, ignored, true),
  ]
  const head = [
    ...['', 'before MiB', 'at most MiB', 'held MiB', 'held, each kB'],
    'after they have gone MiB',
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
    await inTens(wanted, async () => void ends.push(await open(service, feed)))
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
