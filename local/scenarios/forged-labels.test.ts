import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import listProjects from '../../functions/compose-projects/list.ts'
import createAdoption from '../../functions/stacks/adopt/create.ts'
import createStack from '../../functions/stacks/create.ts'
import deploy from '../../functions/stacks/deploy.ts'
import { call } from '../harness/call.ts'
import { docker } from '../harness/docker.ts'
import { realEngineWorld } from '../harness/real-engine-world.ts'
import { findCompose } from '../setup/compose.mjs'

const world = realEngineWorld()
const { ports, engine, stacksDirectory } = world
const unique = `forged${process.pid}`
const projects: string[] = []

afterAll(async () => {
  for (const name of [unique, `${unique}full`]) {
    for (const id of listed('ps', '-aq', `label=com.docker.compose.project=${name}`)) {
      docker('rm', '-f', id)
    }
    for (const id of listed('images', '-aq', `label=com.docker.compose.project=${name}`)) {
      execFileSync('docker', ['rmi', '-f', id], { stdio: 'ignore' })
    }
  }
  for (const name of projects) compose(name, 'down', '-v', '-t', '0')
  await world.close()
})

const listed = (command: string, flag: string, filter: string) =>
  docker(command, flag, '--filter', filter).split('\n').filter(Boolean)

const compose = (name: string, ...words: string[]) =>
  execFileSync(findCompose()!, words, { cwd: join(stacksDirectory, name), stdio: 'pipe' })

/** Starts a project with docker compose in the place of a stack of its name. */
function givenRunning(name: string, lines = '') {
  mkdirSync(join(stacksDirectory, name))
  const text = `services:\n  web:\n    image: busybox:latest\n    command: sleep 3600\n    init: true\n${lines}`
  writeFileSync(join(stacksDirectory, name, 'compose.yaml'), text)
  projects.push(name)
  compose(name, 'up', '-d')
  // The list of containers follows the Engine's events.
  return expect.poll(namesOf, { timeout: 10_000 }).toContain(name)
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
  ['the labels of a place', unique, plain],
  ['every label that docker compose sets', `${unique}full`, full],
])('a build that forges %s must not be a project', async (_what, project, labels) => {
  mkdirSync(join(stacksDirectory, project))
  const lines = Object.entries(labels(project)).map(([key, value]) => `LABEL ${key}=${value}`)
  const dockerfile = ['FROM busybox:latest', ...lines, 'RUN sleep 6'].join('\n          ')
  const name = `${project}builder`
  const text = `services:
  app:
    image: ${name}:1
    command: sleep 1
    build:
      dockerfile_inline: |
          ${dockerfile}
`
  const made = await call(createStack, { ports, as: 'operator', body: { name, compose: text } })
  expect([made.status, made.text]).toEqual([201, expect.any(String)])
  const building = call(deploy, { ports, as: 'operator', path: { name }, body: {} })
  await expect
    .poll(() => listed('ps', '-q', `label=${own}.project=${project}`), { timeout: 15_000 })
    .toHaveLength(1)
  expect((await engine.containers({ all: true })).map(({ stack }) => stack)).toContain(project)
  expect(await namesOf()).not.toContain(project)
  for (const as of ['operator', 'admin'] as const) {
    const { status, json } = await begin(project, as)
    expect([status, json.error]).toEqual([422, expect.stringContaining('no such project runs')])
  }
  expect(listed('ps', '-q', `label=${own}.project=${project}`)).toHaveLength(1)
  await building
  docker('rm', '-f', `${name}-app-1`)
  docker('rmi', '-f', `${name}:1`)
})

test('a project that docker compose runs in the place of a stack must be adoptable', async () => {
  const name = `${unique}good`
  await givenRunning(name, `    volumes: ["./data:/data", "data:/v"]\nvolumes: {data: {}}\n`)
  expect((await begin(name, 'operator')).status).toBe(201)
})

test.each([
  ['options', '    security_opt: ["label=disable"]\n', 'SecurityOpt ["label=disable"]'],
  ['mounts', '    volumes: ["/etc:/x:ro"]\n', '/etc lies outside'],
  ['namespaces', '    pid: host\n', 'PidMode "host"'],
  [
    'volume',
    '    volumes: ["data:/v"]\nvolumes: {data: {driver_opts: {type: none, o: "ro,bind", device: /etc}}}\n',
    'driver option device',
  ],
])(
  'one that runs with more than a stack may (%s) must need privileges',
  async (what, lines, said) => {
    const name = `${unique}${what}`
    await givenRunning(name, lines)
    const { status, json } = await begin(name, 'operator')
    expect([status, json.error]).toEqual([403, expect.stringContaining(said)])
    expect((await begin(name, 'admin')).status).toBe(201)
  },
)

test('one whose directory is a link must need privileges', async () => {
  const name = `${unique}link`
  await givenRunning(name)
  const directory = join(stacksDirectory, name)
  renameSync(directory, `${directory}-real`)
  symlinkSync(`${directory}-real`, directory)
  const { status, json } = await begin(name, 'operator')
  expect([status, json.error]).toEqual([403, expect.stringContaining('is a link')])
  expect((await begin(name, 'admin')).status).toBe(201)
})
