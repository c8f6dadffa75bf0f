import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dockerEngine } from '../../adapters/docker/engine.ts'
import { transportFrom } from '../../adapters/docker/transport/connect.ts'
import { askDocker, docker } from '../../adapters/testing/docker.ts'
import { agentHost } from '../../adapters/testing/memory/hosts.ts'
import { present } from '../../adapters/testing/present.ts'
import type { Permission } from '../../functions/core/records/permissions.ts'
import saveSettings from '../../functions/settings/update.ts'
import createStack from '../../functions/stacks/create.ts'
import deploy from '../../functions/stacks/deploy.ts'
import plan from '../../functions/stacks/plan.ts'
import { call } from '../harness/call.ts'
import { realEngineWorld } from '../harness/real-engine-world.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import type { TestCaller } from '../harness/sign-in.ts'
import { unique } from '../harness/unique.ts'
import { forgetOwners } from '../harness/world.ts'

const world = realEngineWorld()
const { ports, stacksDirectory } = world
const prefix = unique('own')
const victim = `${prefix}victim`
const byHand = `${prefix}byhand`
const proxy = `${prefix}proxy`

/** May create and deploy stacks, but not read those of other users. */
const blind: TestCaller = { username: 'blind', role: 'blind' }

const lab = dockerEngine({
  transport: transportFrom(process.env),
  host: 'lab',
  stacksDirectory: join(stacksDirectory, 'lab'),
})

beforeAll(async () => {
  const permissions: Permission[] = ['stacks:create', 'stacks:deploy']
  await ports.roles.create({ id: 'blind', permissions, createdAt: 0 })
  docker('volume', 'create', byHand)
  docker('network', 'create', proxy)
  await givenStack(victim, project(['data:/d'], 'data: {}'), 'admin')
  expect(await deployed(victim, 'admin')).toMatchObject({ status: 'succeeded' })
})

afterAll(async () => {
  await removeFromEngine(prefix)
  await lab.close()
  await world.close()
})

/** Returns a project of one service with these mounts and declarations. */
const project = (mounts: string[], volumes: string, more = '') => `services:
  web:
    image: busybox:latest
    command: sleep 3600
    init: true
    volumes: ${JSON.stringify(mounts)}
${more}
volumes:
  ${volumes}
`
const using = (name: string, external: boolean) =>
  project(['vol:/v'], `vol: {name: ${name}${external ? ', external: true' : ''}}`)
/** Its service has a name that no container of the network has. */
const joining = (name: string) =>
  project([], 'none: {}', '    networks: [n]\nnetworks: {n: {name: NAME, external: true}}')
    .replace('NAME', name)
    .replace('  web:', '  guest:')

async function givenStack(
  name: string,
  compose: string,
  as: TestCaller = 'operator',
  host?: string,
) {
  const made = await call(createStack, { ports, as, body: { name, compose, host } })
  expect([made.status, made.text]).toEqual([201, expect.any(String)])
}

const ask = (name: string, as: TestCaller) => call(deploy, { ports, as, path: { name }, body: {} })
const deployed = async (name: string, as: TestCaller) => (await ask(name, as)).json

/**
 * Expects that a deploy is rejected, and that neither it nor a plan leaves anything on the host.
 */
async function expectRefused(name: string, as: TestCaller, status: number, text: string) {
  await call(plan, { ports, as: 'viewer', path: { name }, body: {} })
  const answer = await ask(name, as)
  expect([answer.status, answer.json.error]).toEqual([status, expect.stringContaining(text)])
  expect(ofProject(name)).toEqual([])
  return answer.json.error as string
}

/** Returns the containers, networks and volumes with the label of a project. */
const ofProject = (name: string) =>
  [
    ['ps', '-a'],
    ['network', 'ls'],
    ['volume', 'ls'],
  ].flatMap((list) =>
    docker(...list, '-q', '--filter', `label=com.docker.compose.project=${name}`)
      .split('\n')
      .filter(Boolean),
  )

/** Returns the names of the containers that mount a volume, running or not. */
const mounting = (volume: string) =>
  docker('ps', '-a', '--filter', `volume=${volume}`, '--format', '{{.Names}}')
    .split('\n')
    .filter(Boolean)

const share = (setting: 'stacks.shared_volumes' | 'stacks.shared_networks', names: string[]) =>
  call(saveSettings, { ports, as: 'admin', body: { [setting]: names } })

test.each([
  ['by name', false],
  ['as external', true],
])('403: rejects another stack’s volume, taken %s', async (what, external) => {
  const name = `${prefix}thief${what.length}`
  await givenStack(name, using(`${victim}_data`, external), blind)
  const text = await expectRefused(name, blind, 403, `${victim}_data belongs to another stack`)
  expect(text).toMatch(/^compose\.yaml:\d+:\d+: volumes\.vol: /)
  expect(mounting(`${victim}_data`)).toEqual([`${victim}-web-1`])
})

test('403: rejects another stack’s volume from before records, by its labels', async () => {
  const name = `${prefix}unrecorded`
  const record = { hostId: 'local', kind: 'volume', name: `${victim}_data` } as const
  await forgetOwners({ ports }, victim)
  await givenStack(name, using(record.name, true), blind)
  await expectRefused(name, blind, 403, 'belongs to another stack')
  expect(await deployed(victim, 'operator')).toMatchObject({ status: 'succeeded', steps: [] })
  expect(await ports.owners.find(record)).toMatchObject({ stack: victim })
})

test('uses the volume of a stack that the caller may read and deploy', async () => {
  const name = `${prefix}friend`
  await givenStack(name, using(`${victim}_data`, true))
  expect(await deployed(name, 'operator')).toMatchObject({ status: 'succeeded' })
  expect(mounting(`${victim}_data`).sort()).toEqual([`${name}-web-1`, `${victim}-web-1`])
  docker('rm', '-f', `${name}-web-1`)
})

test('409: rejects a default name that another stack owns, also at plan', async () => {
  const [first, second] = [`${prefix}a`, `${prefix}a_b`]
  await givenStack(first, project(['b_cc:/v'], 'b_cc: {}'))
  await givenStack(second, project(['cc:/v'], 'cc: {}'))
  expect(await deployed(first, 'operator')).toMatchObject({ status: 'succeeded' })
  for (const as of ['operator', 'admin'] as const) {
    await expectRefused(second, as, 409, `${prefix}a_b_cc belongs to stack ${first}`)
  }
  const asked = { ports, as: 'viewer' as const, path: { name: second }, body: {} }
  expect((await call(plan, asked)).status).toBe(409)
  expect(mounting(`${prefix}a_b_cc`)).toEqual([`${first}-web-1`])
})

test('403: rejects a volume made by hand until `stacks.shared_volumes` lists it', async () => {
  const name = `${prefix}hand`
  await givenStack(name, using(byHand, true))
  await expectRefused(name, 'operator', 403, 'stacks.shared_volumes')
  expect(mounting(byHand)).toEqual([])
  await share('stacks.shared_volumes', [byHand])
  expect(await deployed(name, 'operator')).toMatchObject({ status: 'succeeded' })
  expect(mounting(byHand)).toEqual([`${name}-web-1`])
  await share('stacks.shared_volumes', [])
})

test('joins a network that no stack made', async () => {
  const name = `${prefix}proxied`
  await givenStack(name, joining(proxy), blind)
  expect(await deployed(name, blind)).toMatchObject({ status: 'succeeded' })
  expect(docker('network', 'inspect', '-f', '{{json .Containers}}', proxy)).toContain(name)
})

test('403: rejects another stack’s network until `stacks.shared_networks` lists it', async () => {
  const name = `${prefix}guest`
  const network = `${victim}_default`
  await givenStack(name, joining(network), blind)
  await expectRefused(name, blind, 403, `${network} belongs to another stack`)
  const mode = `${prefix}mode`
  await givenStack(mode, project([], 'none: {}', `    network_mode: ${network}`), blind)
  await expectRefused(mode, blind, 403, `${network} belongs to another stack`)
  await share('stacks.shared_networks', [network])
  expect(await deployed(name, blind)).toMatchObject({ status: 'succeeded' })
  await share('stacks.shared_networks', [])
  docker('rm', '-f', `${name}-guest-1`)
})

test('403: rejects the volume and the network that become another stack’s after the plan', async () => {
  for (const kind of ['volume', 'network'] as const) {
    const [owner, late] = [`${prefix}early${kind}`, `${prefix}late${kind}`]
    const taken = kind === 'volume' ? `${owner}_data` : `${owner}_default`
    await givenStack(owner, project(['data:/d'], 'data: {}'))
    if (kind === 'network') docker('network', 'create', taken)
    await givenStack(late, kind === 'volume' ? using(taken, false) : joining(taken), blind)
    const { owners } = ports
    let isFirst = true
    ports.owners = {
      ...owners,
      async find(thing) {
        const found = await owners.find(thing)
        if (thing.name !== taken || !isFirst) return found
        isFirst = false
        // The first lookup finds no owner. From here on the object belongs to the other stack.
        if (kind === 'network') await askDocker('network', 'rm', taken)
        expect(await deployed(owner, 'admin')).toMatchObject({ status: 'succeeded' })
        return found
      },
    }
    const answer = await ask(late, blind)
    ports.owners = owners
    expect([answer.status, answer.json.error]).toEqual([
      403,
      expect.stringContaining(`${taken} belongs to another stack`),
    ])
    expect(ofProject(late)).toEqual([])
  }
})

test('gives a volume that two stacks claim at once to one of them', async () => {
  const shared = `${prefix}both`
  const names = [`${prefix}left`, `${prefix}right`]
  for (const name of names) await givenStack(name, using(shared, false), blind)
  const answers = await Promise.all(names.map((name) => ask(name, blind)))
  const won = answers.filter(({ json }) => json.status === 'succeeded')
  expect(won).toHaveLength(1)
  const owner = await ports.owners.find({ hostId: 'local', kind: 'volume', name: shared })
  expect(mounting(shared)).toEqual([`${present(owner).stack}-web-1`])
})

test('403: rejects objects on a host outside the scope, even on an Engine of two hosts', async () => {
  mkdirSync(join(stacksDirectory, 'lab'))
  await ports.hosts.create({
    ...agentHost('lab', ['lab']),
    stacksDirectory: join(stacksDirectory, 'lab'),
  })
  ports.engines.byHost.set('lab', lab)
  const limited: TestCaller = { username: 'limited', role: 'operator', scopeTags: ['lab'] }
  const compose = using(`${victim}_data`, true)
  const body = { name: `${prefix}local`, compose, host: 'local' }
  expect((await call(createStack, { ports, as: limited, body })).status).toBe(403)
  const name = `${prefix}lab`
  await givenStack(name, compose, limited, 'lab')
  await expectRefused(name, limited, 403, `${victim}_data`)
  expect(mounting(`${victim}_data`)).toEqual([`${victim}-web-1`])
})

test.each([
  ['volumes_from', 'volumes_from: ["container:VICTIM"]'],
  ['network_mode', 'network_mode: "container:VICTIM"'],
  ['pid', 'pid: "container:VICTIM"'],
  ['ipc', 'ipc: "container:VICTIM"'],
])(
  '403: rejects %s of another stack’s container, even for a caller who may deploy it',
  async (what, line) => {
    const name = `${prefix}${what}`
    const more = `    ${line.replace('VICTIM', `${victim}-web-1`)}`
    await givenStack(name, project([], 'none: {}', more), 'admin')
    await expectRefused(name, 'operator', 403, what)
  },
)
