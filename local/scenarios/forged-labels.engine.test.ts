import { execFileSync, spawnSync } from 'node:child_process'
import {
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import { present } from '../../adapters/testing/present.ts'
import listProjects from '../../functions/compose-projects/list.ts'
import listContainers from '../../functions/containers/list.ts'
import type { EngineEvent } from '../../functions/core/records/host-engine.ts'
import createAdoption from '../../functions/stacks/adopt/create.ts'
import createStack from '../../functions/stacks/create.ts'
import deploy from '../../functions/stacks/deploy.ts'
import getStack from '../../functions/stacks/get.ts'
import logs from '../../functions/stacks/logs.ts'
import { bundleOf, completeAdoption, sendBundle } from '../harness/bundle.ts'
import { call } from '../harness/call.ts'
import { untilReleased } from '../harness/held-build.ts'
import { paced } from '../harness/pace.ts'
import { realEngineWorld } from '../harness/real-engine-world.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import { unique } from '../harness/unique.ts'
import { findCompose } from '../setup/compose.mjs'

const world = realEngineWorld()
const { ports, engine, stacksDirectory } = world
const prefix = unique('forged')
const projects: string[] = []

/** The projects of this file that have objects on the Engine, including builders. */
const made = new Set<string>()

afterAll(async () => {
  for (const name of projects) down(name)
  for (const name of made) {
    const filter = `label=com.docker.compose.project=${name}`
    await removeFromEngine(name)
    for (const id of listed('images', '-aq', filter)) {
      // Removing an earlier image may have removed this one too.
      spawnSync('docker', ['rmi', '-f', id], { stdio: 'ignore' })
    }
  }
  await world.close()
})

/** Removes a project. A test may have replaced its directory by a link. */
function down(name: string) {
  const directory = realpathSync(join(stacksDirectory, name))
  execFileSync(present(findCompose()), ['-p', name, 'down', '-v', '-t', '0'], {
    cwd: directory,
    stdio: 'pipe',
  })
}

const listed = (...words: string[]) =>
  docker(...words.slice(0, -1), '--filter', present(words.at(-1)))
    .split('\n')
    .filter(Boolean)

/** Returns the IDs of the containers of a project. */
const containersOf = (project: string) => listed('ps', '-aq', `label=${own}.project=${project}`)

const compose = (name: string, ...words: string[]) =>
  execFileSync(present(findCompose()), words, { cwd: join(stacksDirectory, name), stdio: 'pipe' })

/** Starts a project with docker compose in the directory of a stack with its name. */
function givenRunning(name: string, lines = '') {
  mkdirSync(join(stacksDirectory, name))
  const text = `services:\n  web:\n    image: busybox:latest\n    command: sleep 3600\n    init: true\n${lines}`
  writeFileSync(join(stacksDirectory, name, 'compose.yaml'), text)
  projects.push(name)
  compose(name, 'up', '-d')
  // The list of containers lags behind the Engine's events.
  return expect.poll(namesOf, { timeout: paced(60_000) }).toContain(name)
}

const begin = (name: string, as: 'operator' | 'admin') =>
  call(createAdoption, { ports, as, body: { name, size: 100 } })

const namesOf = async () => {
  const { json } = await call(listProjects, { ports, as: 'admin' })
  return json.map(({ name }: { name: string }) => name)
}

const own = 'com.docker.compose'
const plain = (project: string) => ({
  [`${own}.project`]: project,
  [`${own}.service`]: 'web',
  [`${own}.project.working_dir`]: '/etc',
  [`${own}.project.config_files`]: '/etc/compose.yaml',
})
const full = (project: string) => ({
  ...plain(project),
  [`${own}.project.working_dir`]: join(stacksDirectory, project),
  [`${own}.project.config_files`]: join(stacksDirectory, project, 'compose.yaml'),
  [`${own}.container-number`]: '1',
  [`${own}.oneoff`]: 'False',
  [`${own}.config-hash`]: 'a'.repeat(64),
})

test.each([
  ['the labels of a place', prefix, plain],
  ['every label that docker compose sets', `${prefix}full`, full],
])('a build that forges %s does not become a project', async (_what, project, labels) => {
  mkdirSync(join(stacksDirectory, project))
  const { id, building } = await givenBuilding(project, labels(project))
  const found = (await engine.containers({ all: true })).find((one) => one.id === id)
  expect(found).toMatchObject({ stack: null, service: null, labels: {} })
  expect(await namesOf()).not.toContain(project)
  for (const as of ['operator', 'admin'] as const) {
    const { status, json } = await begin(project, as)
    expect([status, json.error]).toEqual([422, expect.stringContaining('no such project runs')])
  }
  expect(listed('ps', '-q', `label=${own}.project=${project}`)).toHaveLength(1)
  docker('exec', id, 'touch', '/go')
  await building
})

test('a build that forges the labels of a stack does not become one of its containers', async () => {
  const name = `${prefix}victim`
  made.add(name)
  const text = 'services: {web: {image: "busybox:latest", command: sleep 3600, init: true}}'
  await call(createStack, { ports, as: 'operator', body: { name, compose: text } })
  const deployed = await call(deploy, { ports, as: 'operator', path: { name }, body: {} })
  expect(deployed.json).toMatchObject({ status: 'succeeded' })
  const events = heardEvents()
  const labels = {
    ...full(name),
    [`${own}.container-number`]: '2',
    [`${own}.image`]: `sha256:${'0'.repeat(64)}`,
  }
  const { id, building } = await givenBuilding(name, labels)
  const container = `${name}-web-1`
  const { containers } = await engine.observe(name)
  expect(containers.map((one) => one.name)).toEqual([container])
  expect((await engine.projectContainers(name)).map((one) => one.name)).toEqual([container])
  const { json: shown } = await call(listContainers, {
    ports,
    as: 'viewer',
    query: { all: 'true' },
  })
  const listed = (one: string) => shown.find((item: { id: string }) => item.id === one)
  expect(listed(id)).toMatchObject({ stack: null, service: null })
  expect(listed(present(containers[0]).id)).toMatchObject({ stack: name, service: 'web' })
  const asked = { ports, as: 'viewer' as const, path: { name } }
  expect((await call(logs, asked)).text).not.toContain('poison')
  expect(JSON.stringify((await call(getStack, asked)).json)).not.toContain(id)
  const samples = await engine.sample(new AbortController().signal)
  expect(samples.filter(({ stack }) => stack === name).map((one) => one.name)).toEqual([container])
  docker('exec', id, 'touch', '/go')
  await building
  const told = await events.end()
  expect(told.filter(({ subject }) => subject.id === id)).not.toHaveLength(0)
  const asVictim = told.filter(({ details }) => details.stack === name)
  expect(asVictim.filter(({ subject }) => subject.name !== container)).toEqual([])
})

/** Records the Engine's container events from now on. */
function heardEvents() {
  const stop = new AbortController()
  const heard: EngineEvent[] = []
  const following = (async () => {
    for await (const said of engine.events(stop.signal)) {
      if (typeof said !== 'string' && said.subject.kind === 'container') heard.push(said)
    }
  })()
  const end = async () => {
    stop.abort()
    await following
    return heard
  }
  return { end }
}

/**
 * Deploys an operator's stack whose build sets labels. Returns while a build step runs. Only the
 * old builder has containers, and only it can use the network `bridge`.
 */
async function givenBuilding(project: string, labels: Record<string, string>) {
  const name = `${project}builder`
  for (const one of [project, name]) made.add(one)
  const lines = Object.entries(labels).map(([key, value]) => `LABEL ${key}=${value}`)
  const steps = ['FROM busybox:latest', ...lines, `RUN echo poison; ${untilReleased}`]
  const text = `services:
  app:
    image: ${name}:1
    command: sleep 1
    build:
      network: bridge
      dockerfile_inline: |
          ${steps.join('\n          ')}
`
  const answer = await call(createStack, { ports, as: 'operator', body: { name, compose: text } })
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)])
  const building = call(deploy, { ports, as: 'operator', path: { name }, body: {} })
  const builders = () =>
    docker('ps', '-q', '--no-trunc', '--filter', `label=${own}.project=${project}`)
      .split('\n')
      .filter((id) => id && docker('inspect', '-f', '{{.Config.Cmd}}', id).includes('poison'))
  await expect.poll(builders, { timeout: paced(60_000) }).toHaveLength(1)
  // The list of containers lags behind the Engine's events.
  const all = () => engine.containers({ all: true }).then((list) => list.map(({ id }) => id))
  await expect.poll(all, { timeout: paced(60_000) }).toContain(builders()[0])
  return { id: present(builders()[0]), building }
}

test('a project that docker compose runs in a stack’s directory can be adopted', async () => {
  const name = `${prefix}good`
  await givenRunning(name, `    volumes: ["./data:/data", "data:/v"]\nvolumes: {data: {}}\n`)
  const before = containersOf(name)
  const compose = readFileSync(join(stacksDirectory, name, 'compose.yaml'))
  const bundle = await bundleOf({ 'compose.yaml': compose })
  const { status, json } = await completeAdoption(
    world,
    await sendBundle(world, bundle, { name }),
    bundle,
  )
  expect([status, json]).toMatchObject([201, { name, status: 'running', differences: [] }])
  const deployed = await call(deploy, { ports, as: 'operator', path: { name }, body: {} })
  expect(deployed.json).toMatchObject({ status: 'succeeded', steps: [] })
  expect([before.length, containersOf(name)]).toEqual([1, before])
})

test.each([
  ['options', '    security_opt: ["label=disable"]\n', 'SecurityOpt ["label=disable"]'],
  ['mounts', '    volumes: ["/etc:/x:ro"]\n', '/etc is outside'],
  ['namespaces', '    pid: host\n', 'PidMode "host"'],
  [
    'volume',
    '    volumes: ["data:/v"]\nvolumes: {data: {driver_opts: {type: none, o: "ro,bind", device: /etc}}}\n',
    'driver option device',
  ],
])(
  'adopting a project with more than a stack may have (%s) requires privileges',
  async (what, lines, said) => {
    const name = `${prefix}${what}`
    await givenRunning(name, lines)
    const { status, json } = await begin(name, 'operator')
    expect([status, json.error]).toEqual([403, expect.stringContaining(said)])
    expect((await begin(name, 'admin')).status).toBe(201)
  },
)

test('adopting a project whose directory is a link requires privileges', async () => {
  const name = `${prefix}link`
  await givenRunning(name)
  const directory = join(stacksDirectory, name)
  renameSync(directory, `${directory}-real`)
  symlinkSync(`${directory}-real`, directory)
  const { status, json } = await begin(name, 'operator')
  expect([status, json.error]).toEqual([403, expect.stringContaining('is a link')])
  expect((await begin(name, 'admin')).status).toBe(201)
})
