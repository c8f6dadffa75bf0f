import { Agent, request as startRequest } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { present } from '../../adapters/testing/present.ts'
import { welch } from './auth.ts'
import { median, quantile, short, sized, table } from './numbers.ts'
import { buildService, dataDirectory, type Service, startService } from './service.ts'

/** Requests that are offered in a second, and for how many seconds. */
const perSecond = 1000
const seconds = sized(30, 2)
/** Pairs of requests whose times are compared, one after the other. */
const pairs = sized(4000, 50)
const stack = 'called'
const push = JSON.stringify({ ref: 'refs/heads/main', commits: [] })

/**
 * Measures requests to the addresses of hooks: many at once, of which only some know the secret,
 * and whether the times of refused ones tell whether there is such a hook.
 */
export async function hooksBench(): Promise<string> {
  buildService()
  const data = dataDirectory()
  let service: Service | undefined
  try {
    service = await startService(data.path)
    await service.signIn()
    await service.call('POST', '/stacks', { name: stack, compose: 'services: {a: {image: a}}' })
    const { path, secret } = await service.call('POST', `/stacks/${stack}/hook`)
    const kinds = kindsOf(path, secret)
    return [await compared(service, kinds), await flooded(service, kinds)].join('\n\n')
  } finally {
    await service?.stop()
    data.remove()
  }
}

interface Kind {
  name: string
  path: string
  headers: Record<string, string>
  status: number
}

function kindsOf(path: string, secret: string) {
  const unknown = `${path.slice(0, -6)}AAAAAA`
  const wrong = `${secret.slice(0, -6)}AAAAAA`
  const bearer = (text: string) => ({ Authorization: `Bearer ${text}` })
  return {
    right: { name: 'right secret', path, headers: bearer(secret), status: 202 },
    wrong: { name: 'wrong secret', path, headers: bearer(wrong), status: 401 },
    unsigned: { name: 'no secret', path, headers: {}, status: 401 },
    unknown: { name: 'unknown hook', path: unknown, headers: bearer(wrong), status: 401 },
  } satisfies Record<string, Kind>
}

type Kinds = ReturnType<typeof kindsOf>

/** Sends one request. Returns how long its response took, in milliseconds. */
function send({ port }: Service, { path, headers, status, name }: Kind, agent: Agent) {
  return new Promise<number>((resolve, reject) => {
    const begin = performance.now()
    const sent = startRequest(
      { port, path, agent, method: 'POST', headers: { ...headers, 'Content-Length': push.length } },
      (response) => {
        response.resume()
        response.once('error', reject)
        response.once('end', () => {
          if (response.statusCode === status) resolve(performance.now() - begin)
          else reject(new Error(`${name}: status ${response.statusCode} instead of ${status}`))
        })
      },
    )
    sent.once('error', reject)
    sent.end(push)
  })
}

/** Times refused requests one after the other, in turns of random order. */
async function compared(service: Service, { wrong, unsigned, unknown }: Kinds): Promise<string> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const kinds = [wrong, unsigned, unknown]
  const times = new Map<Kind, number[]>(kinds.map((kind) => [kind, []]))
  for (let turn = 0; turn < pairs; turn += 1) {
    const order = kinds.map((kind) => ({ kind, at: Math.random() })).sort((a, b) => a.at - b.at)
    for (const { kind } of order) {
      const time = await send(service, kind, agent)
      // The first ones warm the service.
      if (turn >= pairs / 10) present(times.get(kind)).push(time)
    }
  }
  agent.destroy()
  const base = present(times.get(unknown))
  const rows = kinds.map((kind) => {
    const own = present(times.get(kind))
    const t = kind === unknown ? '' : short(welch(own, base))
    return [kind.name, String(own.length), short(median(own)), short(quantile(own, 0.99)), t]
  })
  return table(['a refused request', 'requests', 'median ms', 'p99 ms', 'Welch’s t'], rows)
}

/** Offers many requests a second: of ten, one knows the secret. */
async function flooded(service: Service, kinds: Kinds): Promise<string> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const turns = [
    kinds.right,
    ...[kinds.wrong, kinds.unsigned, kinds.unknown].flatMap((kind) =>
      Array.from({ length: 3 }, () => kind),
    ),
  ]
  const times = new Map<Kind, number[]>(Object.values(kinds).map((kind) => [kind, []]))
  const health: number[] = []
  const all: Promise<void>[] = []
  const begin = performance.now()
  const asked = seconds * perSecond
  for (let sent = 0; sent < asked; ) {
    const due = Math.min(asked, ((performance.now() - begin) * perSecond) / 1000)
    for (; sent < due; sent += 1) {
      const kind = present(turns[sent % turns.length])
      all.push(send(service, kind, agent).then((time) => void present(times.get(kind)).push(time)))
    }
    const before = performance.now()
    await service.call('GET', '/health')
    health.push(performance.now() - before)
    await pause(5)
  }
  await Promise.all(all)
  const took = (performance.now() - begin) / 1000
  agent.destroy()
  const looks = await service.call('GET', '/audit?action=stacks.hook.deploy')
  const rows = [...times].map(([{ name }, own]) => [
    name,
    String(own.length),
    short(median(own)),
    short(quantile(own, 0.99)),
  ])
  rows.push([
    '`GET /health` meanwhile',
    String(health.length),
    short(median(health)),
    short(quantile(health, 0.99)),
  ])
  return [
    `${perSecond} requests a second for ${seconds} s, answered within ${short(took)} s; ${looks.length} deployments were asked for.`,
    table(['', 'requests', 'median ms', 'p99 ms'], rows),
  ].join('\n\n')
}
