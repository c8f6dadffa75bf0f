import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../adapters/node/store-supervisor/free-port.ts'
import { collected, collecting } from './collected.ts'
import { forEachConcurrently } from './engine.ts'
import { container, openSocket } from './feed-clients.ts'
import { short, sized, table } from './numbers.ts'
import { startNode } from './process.ts'
import { answers, dataDirectory, type Service, startService } from './service.ts'

const idle = sized(10_000, 500)
const first = 20
const bareProgram = fileURLToPath(new URL('./bare-feeds.mjs', import.meta.url))

/** Measures the memory of idle feeds beside bare WebSockets, after a garbage collection. */
export async function idleFeeds(): Promise<string> {
  const rows = [await bare(), await feeds()]
  return table(
    ['', 'before MiB', 'with them MiB', 'each kB', 'heap, each kB', 'after they disconnect MiB'],
    rows,
  )
}

async function bare(): Promise<string[]> {
  const { path, remove } = dataDirectory()
  const memory = join(path, 'memory.json')
  const port = await freePort()
  const env = { PORT: String(port), ...collecting(memory) }
  const program = startNode([bareProgram], env, join(path, 'bare.log'))
  try {
    await Promise.race([answers(`http://127.0.0.1:${port}/`), program.failed])
    const server = { pid: program.pid, port, token: 'x'.repeat(300) }
    return await weighed(`${idle} WebSockets, bare`, server, '/ws/bare', memory)
  } finally {
    await program.stop()
    remove()
  }
}

async function feeds(): Promise<string[]> {
  const { path, remove } = dataDirectory()
  const memory = join(path, 'memory.json')
  const service = await startService(path, collecting(memory))
  try {
    await service.signIn()
    await service.warm()
    const id = await container('sleep 10000')
    return await weighed(`${idle} idle feeds`, service, `/ws/logs/${id}`, memory)
  } finally {
    await service.stop()
    remove()
  }
}

/**
 * Measures the memory of idle connections. The first ones load what is loaded only once, and stay
 * open throughout.
 */
async function weighed(
  name: string,
  server: Pick<Service, 'pid' | 'port' | 'token'>,
  path: string,
  memory: string,
): Promise<string[]> {
  for (let count = 0; count < first; count += 1) await openSocket(server, path)
  const look = async () => {
    await pause(2000)
    return collected(server.pid, memory)
  }
  const before = await look()
  const open: Awaited<ReturnType<typeof openSocket>>[] = []
  const wanted = Array.from({ length: idle }, (_, index) => index)
  await forEachConcurrently(wanted, async () => void open.push(await openSocket(server, path)))
  const during = await look()
  for (const socket of open) socket.terminate()
  const after = await look()
  const each = (one: number, other: number) => short(((other - one) * 1024) / idle)
  return [
    name,
    short(before.resident),
    short(during.resident),
    each(before.resident, during.resident),
    each(before.heap, during.heap),
    short(after.resident),
  ]
}
