import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import { freePort } from '../harness/free-port.ts'
import { api, newPlace, type Running, setUpAdmin, startIn } from '../harness/service.ts'
import { unique } from '../harness/unique.ts'

const place = newPlace()
const stacks: string[] = []
let running: Running
let token: string

const sleeping = 'image: busybox:latest, command: sleep 3600, init: true, stop_grace_period: 0s'

async function save(name: string, compose: string) {
  const known = stacks.includes(name)
  if (!known) stacks.push(name)
  const [method, path] = known ? ['PUT', `/stacks/${name}`] : ['POST', '/stacks']
  const body = { ...(known ? {} : { name }), compose }
  const saved = await api(running, method, path, { token, body })
  expect([200, 201]).toContain(saved.status)
}

const ask = (name: string, verb: 'plan' | 'deploy', body: object = {}) =>
  api(running, 'POST', `/stacks/${name}/${verb}`, { token, body })

/** Saves a stack and deploys it. Returns the error of the deployment. */
async function deployed(name: string, compose: string) {
  await save(name, compose)
  return (await ask(name, 'deploy')).json.error
}

/** Returns what the Engine has of a stack: the service, name and state of each container. */
const containers = (name: string) =>
  docker(
    ...['ps', '-a', '--filter', `label=com.docker.compose.project=${name}`],
    ...['--format', '{{.Label "com.docker.compose.service"}} {{.Names}} {{.State}}'],
  )
    .split('\n')
    .filter(Boolean)
    .sort()

beforeAll(async () => {
  running = await startIn(place)
  token = await setUpAdmin(place, running)
})

afterAll(async () => {
  for (const name of stacks) await api(running, 'DELETE', `/stacks/${name}?volumes=true`, { token })
  await place.remove()
})

test('services exchange names and ports in one deploy, and a new one takes a name that is given up', async () => {
  const name = unique('exchange')
  const [one, two] = [await freePort(), await freePort()]
  const service = (key: string, container: string, port: number) =>
    `  ${key}: {${sleeping}, container_name: ${name}-${container}, ports: ["127.0.0.1:${port}:80"]}\n`
  const before = `services:\n${service('p', 'x', one)}${service('q', 'y', two)}`
  expect(await deployed(name, before)).toBe(null)
  const after = `services:\n${service('p', 'y', two)}${service('q', 'x', one)}`
  expect(await deployed(name, after)).toBe(null)
  expect(containers(name)).toEqual([`p ${name}-y running`, `q ${name}-x running`])
  expect((await ask(name, 'plan')).json).toEqual([])
  const third = `services:\n${service('a', 'y', two)}${service('p', 'z', 0)}${service('q', 'x', one)}`
  expect(await deployed(name, third)).toBe(null)
  const names = [`a ${name}-y running`, `p ${name}-z running`, `q ${name}-x running`]
  expect(containers(name)).toEqual(names)
  expect((await ask(name, 'plan')).json).toEqual([])
})

/** Creates a container of a compose project that is no stack. Returns its ID. */
function createForeign(project: string): string {
  const labels = [`com.docker.compose.project=${project}`, 'com.docker.compose.service=db']
  const flags = labels.flatMap((label) => ['--label', label])
  return docker('create', '--name', project, ...flags, 'busybox:latest', 'true')
}

/** Makes a network or volume that is removed after the test. */
function make(kind: 'network' | 'volume', name: string): void {
  docker(kind, 'create', name)
  onTestFinished(async () => {
    for (const stack of stacks) await api(running, 'DELETE', `/stacks/${stack}`, { token })
    docker(kind, 'rm', name)
  })
}

/** Returns the lines with which both plan and deploy refuse a stack. */
async function refusal(name: string, expected: number): Promise<string[]> {
  const [planned, done] = [await ask(name, 'plan'), await ask(name, 'deploy')]
  expect([planned.status, done.status, done.json]).toEqual([expected, expected, planned.json])
  expect(containers(name)).toEqual([])
  return planned.json.error.split('\n')
}

test('names every holder with its stack or project, and all that is missing, before it makes anything', async () => {
  const name = unique('beside')
  const [other, project, net, vol] = ['other', 'project', 'net', 'vol'].map(
    (word) => `${name}-${word}`,
  ) as [string, string, string, string]
  const [one, two] = [await freePort(), await freePort()]
  const foreign = createForeign(project)
  onTestFinished(() => void docker('rm', '--force', foreign))
  const ports = `ports: ["${one}:80", "127.0.0.1:${two}:80"]`
  expect(await deployed(other, `services: {web: {${sleeping}, ${ports}}}`)).toBe(null)
  await save(
    name,
    `services:
  web:
    ports: ["127.0.0.1:${one}:80", "127.0.0.2:${two}:80", "127.0.0.1:${two}:81"]
    <<: {${sleeping}, networks: [n]}
  db: {${sleeping}, container_name: ${project}, volumes: ["data:/v"]}
networks: {n: {external: true, name: ${net}}}
volumes: {data: {external: true, name: ${vol}}}
`,
  )
  expect(await refusal(name, 422)).toEqual([
    expect.stringContaining(`\`docker volume create ${vol}\``),
    expect.stringContaining(`\`docker network create ${net}\``),
  ])
  make('network', net)
  make('volume', vol)
  const first = 'compose.yaml:3:\\d+: services.web.ports\\[0\\]: port'
  expect(await refusal(name, 409)).toEqual([
    expect.stringMatching(
      `${first} 127.0.0.1:${one} .* container ${other}-web-1 of stack ${other}: `,
    ),
    expect.stringMatching(`services.web.ports\\[2\\]: port 127.0.0.1:${two} of the host is taken `),
    expect.stringMatching(`container ${project} of the compose project ${project}: remove `),
  ])
  docker('rename', project, `${project}-old`)
  // A stopped container leaves its ports.
  await api(running, 'POST', `/stacks/${other}/services/web/stop`, { token, body: {} })
  expect((await ask(name, 'deploy')).json).toMatchObject({ status: 'succeeded', error: null })
  expect((await ask(name, 'plan')).json).toEqual([])
})
