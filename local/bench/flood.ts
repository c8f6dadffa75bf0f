import { setTimeout as pause } from 'node:timers/promises'
import { present } from '../../adapters/testing/present.ts'
import { makeViewer } from '../fuzz/fuzz.ts'
import { api } from '../harness/service.ts'
import { median, table } from './numbers.ts'
import { buildService, dataDirectory, startService } from './service.ts'

const plansAtOnce = 400
const services = 20
const scale = 50

/** The other user's requests during the flood. */
const requests = {
  'GET /health': ['GET', '/health'],
  'GET /me': ['GET', '/me'],
  'GET /stacks': ['GET', '/stacks'],
  'plan of a small stack': ['POST', '/stacks/small/plan'],
} as const

type Waits = Record<string, number[]>

/**
 * Measures how long one user waits for responses while another requests 400 plans of a stack of
 * 1000 containers at once, in milliseconds. The baseline is the same requests without the flood.
 */
export async function floodBench(): Promise<string> {
  buildService()
  const data = dataDirectory()
  const service = await startService(data.path)
  try {
    await service.signIn()
    const running = { url: `http://127.0.0.1:${service.port}` }
    const admin = service.token ?? ''
    const viewer = await makeViewer(running as never, admin)
    await service.call('POST', '/stacks', { name: 'large', compose: largeFile() })
    await service.call('POST', '/stacks', {
      name: 'small',
      compose: 'services: {a: {image: busybox}}',
    })
    const quiet = await askUntil(running, admin, pause(5000))
    const statuses: Record<string, number> = {}
    const begin = performance.now()
    const flood = Promise.all(
      Array.from({ length: plansAtOnce }, async () => {
        const options = { token: viewer, body: {} }
        const { status } = await api(running, 'POST', '/stacks/large/plan', options)
        statuses[status] = (statuses[status] ?? 0) + 1
      }),
    )
    const flooded = await askUntil(running, admin, flood)
    const seconds = ((performance.now() - begin) / 1000).toFixed(1)
    return `${render(quiet, flooded)}\n\n${plansAtOnce} plans, ${seconds} s: ${JSON.stringify(statuses)}.`
  } finally {
    await service.stop()
    data.remove()
  }
}

const largeFile = () =>
  JSON.stringify({
    services: Object.fromEntries(
      Array.from({ length: services }, (_, index) => [
        `service${index}`,
        { image: 'busybox', scale, environment: { TEXT: 'x'.repeat(1000) } },
      ]),
    ),
  })

/** Sends each request in turn, repeatedly, until `end` resolves. */
async function askUntil(
  running: { url: string },
  token: string,
  end: Promise<unknown>,
): Promise<Waits> {
  const waits: Waits = {}
  let going = true
  const ended = end.finally(() => {
    going = false
  })
  while (going) {
    for (const [name, [method, path]] of Object.entries(requests)) {
      const begin = performance.now()
      const body = method === 'POST' ? {} : undefined
      const { status } = await api(running, method, path, { token, body })
      if (status !== 200) throw new Error(`${name}: ${status}`)
      waits[name] = [...(waits[name] ?? []), performance.now() - begin]
    }
  }
  await ended
  return waits
}

function render(quiet: Waits, flooded: Waits): string {
  const rows = Object.keys(requests).map((name) => [
    name,
    ...[present(quiet[name]), present(flooded[name])].flatMap((all) => [
      median(all).toFixed(1),
      Math.max(...all).toFixed(0),
    ]),
  ])
  return table(['', 'quiet, median', 'longest', 'flooded, median', 'longest'], rows)
}
