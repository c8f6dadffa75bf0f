import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../adapters/node/process/clock.ts'
import { openServiceUpgrades } from '../../adapters/node/service-upgrade/service-upgrades.ts'
import type { Json } from '../../adapters/testing/json.ts'
import { memoryCollection } from '../../adapters/testing/memory/collection.ts'
import { present } from '../../adapters/testing/present.ts'
import type { ServiceUpgrades } from '../../functions/core/ports/service-upgrades.ts'
import type { ServiceProcess } from '../../functions/core/records/installation.ts'
import { boundToParent } from '../../local/harness/bound-process.ts'
import { buildImage } from '../../local/harness/composed-service.ts'
import { type Machine, startMachine } from '../../local/harness/machine.ts'
import { paced } from '../../local/harness/pace.ts'
import { rowsNamed } from '../../local/harness/rings.ts'
import { api, logIn, setUpAdmin, until } from '../../local/harness/service.ts'
import { ownArchitecture } from '../contents/architectures.mjs'

/**
 * The Engine of the service is killed at each step of an upgrade, and started again. It is an
 * Engine of this test alone, without a network: the container of the service has that of its
 * machine.
 */
const version = '0.0.0-killed-engine'
const image = `container-stacks:${version}`
const name = 'service'
const password = 'a-password-of-this-test'
const secret = 'a-secret-of-this-test'
const processes = memoryCollection<ServiceProcess>()
let machine: Machine
let folder: string
let data: string
let service: { url: string }
let count = 0

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'container-stacks-killed-engine-'))
  data = join(folder, 'data')
  mkdirSync(data)
  const archive = buildImage(present(ownArchitecture()), version, folder)
  machine = await startMachine()
  machine.docker('load', '--input', archive)
  service = { url: `http://${machine.network.outside.replace(/1$/, '2')}:8080` }
  const socket = join(machine.directory, 'docker.sock')
  const environment = {
    DOCKER_HOST: machine.env.DOCKER_HOST,
    SERVICE_DATA_DIR: data,
    SERVICE_STACKS_DIR: join(folder, 'stacks'),
    SERVICE_SETUP_SECRET: secret,
  }
  machine.docker(
    ...['run', '--detach', '--name', name, '--restart', 'unless-stopped', '--user', '0:0'],
    ...['--network', 'host', '--volume', `${data}:${data}`, '--volume', `${socket}:${socket}`],
    ...Object.entries(environment).flatMap(([key, value]) => ['--env', `${key}=${value}`]),
    image,
  )
  await untilHealthy()
  const token = await setUpAdmin({ env: { SERVICE_SETUP_SECRET: secret }, password }, service)
  const compose = 'services: { app: { image: busybox } }'
  const made = await api(service, 'POST', '/stacks', { token, body: { name: 'kept', compose } })
  expect(made.status, made.json?.error).toBe(201)
})

afterAll(() => {
  machine?.remove()
  rmSync(folder, { recursive: true, force: true })
})

const untilHealthy = (seconds?: number) =>
  until(
    () =>
      fetch(`${service.url}/api/v1/health`, { signal: AbortSignal.timeout(paced(1000)) }).catch(
        () => undefined,
      ),
    (answer) => answer?.status === 200,
    seconds,
  )

const inspect = (id: string, format: string) => machine.docker('inspect', '--format', format, id)

/** Returns the upgrades as a process of the service in a container has them. */
const upgradesOf = (container: string): ServiceUpgrades =>
  openServiceUpgrades(machine.env, {
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
  })

/** Makes an image like that of the service, with an instruction of a Dockerfile. */
function variant(word: string, change: string) {
  const variantName = `container-stacks:${word}`
  const made = machine.docker('create', image)
  machine.docker('commit', '--change', change, made, variantName)
  machine.docker('rm', '--volumes', made)
  const imageId = machine.docker('image', 'inspect', '--format', '{{.Id}}', variantName)
  return { image: variantName, imageId }
}

async function start(to: { image: string; imageId: string }): Promise<void> {
  count += 1
  const id = `01a20589-4779-72ce-9499-${String(count).padStart(12, '0')}`
  const containerId = inspect(name, '{{.Id}}')
  await upgradesOf(containerId).start({ id, containerId, to })
}

const runningHelper = async () =>
  machine.docker('ps', '--quiet', '--filter', `volume=${data}`, '--filter', 'network=none')

/** Resolves when the helper begins a step, even if that was before. */
async function stepBegins(step: string): Promise<void> {
  // The log of one that has not begun yet ends at once.
  const helper = await until(runningHelper, (id) => id !== '')
  const words = ['logs', '--follow', helper]
  const log = spawn(...boundToParent('docker', words), {
    env: { ...process.env, ...machine.env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  return new Promise((resolve, reject) => {
    const lines = createInterface(log.stderr)
    lines.on('line', (line) => {
      if (!line.startsWith(step)) return
      resolve()
      log.kill()
    })
    lines.once('close', () => reject(new Error(`the helper did not begin ${step}`)))
  })
}

/** Checks that one container of the service runs from an image, with all records. */
async function answersWith(expected: string, seconds: number) {
  // The old container may respond until the upgrade goes on.
  await untilHealthy(seconds)
  const journal = await until(
    () => upgradesOf('unknown').last(),
    (last) => last?.outcome !== 'open',
  )
  await untilHealthy()
  const listed = machine.docker('ps', '--format', '{{.Names}}', '--filter', `name=${name}`)
  expect(listed).toBe(name)
  expect(inspect(name, '{{.Config.Image}} {{.HostConfig.RestartPolicy.Name}}')).toBe(
    `${expected} unless-stopped`,
  )
  const token = await logIn({ password }, service)
  const stacks = await api(service, 'GET', '/stacks', { token })
  expect(stacks.json.map((one: Json) => one.name)).toEqual(['kept'])
  expect((await api(service, 'GET', '/audit/verify', { token })).json).toMatchObject({ ok: true })
  return journal
}

/** Removes what the upgrade keeps for a day. */
const tidied = () =>
  until(
    async () => {
      await upgradesOf(inspect(name, '{{.Id}}')).tidy(Date.now() + 25 * 3_600_000, true)
      return machine.docker('ps', '--all', '--quiet', '--filter', `volume=${data}`).split('\n')
    },
    (left) => left.length === 1,
  )

const forward = ['rename_old', 'hold_old', 'stop_old', 'create_new', 'start_new', 'release_new']
const timeout = paced(240_000)

test.each(rowsNamed(forward, ['stop_old', 'start_new'], (step) => step))(
  'an upgrade goes on after a kill of the Engine at %s',
  { timeout },
  async (step) => {
    const to = variant(step.replace('_', '-'), `ENV UPGRADED=${step}`)
    const starting = start(to).catch(() => {})
    await stepBegins(step)
    await machine.killEngine()
    await machine.boot()
    const journal = await answersWith(to.image, 90)
    expect(journal).toMatchObject({ outcome: 'upgraded', error: null })
    await starting
    await tidied()
  },
)

const back = ['turn back', 'remove_new', 'restore_name', 'release_old', 'start_old']

test.each(rowsNamed(back, ['restore_name'], (step) => step))(
  'an upgrade to an image that ends goes back after a kill of the Engine at %s',
  { timeout },
  async (step) => {
    const before = inspect(name, '{{.Config.Image}}')
    const to = variant(
      `back-${step.replace(/\W|_/, '-')}`,
      'CMD ["node", "--eval", "setTimeout(() => process.exit(3), 2000)"]',
    )
    const starting = start(to).catch(() => {})
    await stepBegins(step)
    await machine.killEngine()
    await machine.boot()
    expect(await answersWith(before, 90)).toMatchObject({ outcome: 'taken_back' })
    await starting
    await tidied()
  },
)

test('an upgrade goes on if containers outlive their Engine, whose socket is another one then', {
  timeout,
}, async () => {
  await machine.shutDown()
  await machine.boot('--live-restore')
  await untilHealthy()
  const to = variant('outlived', 'ENV UPGRADED=outlived')
  const starting = start(to).catch(() => {})
  await stepBegins('stop_old')
  await machine.killEngine()
  await machine.boot('--live-restore')
  expect(await answersWith(to.image, 90)).toMatchObject({ outcome: 'upgraded', error: null })
  await starting
  await tidied()
})
