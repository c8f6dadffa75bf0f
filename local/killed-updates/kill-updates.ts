import { setTimeout as pause } from 'node:timers/promises'
import { askDocker } from '../../adapters/testing/docker.ts'
import type { Json } from '../../adapters/testing/json.ts'
import { holdLayers } from '../harness/held-registry.ts'
import {
  composeOfStores,
  dataOf,
  type laterVersions,
  storeLayer,
  stores,
} from '../harness/migrating-stores.ts'
import { publishImage, type Registry } from '../harness/registry.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import {
  api,
  cli,
  logIn,
  newPlace,
  type Place,
  type Running,
  setUpAdmin,
  startIn,
  until,
} from '../harness/service.ts'
import { followEngine } from './engine-events.ts'

/** When a process of the service is killed. */
export type Moment =
  /** During the backup before the update. */
  | 'checkpoint'
  /** While half of the newer image has arrived. */
  | 'pull'
  /** When the first container of the update has been made. */
  | 'deploy'
  /** When the update is deployed, and watched. */
  | 'watch'
  /** When the data from before is copied to the host, beside the data of the stack. */
  | 'fill'
  /** When the data of the second store is replaced. */
  | 'replace'
  /** When all data is in its place, and the first container from before has been made. */
  | 'redeploy'
  /** When the last container from before has started. */
  | 'end'
  /** When the next process has begun to take back what the killed one did. */
  | 'recovery'

/** An update that is taken back, and the kills on its way. */
export interface KilledUpdate {
  /** `good`: a person takes it back. Otherwise the service does so. */
  version: keyof typeof laterVersions
  kills: readonly Moment[]
  /** Milliseconds from each moment to its kill. */
  delay: number
  /** Milliseconds from a kill to the start of the next process. */
  away: number
}

/** A service whose processes are killed. */
export interface KilledService {
  place: Place
  running: Running
  token: string
}

/** Starts a service that may use a registry on the loopback interface. */
export async function startService(): Promise<KilledService> {
  const place = newPlace({ SERVICE_OUTBOUND_ALLOW: '127.0.0.1' })
  const running = await startIn(place)
  return { place, running, token: await setUpAdmin(place, running) }
}

/** Lets an update migrate the data of stores, and takes it back. Returns what is wrong. */
export async function killUpdate(
  name: string,
  update: KilledUpdate,
  service: KilledService,
  registry: Registry,
): Promise<string[]> {
  const held = update.kills.includes('pull') ? await holdLayers(registry) : undefined
  const engine = followEngine(name)
  try {
    const stack = stackOf(name, service)
    const image = `${held?.address ?? registry.address}/team/${name}:1`
    const before = await givenStores(stack, image, registry)
    const moments = momentsOf(stack, engine, held?.half)
    const killAt = async (moment: Moment) => {
      engine.skip()
      await moments[moment]()
      await pause(update.delay)
      await kill(service, update.away)
      held?.release()
    }
    await publishImage(registry, `team/${name}`, '1', await storeLayer(update.version))
    await stack.ask('POST', '/updates/check', { stack: name })
    for (const moment of update.kills.filter(isOfUpdate)) await killAt(moment)
    if (update.kills.includes('checkpoint')) return await withoutUpdate(stack, before)
    const migrated = await untilMigrated(stack, update)
    const undone = update.version === 'good' ? undo(stack) : undefined
    for (const moment of update.kills.filter((one) => !isOfUpdate(one))) await killAt(moment)
    // A kill ends the client too.
    await undone
    return await afterwards(stack, before, migrated)
  } finally {
    engine.stop()
    held?.close()
    await removeFromEngine(name)
  }
}

const isOfUpdate = (moment: Moment) => ['checkpoint', 'pull', 'deploy', 'watch'].includes(moment)

/** Kills the process of a service, and starts the next one. */
async function kill(service: KilledService, away: number): Promise<void> {
  service.running.child.kill('SIGKILL')
  await service.running.ended
  await pause(away)
  service.running = await startIn(service.place)
  // Right after its start, the service may be busy.
  const asked = () => logIn(service.place, service.running)
  service.token = await until(asked, (token) => token !== undefined)
}

/** A stack, and calls about it. */
function stackOf(name: string, service: KilledService) {
  const ask = async (method: string, path: string, body?: object): Promise<Json> => {
    const { running, token } = service
    const { status, json } = await api(running, method, path, { token, body })
    if (status >= 400) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(json)}`)
    return json
  }
  return {
    name,
    service,
    ask,
    volumes: Object.fromEntries(stores.map((store) => [store, `${name}_${store}`])),
    get: () => ask('GET', `/stacks/${name}`),
    deployments: (): Promise<Json[]> => ask('GET', `/stacks/${name}/deployments`),
  }
}
type Stack = ReturnType<typeof stackOf>

/** What a stack was before its update. */
interface Before {
  data: string
  services: string
}

/** Deploys the first version, fills its stores, and saves a policy with a checkpoint. */
async function givenStores(stack: Stack, image: string, registry: Registry): Promise<Before> {
  const { name, ask } = stack
  const [address = ''] = image.split('/')
  const known = (await ask('GET', '/settings'))['registry.allow']
  await ask('PUT', '/settings', { 'registry.allow': [...new Set([...known, address])] })
  const local = `${registry.address}/team/${name}:1`
  await publishImage(registry, `team/${name}`, '1', await storeLayer('first'))
  await askDocker('pull', '--quiet', local)
  if (image !== local) await givenName(local, image)
  await ask('POST', '/stacks', { name, compose: composeOfStores(image) })
  // A service loses its lease on a machine that is too busy, and says so.
  const deploy = () =>
    ask('POST', `/stacks/${name}/deploy`, {}).catch((error) => ({ status: error.message }))
  await until(deploy, ({ status }) => status === 'succeeded')
  await untilReady(name, 1)
  const sources = [{ kind: 'stack', name }]
  const target = { kind: 'local', path: name }
  const { id: checkpoint } = await ask('POST', '/backup-jobs', { name, sources, target })
  const policy = { mode: 'apply', minimum_age_hours: 0, checkpoint }
  await ask('PUT', `/stacks/${name}/update-policy`, policy)
  return { data: await dataOf(stack.volumes), services: await servicesOf(name) }
}

/** Gives an image its name in another registry, with its digest there. */
async function givenName(local: string, image: string): Promise<void> {
  const digests = await askDocker('inspect', '--format', '{{index .RepoDigests 0}}', local)
  const [, digest] = digests.split('@')
  await askDocker('tag', local, image)
  const [repository] = image.split(/:1$/)
  await askDocker('pull', '--quiet', `${repository}@${digest}`)
}

/** Waits until the stores of a version are ready. */
const untilReady = (name: string, version: number) =>
  until(
    async () => {
      const logs = stores.map((store) =>
        askDocker('logs', `${name}-${store}-1`).catch(() => 'no container'),
      )
      return (await Promise.all(logs)).map((log) => log.includes(`ready ${version}`))
    },
    (all) => all.every(Boolean),
  )

/** Waits until the update has migrated the data. Returns the data if it stays so. */
async function untilMigrated(stack: Stack, { version }: KilledUpdate): Promise<string | undefined> {
  const ended = async () => {
    const { last_update: update } = await stack.get()
    if (update?.outcome === 'failed') throw new Error(`the update failed: ${update.reason}`)
    return stack.deployments()
  }
  await until(ended, (all) => all.some(isUpdate))
  if (version !== 'good') return undefined
  await untilReady(stack.name, 2)
  return dataOf(stack.volumes)
}

const isUpdate = ({ cause, status }: Json) => cause === 'update' && status === 'succeeded'

/** Takes the update back as a person. */
function undo({ name, service }: Stack) {
  const { place, running, token } = service
  const words = ['stacks', 'undo', name, '--yes', '--server', running.url, '--token', token]
  return cli(place, words)
}

/** Returns how to wait for the moment of each kill. */
function momentsOf(
  { name, ask, deployments }: Stack,
  engine: ReturnType<typeof followEngine>,
  half: Promise<void> | undefined,
): Record<Moment, () => Promise<unknown>> {
  const volume = (action: string, purpose: string) =>
    engine.wait((one) => one.action === action && one.of.includes(`_${purpose}_`))
  const container = (action: string) =>
    engine.wait((one) => one.kind === 'container' && one.action === action && one.of === name)
  const inPlace = async () => {
    for (const _ of stores) await volume('create', 'before')
  }
  const runs = () => ask('GET', '/backup-runs')
  return {
    checkpoint: () => until(runs, (all) => all.some((one: Json) => one.job_name === name)),
    pull: () => half ?? Promise.reject(new Error('nothing holds the image')),
    deploy: () => container('create'),
    watch: () => until(deployments, (all) => all.some(isUpdate)),
    fill: () => volume('create', 'restore'),
    async replace() {
      await volume('create', 'before')
      await volume('create', 'before')
    },
    async redeploy() {
      await inPlace()
      await container('create')
    },
    async end() {
      await inPlace()
      for (const _ of stores) await container('start')
    },
    recovery: () => engine.wait((one) => one.kind === 'volume' && one.action === 'destroy'),
  }
}

/** Waits until an update whose checkpoint was killed is over. Returns what is wrong. */
async function withoutUpdate(stack: Stack, before: Before): Promise<string[]> {
  const { last_update: update } = await until(stack.get, (one) => one.last_update !== null)
  const problems = await unlike(stack, before, [])
  if (update.outcome !== 'failed') problems.push(`its update was ${update.outcome}`)
  if ((await stack.deployments()).some(({ cause }) => cause === 'update')) problems.push('updated')
  return problems
}

/** Waits until an update is taken back. Returns what is wrong. */
async function afterwards(
  stack: Stack,
  before: Before,
  migrated: string | undefined,
): Promise<string[]> {
  const { name, ask } = stack
  const { last_update: update } = await until(
    stack.get,
    (one) => one.last_update?.rollback && one.last_update.rollback.state !== 'due',
    300,
  )
  const kept = await keptOf(name)
  const problems = await unlike(stack, before, kept)
  if (update.rollback.state !== 'done') problems.push(`rollback: ${JSON.stringify(update)}`)
  const names = Object.fromEntries(
    stores.map((store) => [store, kept.filter((one) => one.startsWith(`${name}_${store}_`))]),
  )
  for (const [store, volumes] of Object.entries(names)) {
    if (volumes.length !== 1) problems.push(`kept of ${store}: ${volumes.join(', ') || 'nothing'}`)
  }
  const asKept = Object.fromEntries(Object.entries(names).map(([at, [one = '']]) => [at, one]))
  if (migrated !== undefined && kept.length === stores.length) {
    const data = await dataOf(asKept)
    if (data !== migrated)
      problems.push(`kept is not what was written:\n${differences(migrated, data)}`)
  }
  problems.push(...(await unreported(stack)))
  const again = await ask('POST', `/stacks/${name}/deploy`, {})
  if (again.status !== 'succeeded' || again.steps.length > 0) {
    problems.push(`a deploy afterwards: ${JSON.stringify(again)}`)
  }
  return problems
}

/** Returns what is not as before the update. */
async function unlike(
  { name, volumes }: Stack,
  before: Before,
  kept: readonly string[],
): Promise<string[]> {
  const problems: string[] = []
  const now = { data: await dataOf(volumes), services: await servicesOf(name) }
  for (const part of ['data', 'services'] as const) {
    if (now[part] !== before[part]) {
      problems.push(`${part} not as before:\n${differences(before[part], now[part])}`)
    }
  }
  const own = [...Object.values(volumes), ...kept]
  const tidy = await until(
    async () => {
      const all = await lines('volume', 'ls', '--quiet', '--filter', `name=${name}`)
      return all.filter((one) => !own.includes(one))
    },
    (left) => left.length === 0,
    30,
  ).catch((error: Error) => [error.message])
  if (tidy.length > 0) problems.push(`left on the Engine: ${tidy.join(', ')}`)
  return problems
}

/** Returns the rows of the audit log that are missing, or too many. */
async function unreported({ name, ask }: Stack): Promise<string[]> {
  const rows: Json[] = await ask('GET', '/audit?action=stacks.images')
  const own = rows.filter(({ subject }) => subject?.id === name).map(({ action }) => action)
  const problems: string[] = []
  for (const action of ['stacks.images.update', 'stacks.images.restore']) {
    const times = own.filter((one) => one === action).length
    if (times !== 1) problems.push(`${times} rows of ${action}`)
  }
  return problems
}

const lines = async (...words: string[]) => (await askDocker(...words)).split('\n').filter(Boolean)
const keptOf = async (name: string) =>
  (await lines('volume', 'ls', '--quiet', '--filter', `name=${name}`)).filter((one) =>
    one.includes('_before_'),
  )

/** Returns what the Engine says of the services, without what each container has of its own. */
async function servicesOf(name: string): Promise<string> {
  const containers = stores.map((store) => `${name}-${store}-1`)
  const all: Json[] = JSON.parse(await askDocker('inspect', ...containers))
  const plain = all.map(({ Id, Image, Name, Config, HostConfig, Mounts, ...one }) => {
    const { 'com.docker.compose.replace': _, ...Labels } = Config.Labels
    const networks = Object.entries<Json>(one.NetworkSettings.Networks).map(([of, { Aliases }]) => [
      of,
      Aliases?.filter((alias: string) => !Id.startsWith(alias)),
    ])
    const { Status } = one.State
    const config = { ...Config, Hostname: null, Labels }
    return {
      Name,
      Image,
      Status,
      RestartCount: one.RestartCount,
      config,
      HostConfig,
      Mounts,
      networks,
    }
  })
  return JSON.stringify(plain, undefined, 1)
}

/** Returns the lines that only one of two texts has. */
function differences(before: string, now: string): string {
  const [was, is] = [before.split('\n'), now.split('\n')]
  const gone = was.filter((line) => !is.includes(line)).map((line) => `- ${line}`)
  const come = is.filter((line) => !was.includes(line)).map((line) => `+ ${line}`)
  return [...gone, ...come].slice(0, 20).join('\n')
}
