import { expect, onTestFinished, test } from 'vitest'
import { asExpected } from '../../../local/harness/peers/as-expected.ts'
import { type ExpectedStack, expectedOf } from '../../../local/harness/peers/expected.ts'
import { peerJson } from '../../../local/harness/peers/peer-fixtures.ts'
import { startPortainer } from '../../../local/harness/peers/portainer.ts'
import { placeStacks } from '../place-stacks.ts'
import { sourceProposals } from '../source-proposals.ts'
import { type PortainerAnswers, readPortainer } from './answers.ts'
import { accountProposals } from './proposals.ts'
import { portainerStacks } from './stacks.ts'

async function fake(account: 'admin' | 'bob' = 'admin') {
  const server = await startPortainer()
  onTestFinished(() => server.close())
  const headers = { 'X-API-Key': server[account].apiKey }
  return { server, peer: { url: server.url, headers, skipsTlsCheck: false } }
}

const read = async () => readPortainer((await fake()).peer)

const sorted = ({ leftOut, ...stack }: ExpectedStack) => ({
  ...stack,
  leftOut: leftOut.map(({ what, reason }) => `${what} ${reason}`).sort(),
})

test.each(expectedOf('portainer').map((stack) => [stack.peerId, stack] as const))(
  'reads stack %s of the fixtures',
  async (peerId, expected) => {
    const found = portainerStacks(await read()).filter(({ id }) => id === peerId)
    const stacks = found.map(({ id, stack }) => sorted({ ...asExpected(stack), peerId: id }))
    expect(stacks).toEqual([sorted(expected)])
  },
)

test('sends GET alone, and only requests whose form is known', async () => {
  const { server, peer } = await fake()
  await readPortainer(peer)
  expect(server.asked.every((line) => line.startsWith('GET /api/'))).toBe(true)
  expect(server.asked.some((line) => line.includes('/api/stacks/11/file'))).toBe(false)
})

test('reads what a regular user sees, and names the lists that are hidden', async () => {
  const { peer } = await fake('bob')
  const answers = await readPortainer(peer)
  expect(answers.stacks.map(({ Name }) => Name)).toContain('nextcloud')
  expect(answers.hidden).toEqual(['registries', 'users', 'teams'])
})

test.each([
  [401, 'refuses the API key'],
  [403, 'with status 403'],
  [404, 'does not respond as Portainer does'],
])('a response with status %i is a failure', async (status, said) => {
  const { server, peer } = await fake()
  server.instead.set('GET /api/stacks', { status, body: {} })
  await expect(readPortainer(peer)).rejects.toThrow(said)
})

test('a compose file that is not shown prevents the import of its stack alone', async () => {
  const { server, peer } = await fake()
  server.instead.set('GET /api/stacks/3/file', { status: 500, body: {} })
  const stacks = portainerStacks(await readPortainer(peer)).map(({ stack }) => stack)
  const [grafana] = stacks.filter(({ name }) => name === 'grafana')
  expect(grafana?.needs).toContain('status 500')
  expect(grafana?.leftOut).toEqual([{ what: 'docker-compose.yml', reason: 'file-not-in-answers' }])
})

test('a response that is no list is a failure', async () => {
  const { server, peer } = await fake()
  server.instead.set('GET /api/stacks', { status: 200, text: '<html>' })
  await expect(readPortainer(peer)).rejects.toThrow('does not respond as Portainer does')
})

test('a stack of another form is refused alone', async () => {
  const { server, peer } = await fake()
  const given = peerJson<{ Name: string }[]>('portainer', 'stacks.json')
  const odd = { EntryPoint: 7, AdditionalFiles: [1], Env: [null], GitConfig: {}, AutoUpdate: 'x' }
  const body = given.map((one) => (one.Name === 'grafana' ? { ...one, ...odd } : one))
  server.instead.set('GET /api/stacks', { status: 200, body })
  const stacks = portainerStacks(await readPortainer(peer)).map(({ stack }) => stack)
  expect(stacks.map(({ peerName }) => peerName)).toEqual(given.map(({ Name }) => Name))
  const [grafana, ...others] = stacks.filter(({ refused }) => refused?.reason === 'form-unknown')
  expect([grafana?.peerName, grafana?.refused?.detail, others]).toEqual([
    'grafana',
    expect.stringMatching(/ EntryPoint, AdditionalFiles, Env, AutoUpdate, GitConfig$/),
    [],
  ])
})

test('what is no stack is a failure; other entries without a known form are left out', async () => {
  const { server, peer } = await fake()
  const odd = (name: string) =>
    server.instead.set(`GET /api/${name}`, { status: 200, body: [null, 'x', { Id: {} }] })
  for (const name of ['endpoints', 'registries', 'users', 'teams']) odd(name)
  const answers = await readPortainer(peer)
  expect([answers.endpoints, answers.registries, accountProposals(answers)]).toEqual([[], [], []])
  odd('stacks')
  await expect(readPortainer(peer)).rejects.toThrow('does not respond as Portainer does')
})

const hosts = [
  { id: 'local', name: 'Cellar' },
  { id: 'a1b2', name: 'nas' },
]

const project = (name: string, host: (typeof hosts)[number], working_dir: string) => ({
  name,
  host_id: host.id,
  host_name: host.name,
  working_dir,
  config_files: [],
  services: [],
  managed: false,
  refusal: null,
})

const placed = (answers: PortainerAnswers, more: Partial<Parameters<typeof placeStacks>[1]>) =>
  new Map(
    placeStacks(portainerStacks(answers), {
      hosts,
      projects: [],
      given: new Map(),
      product: 'Portainer',
      ...more,
    }).map((stack) => [stack.peerName, stack]),
  )

test('finds the host by its name, by the labels of containers, or as given', async () => {
  const answers = await read()
  const [cellar, nas] = hosts as [(typeof hosts)[0], (typeof hosts)[0]]
  const stacks = placed(answers, {
    projects: [project('vaultwarden', nas, '/data/compose/4')],
    given: new Map([['edge-shop', 'nas']]),
  })
  expect(stacks.get('grafana')).toMatchObject({ host: cellar.name, needs: null })
  expect(stacks.get('vaultwarden')).toMatchObject({
    host: 'nas',
    directory: '/data/compose/4',
    notes: [expect.stringContaining('it goes to host nas, where containers say')],
  })
  expect(stacks.get('pos')).toMatchObject({ host: 'nas', needs: null })
  expect(stacks.get('paperless')?.needs).toContain("use --map 'NAS (basement)=<host>'")
})

test('a project of the same name from elsewhere is not that of Portainer', async () => {
  const [cellar] = hosts as [(typeof hosts)[0]]
  const projects = [project('grafana', cellar, '/srv/grafana')]
  expect(placed(await read(), { projects }).get('grafana')?.needs).toBe(
    'the project grafana of host Cellar is not that of Portainer: it runs in /srv/grafana',
  )
})

test('labels of another host than the one with the name decide nothing', async () => {
  const answers = await read()
  const [cellar, nas] = hosts as [(typeof hosts)[0], (typeof hosts)[0]]
  const projects = [project('grafana', nas, '/data/compose/3')]
  expect(placed(answers, { projects }).get('grafana')?.needs).toBe(
    "host Cellar has the name local, but the project runs on nas: use --map 'local=<host>'",
  )
  const chosen = (name: string) =>
    placed(answers, { projects, given: new Map([['local', name]]) }).get('grafana')
  expect(chosen('nas')).toMatchObject({ host: 'nas', directory: '/data/compose/3' })
  expect(chosen(cellar.name)).toMatchObject({ host: cellar.name, needs: null })
})

test('a stack without a directory makes no project that of Portainer', async () => {
  const answers = await read()
  const stacks = answers.stacks.map((one) => ({ ...one, ProjectPath: '/' }))
  const [cellar] = hosts as [(typeof hosts)[0]]
  const projects = [project('grafana', cellar, '/srv/grafana')]
  expect(placed({ ...answers, stacks }, { projects }).get('grafana')?.needs).toContain(
    'is not that of Portainer',
  )
})

test('no report shows a password in the address of a repository', async () => {
  const answers = await read()
  const stacks = answers.stacks.map((one) => ({
    ...one,
    GitConfig: one.GitConfig && { ...one.GitConfig, URL: 'https://me:hush@git.example/a/b' },
  }))
  const found = [...placed({ ...answers, stacks }, {}).values()]
  expect(JSON.stringify([found, sourceProposals(found)])).not.toContain('hush')
  expect(sourceProposals(found).join()).toContain(' https://git.example/a/b ')
  expect(found.some(({ needs }) => needs?.includes('clone https://git.example/a/b and'))).toBe(true)
})

test('says how to import a stack whose other files are not shown', async () => {
  const stacks = placed(await read(), { given: new Map([['NAS (basement)', 'nas']]) })
  expect(stacks.get('media')?.needs).toContain('copy /data/compose/10 out of the container')
  expect(stacks.get('gitops-multi')?.needs).toContain('its other files are in git: clone')
  expect(stacks.get('moved-repo')?.needs).toContain('deploy it in Portainer')
  expect(stacks.get('mirror')?.needs).toContain('wait')
})

test('proposes sources for git, and accounts with the smallest role', async () => {
  const answers = await read()
  const sources = sourceProposals([...placed(answers, {}).values()])
  expect(sources).toContain(
    '  cli sources create shop https://git.example/shop/shop --ref release --user deploy --every 300s',
  )
  expect(sources).toContain('  cli stacks source set shop shop --path deploy --on-change deploy')
  const accounts = accountProposals(answers)
  expect(accounts).toContain('  cli users create bob --role viewer    # in the team shop team')
  expect(accounts).toContain('  cli users create admin --role admin')
})
