import { Agent, request as startRequest } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { present } from '../../adapters/testing/present.ts'
import { hookPause } from '../../functions/core/hooks/hook-record.ts'
import { median, quantile, ratio, short, sized, table, timed } from './numbers.ts'
import { dataDirectory, type Service, startService } from './service.ts'
import { bindStack, type Forge, makeSource, mayAskForge, startForge } from './source-forge.ts'

/** Wrong requests that are offered in a second, and for how many seconds. */
const perSecond = 1000
const seconds = sized(10, 2)
/** Requests of each kind whose times are compared, one after the other. */
const turns = sized(2000, 50)
const quietRequests = sized(500, 50)
const name = 'called'
const compose = 'services: {web: {image: "busybox:latest", command: sleep 3600}}\n'
const push = JSON.stringify({ ref: 'refs/heads/main', commits: [] })
/** Names of the headers that differ in every response. */
const ownHeaders = ['date', 'x-request-id']

/**
 * Measures wrong requests to the hooks of a source and of a stack that follows it: whether
 * responses or times tell whether there is such a hook, how long others wait beside many of them,
 * and that nothing follows.
 */
export async function sourceHooks(): Promise<string> {
  const data = dataDirectory()
  let forge: Forge | undefined
  let service: Service | undefined
  try {
    forge = await startForge()
    service = await startService(data.path, mayAskForge)
    await service.signIn()
    await service.warm()
    const hooks = await makeHooks(service, forge)
    return await measured(service, forge, hooks)
  } finally {
    await service?.stop()
    forge?.close()
    data.remove()
  }
}

/** A hook in the API's form, as it is made. */
interface Made {
  path: string
  secret: string
}

interface Hooks {
  ofSource: Made
  ofStack: Made
}

async function makeHooks(service: Service, forge: Forge): Promise<Hooks> {
  forge.make(name).commit({ 'compose.yaml': compose })
  await makeSource(service, forge, { name, repository: name, lookEvery: null })
  await service.call('POST', '/stacks', { name, compose })
  await bindStack(service, { stack: name, source: name, path: '' })
  const ofSource = await service.call('POST', `/sources/${name}/hook`)
  const ofStack = await service.call('POST', `/stacks/${name}/hook`)
  return { ofSource, ofStack }
}

/** A kind of wrong requests. */
interface Kind {
  name: string
  path: string
  headers: Record<string, string>
}

const wrongEnd = (text: string) => `${text.slice(0, -6)}AAAAAA`
const bearer = (text: string) => ({ Authorization: `Bearer ${text}` })

/** The first one is what the others are compared with. */
function kindsOf({ ofSource: { path, secret }, ofStack }: Hooks): Kind[] {
  const wrong = bearer(wrongEnd(secret))
  return [
    { name: 'unknown hook', path: wrongEnd(path), headers: wrong },
    { name: 'unknown source', path: path.replace(name, 'none'), headers: wrong },
    { name: 'wrong secret', path, headers: wrong },
    {
      name: 'wrong signature',
      path,
      headers: { 'X-Hub-Signature-256': `sha256=${'a'.repeat(64)}` },
    },
    { name: 'empty secret', path, headers: { 'X-Gitlab-Token': '' } },
    { name: 'no secret', path, headers: {} },
    {
      name: 'wrong secret, hook of a stack',
      path: ofStack.path,
      headers: bearer(wrongEnd(ofStack.secret)),
    },
  ]
}

/** What was answered so far. */
interface Answers {
  statuses: Map<number, number>
  /** Bodies, and headers but those that differ in every response. */
  bodies: Set<string>
  heads: Set<string>
}

const noAnswers = (): Answers => ({ statuses: new Map(), bodies: new Set(), heads: new Set() })

/** Sends one request. Returns how long its response took, in milliseconds. */
function send(
  { port }: Service,
  { path, headers }: Pick<Kind, 'path' | 'headers'>,
  agent: Agent,
  { statuses, bodies, heads }: Answers,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const begin = performance.now()
    const sent = startRequest(
      { port, path, agent, method: 'POST', headers: { ...headers, 'Content-Length': push.length } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.once('error', reject)
        response.once('end', () => {
          const time = performance.now() - begin
          const { statusCode = 0, headers: all } = response
          statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
          bodies.add(Buffer.concat(chunks).toString('latin1'))
          const head = Object.entries(all).filter(([field]) => !ownHeaders.includes(field))
          heads.add(JSON.stringify(head))
          resolve(time)
        })
      },
    )
    sent.once('error', reject)
    sent.end(push)
  })
}

async function measured(service: Service, forge: Forge, hooks: Hooks): Promise<string> {
  const kinds = kindsOf(hooks)
  const answers = noAnswers()
  const inTurn = await oneByOne(service, kinds, answers)
  await service.signIn()
  const quiet: number[] = []
  while (quiet.length < quietRequests) quiet.push(await health(service))
  const flood = await flooded(service, kinds, answers)
  // What a request asks for begins within seconds.
  await pause(hookPause + 5000)
  await service.signIn()
  const after = await followed(service, forge)
  await checkCounters(service, forge, hooks)
  const { statuses, bodies, heads } = answers
  const all = [...statuses.values()].reduce((sum, one) => sum + one, 0)
  const refused = statuses.get(401) ?? 0
  const healthRow = (what: string, times: number[]) => [
    ...[what, String(times.length), short(median(times)), short(quantile(times, 0.99)), '', ''],
  ]
  const rows = [
    ...rowsOf(kinds, flood.times),
    healthRow('`GET /health` meanwhile', flood.health),
    healthRow('`GET /health` before', quiet),
  ]
  const head = ['requests', 'median ms', 'p99 ms', 'median ratio', 'p99 ratio']
  return [
    'Wrong requests to the hook of a source, and to that of a stack that follows it. First one after the other, in turns of random order. Ratios are to requests to an unknown hook.',
    table(['one after the other', ...head], rowsOf(kinds, inTurn)),
    `Then ${perSecond} of them a second for ${seconds} s, answered within ${short(flood.took)} s.`,
    table(['many at once', ...head], rows),
    `${refused} of ${all} wrong requests got a 401. Different bodies: ${bodies.size}. Different headers, without the date and the ID of the request: ${heads.size}. ${after.looks} looks and ${after.deployments} deployments followed. A right request afterwards led to a look, so one would have been seen.`,
  ].join('\n\n')
}

function rowsOf(kinds: readonly Kind[], times: ReadonlyMap<Kind, number[]>): string[][] {
  const base = present(times.get(present(kinds[0])))
  return kinds.map((kind) => {
    const own = present(times.get(kind))
    const [middle, high] = [median(own), quantile(own, 0.99)]
    const ratios = [ratio(middle, median(base)), ratio(high, quantile(base, 0.99))]
    return [kind.name, String(own.length), short(middle), short(high), ...ratios]
  })
}

const emptyTimes = (kinds: readonly Kind[]) =>
  new Map(kinds.map((kind) => [kind, [] as number[]] as const))

/** Times requests one after the other, in turns of random order. */
async function oneByOne(service: Service, kinds: readonly Kind[], answers: Answers) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times = emptyTimes(kinds)
  for (let turn = 0; turn < turns; turn += 1) {
    const order = kinds.map((kind) => ({ kind, at: Math.random() })).sort((a, b) => a.at - b.at)
    for (const { kind } of order) {
      const time = await send(service, kind, agent, answers)
      // The first ones warm the service.
      if (turn >= turns / 10) present(times.get(kind)).push(time)
    }
  }
  agent.destroy()
  return times
}

const health = ({ call }: Service) => timed(() => call('GET', '/health'))

/** Offers many requests a second, however long the responses take. */
async function flooded(service: Service, kinds: readonly Kind[], answers: Answers) {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const times = emptyTimes(kinds)
  const beside: number[] = []
  const all: Promise<void>[] = []
  const begin = performance.now()
  const offered = seconds * perSecond
  for (let sent = 0; sent < offered; ) {
    const due = Math.min(offered, ((performance.now() - begin) * perSecond) / 1000)
    for (; sent < due; sent += 1) {
      const kind = present(kinds[sent % kinds.length])
      const own = present(times.get(kind))
      all.push(send(service, kind, agent, answers).then((time) => void own.push(time)))
    }
    beside.push(await health(service))
    await pause(5)
  }
  await Promise.all(all)
  const took = (performance.now() - begin) / 1000
  agent.destroy()
  return { times, took, health: beside }
}

/** Returns what followed the requests until now. */
async function followed({ call }: Service, { requests }: Forge) {
  const looked = await call('GET', '/audit?action=sources.hook.look')
  const deployed = await call('GET', '/audit?action=stacks.hook.deploy')
  const deployments = await call('GET', `/stacks/${name}/deployments`)
  return {
    looks: Math.max(looked.length, requests.filter(({ isFirst }) => isFirst).length),
    deployments: Math.max(deployed.length, deployments.length),
  }
}

/** Checks with a right request that a look would have been seen. */
async function checkCounters(service: Service, forge: Forge, { ofSource }: Hooks): Promise<void> {
  const before = await followed(service, forge)
  const agent = new Agent({ maxSockets: 1 })
  const answers = noAnswers()
  await send(service, { path: ofSource.path, headers: bearer(ofSource.secret) }, agent, answers)
  agent.destroy()
  if (!answers.statuses.has(202)) throw new Error('a right request was refused')
  const end = Date.now() + 60_000
  while ((await followed(service, forge)).looks <= before.looks) {
    if (Date.now() > end) throw new Error('no look followed a right request')
    await pause(500)
  }
}
