import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../adapters/node/process/clock.ts'
import { openServiceUpgrades } from '../../adapters/node/service-upgrade/service-upgrades.ts'
import { askDocker, docker } from '../../adapters/testing/docker.ts'
import type { Json } from '../../adapters/testing/json.ts'
import { memoryCollection } from '../../adapters/testing/memory/collection.ts'
import { present } from '../../adapters/testing/present.ts'
import type { ServiceUpgrades } from '../../functions/core/ports/service-upgrades.ts'
import type { ServiceProcess } from '../../functions/core/records/installation.ts'
import type { UpgradeJournal } from '../../functions/core/records/upgrade-journal.ts'
import { storeFormat, version } from '../../functions/core/version.ts'
import { type ComposedService, composedService } from '../../local/harness/composed-service.ts'
import { paced } from '../../local/harness/pace.ts'
import { api, setUpAdmin, until } from '../../local/harness/service.ts'

/**
 * The project's image is replaced by variants of it, by the port that the service itself uses. Its
 * data directory is a directory of this machine at the same path, so that the port finds the same
 * journal here as in the container.
 */
let service: ComposedService
let data: string
let name: string

const password = 'a-password-of-this-test'
const images: string[] = []
const processes = memoryCollection<ServiceProcess>()
let count = 0

beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'container-stacks-upgraded-'))
  const own = { SERVICE_DATA_DIR: data, UPGRADE_TEST: 'kept' }
  service = await composedService('upgrade', [], {
    services: { service: { user: '0:0', environment: own, volumes: [`${data}:${data}`] } },
  })
  name = `${service.project}-service-1`
  await service.untilHealthy()
  const token = await setUpAdmin(
    { env: { SERVICE_SETUP_SECRET: service.setupSecret() }, password },
    service,
  )
  const compose = 'services: { app: { image: busybox } }'
  const made = await api(service, 'POST', '/stacks', { token, body: { name: 'kept', compose } })
  expect(made.status, made.json?.error).toBe(201)
})

/** Removes what an upgrade keeps for a day. */
afterEach(async () => {
  await until(
    async () => {
      await upgradesOf(inspect(name, '{{.Id}}')).tidy(Date.now() + 25 * 3_600_000, true)
      return [...helperIds(), ...containers()]
    },
    (left) => left.length === 1,
  )
})

afterAll(async () => {
  await service.remove()
  for (const image of images) docker('rmi', '--force', image)
  rmSync(data, { recursive: true, force: true })
})

const inspect = (id: string, format: string) => docker('inspect', '--format', format, id)
/** Returns the image of a container and its state, or '' while there is none. */
const statusOf = async (id: string): Promise<string> =>
  askDocker('inspect', '--format', '{{.Config.Image}} {{.State.Status}}', id).catch(() => '')
const containers = () =>
  docker('ps', '--all', '--format', '{{.Names}} {{.State}}', '--filter', `name=${name}`).split('\n')
const helperIds = () =>
  docker('ps', '--all', '--quiet', '--filter', `volume=${data}`, '--filter', 'network=none')
    .split('\n')
    .filter(Boolean)

/** Returns the upgrades as a process of the service in this container has them. */
const upgradesOf = (container: string): ServiceUpgrades =>
  openServiceUpgrades(
    {},
    {
      self: {
        id: container,
        container,
        machine: 'test',
        dataDirectory: data,
        engineId: null,
        store: null,
      },
      clock: systemClock,
      serviceProcesses: processes,
    },
  )

/**
 * Makes an image like that of the service.
 *
 * @param change an instruction of a Dockerfile
 * @param check another program for its health check
 */
function variant(word: string, change: string, check?: string): string {
  const image = `container-stacks:${service.version}-${word}`
  const made = docker('create', `container-stacks:${service.version}`)
  if (check) docker('cp', check, `${made}:/opt/container-stacks/health.mjs`)
  docker('commit', '--change', change, made, image)
  docker('rm', '--volumes', made)
  images.push(image)
  return image
}

const idOf = (number: number) => `01a20589-4779-72ce-9499-${String(number).padStart(12, '0')}`

async function start(image: string): Promise<void> {
  const imageId = docker('image', 'inspect', '--format', '{{.Id}}', image)
  count += 1
  const id = idOf(count)
  const containerId = inspect(name, '{{.Id}}')
  await upgradesOf(containerId).start({ id, containerId, to: { image, imageId } })
}

const ended = (): Promise<UpgradeJournal | undefined> =>
  until(
    () => upgradesOf('unknown').last(),
    (journal) => journal?.outcome !== 'open',
    120,
  )

/** Checks that one container of the service runs, with all that it had. */
async function answersAsBefore(image: string) {
  await service.untilHealthy()
  expect(containers().filter((line) => line.endsWith(' running'))).toEqual([`${name} running`])
  expect(inspect(name, '{{.Config.Image}}')).toBe(image)
  expect(inspect(name, '{{.HostConfig.RestartPolicy.Name}}')).toBe('unless-stopped')
  const { status, json } = await api(service, 'POST', '/auth/login', {
    body: { username: 'admin', password },
  })
  expect(status, json?.error).toBe(200)
  const stacks = await api(service, 'GET', '/stacks', { token: json.access_token })
  expect(stacks.json.map((one: Json) => one.name)).toEqual(['kept'])
}

/** Kills the main process of a container as the kernel would. */
function killProcess(id: string): void {
  const pid = Number(inspect(id, '{{.State.Pid}}'))
  if (pid > 0) process.kill(pid, 'SIGKILL')
}

test('runs a good image with everything that the container had', async () => {
  const image = variant('good', 'ENV UPGRADED=yes')
  const before = settings()
  const old = inspect(name, '{{.Id}}')
  // A container of others with the label of this upgrade is none of it.
  const label = `container-stacks.upgrade=${idOf(count + 1)}`
  const forged = docker('create', '--label', label, '--name', `${service.project}-x`, 'busybox')
  await start(image)
  const [helper = ''] = helperIds()
  expect(await processes.find(inspect(helper, '{{.Id}}'))).toMatchObject({ dataDirectory: data })
  expect(await ended()).toMatchObject({ outcome: 'upgraded', error: null })
  await answersAsBefore(image)
  expect(settings()).toEqual(before)
  expect(inspect(name, '{{json .Config.Env}}')).toContain('UPGRADED=yes')
  expect(inspect(forged, '{{.State.Status}} {{.Name}}')).toBe(`created /${service.project}-x`)
  const id = docker('image', 'inspect', '--format', '{{.Id}}', image)
  expect(inspect(name, '{{index .Config.Labels "com.docker.compose.image"}}')).toBe(id)
  expect(inspect(old, '{{.State.Status}} {{.HostConfig.RestartPolicy.Name}}')).toBe('exited no')
  // docker compose goes on with this container.
  expect(service.compose('ps', '--format', '{{.Name}}').trim()).toBe(name)
})

/** Returns what the container has that an upgrade must not change. */
function settings(): unknown {
  const [found] = JSON.parse(docker('inspect', name)) as Json[]
  const { Binds, PortBindings, GroupAdd, CapDrop, SecurityOpt, Tmpfs, ReadonlyRootfs } =
    present(found).HostConfig
  const { User, StopTimeout, Env } = present(found).Config
  const networks = Object.entries(present(found).NetworkSettings.Networks as Json).map(
    ([network, one]) => [
      network,
      [...new Set<string>((one as Json).Aliases)].filter(isNoId).sort(),
    ],
  )
  const mounts = present(found)
    .Mounts.map((one: Json) => `${one.Source} ${one.Destination}`)
    .sort()
  const own = Env.filter((line: string) => !line.startsWith('UPGRADED=')).sort()
  return {
    Binds: [...(Binds ?? [])].sort(),
    host: { PortBindings, GroupAdd, CapDrop, SecurityOpt, Tmpfs, ReadonlyRootfs },
    config: { User, StopTimeout, own },
    networks,
    mounts,
  }
}

const isNoId = (alias: string) => !/^[0-9a-f]{12}$/.test(alias)

test('goes on after each kill of the helper', async () => {
  const image = variant('again', 'ENV UPGRADED=again')
  await start(image)
  for (let kills = 0; kills < 5; kills += 1) {
    const [helper] = helperIds()
    if (helper) killProcess(helper)
    await pause(paced(700))
  }
  expect(await ended()).toMatchObject({ outcome: 'upgraded' })
  await answersAsBefore(image)
})

test('takes back an image that ends at once', async () => {
  const before = inspect(name, '{{.Id}} {{.Config.Image}}')
  await start(variant('crash', 'CMD ["node", "--eval", "console.log(1 + 1); process.exit(3)"]'))
  expect(await ended()).toMatchObject({
    outcome: 'taken_back',
    error: 'the new container ended: exit code 3',
    log: ['2'],
  })
  expect(inspect(name, '{{.Id}} {{.Config.Image}}')).toBe(before)
  await answersAsBefore(present(before.split(' ')[1]))
})

test('takes back an image that never gets healthy', async () => {
  const before = inspect(name, '{{.Id}} {{.Config.Image}}')
  const check = join(data, 'health.mjs')
  writeFileSync(check, 'process.exit(1)')
  await start(variant('sick', 'ENV UPGRADED=sick', check))
  expect(await ended()).toMatchObject({
    outcome: 'taken_back',
    error: 'the new container was not healthy within 60 s',
  })
  expect(inspect(name, '{{.Id}} {{.Config.Image}}')).toBe(before)
  await answersAsBefore(present(before.split(' ')[1]))
})

test('takes back a good image whose service is killed while it starts', async () => {
  const before = inspect(name, '{{.Id}} {{.Config.Image}}')
  const image = variant('killed', 'ENV UPGRADED=killed')
  await start(image)
  // The helper is of this image too, and in between no container has the name.
  await until(
    () => statusOf(name),
    (status) => status === `${image} running`,
  )
  killProcess(name)
  expect(await ended()).toMatchObject({
    outcome: 'taken_back',
    error: 'the new container ended: exit code 137',
  })
  expect(inspect(name, '{{.Id}} {{.Config.Image}}')).toBe(before)
  await answersAsBefore(present(before.split(' ')[1]))
})

test('500: leaves nothing of an image that has no helper', async () => {
  const before = inspect(name, '{{.Id}} {{.State.StartedAt}}')
  await expect(start('busybox:latest')).rejects.toMatchObject({ status: expect.any(Number) })
  expect(await ended()).toMatchObject({ outcome: 'not_started' })
  expect(helperIds()).toEqual([])
  expect(inspect(name, '{{.Id}} {{.State.StartedAt}}')).toBe(before)
})

test('409: refuses an image that converts the store, with the way by hand, and runs on', async () => {
  const before = inspect(name, '{{.Id}} {{.State.StartedAt}} {{.Config.Image}}')
  const later = storeFormat.reads + 1
  const labels = {
    'org.opencontainers.image.version': version,
    'container-stacks.store-format.reads': later,
    'container-stacks.store-format.writes': later,
  }
  const words = Object.entries(labels).map(([key, value]) => `${key}=${value}`)
  const image = variant('later', `LABEL ${words.join(' ')}`)
  const login = { body: { username: 'admin', password } }
  const token = (await api(service, 'POST', '/auth/login', login)).json.access_token
  const imageId = docker('image', 'inspect', '--format', '{{.Id}}', image)
  const body = { image, image_id: imageId, without_backup: true }
  const { status, json } = await api(service, 'POST', '/service/upgrade', { token, body })
  expect([status, json.error]).toEqual([409, expect.stringContaining(`to format ${later}`)])
  expect(json.error).toContain('docs/install-container.md')
  expect(helperIds()).toEqual([])
  expect(inspect(name, '{{.Id}} {{.State.StartedAt}} {{.Config.Image}}')).toBe(before)
  await answersAsBefore(present(before.split(' ')[2]))
})
