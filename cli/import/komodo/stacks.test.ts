import { expect, onTestFinished, test } from 'vitest'
import { asExpected } from '../../../local/harness/peers/as-expected.ts'
import { type ExpectedStack, expectedOf } from '../../../local/harness/peers/expected.ts'
import { startKomodo } from '../../../local/harness/peers/komodo.ts'
import { peerText } from '../../../local/harness/peers/peer-fixtures.ts'
import { placeStacks } from '../place-stacks.ts'
import { sourceProposals } from '../source-proposals.ts'
import { readKomodoFile } from './read-file.ts'
import { readKomodoServer } from './read-server.ts'
import type { KomodoResources } from './resources.ts'
import { komodoStacks } from './stacks.ts'
import { updateProposals } from './update-proposals.ts'

async function fake(account: 'admin' | 'reader' = 'admin') {
  const server = await startKomodo()
  onTestFinished(() => server.close())
  const { key, secret } = server[account]
  const headers = { 'X-Api-Key': key, 'X-Api-Secret': secret }
  return { server, peer: { url: server.url, headers, skipsTlsCheck: false } }
}

const readFile = (name = 'resources.toml') => readKomodoFile(peerText('komodo', name), name)

const sorted = ({ leftOut, ...stack }: ExpectedStack) => ({
  ...stack,
  leftOut: leftOut.map(({ what, reason }) => `${what} ${reason}`).sort(),
})

const found = (resources: KomodoResources, name: string) =>
  komodoStacks(resources)
    .filter(({ stack }) => stack.peerName === name)
    .map(({ stack }) => sorted(asExpected(stack)))

test.each(expectedOf('komodo-toml').map((stack) => [stack.peerName, stack] as const))(
  'reads %s of the file of resources',
  async (name, expected) => {
    expect(found(await readFile(), name)).toEqual([sorted(expected)])
  },
)

test.each(expectedOf('komodo-api').map((stack) => [stack.peerName, stack] as const))(
  'reads %s of the API',
  async (name, expected) => {
    const { peer } = await fake()
    expect(found(await readKomodoServer(peer), name)).toEqual([sorted(expected)])
  },
)

test('reads an export as a file of resources', async () => {
  const named = komodoStacks(await readFile('export.toml')).map(({ stack }) => stack.peerName)
  const known = expectedOf('komodo-toml').map(({ peerName }) => peerName)
  // An export has no templates.
  expect(named).toEqual(known.filter((name) => name !== 'starter'))
})

test('sends only requests that read, and whose form is known', async () => {
  const { server, peer } = await fake()
  await readKomodoServer(peer)
  expect(server.asked).toEqual([
    'POST /read/ListFullStacks',
    'POST /read/ListStacks',
    'POST /read/ListServers',
    'POST /read/ListVariables',
    'POST /read/ExportAllResourcesToToml',
  ])
})

test('an account that is no administrator does not see secret values', async () => {
  const { peer } = await fake('reader')
  const [stack] = found(await readKomodoServer(peer), 'nextcloud')
  expect(stack?.leftOut).toContain('DB_PASSWORD variable-unknown')
  expect(stack?.env).not.toHaveProperty('MYSQL_PASSWORD')
})

test.each([
  [401, 'refuses the API key and its secret'],
  [403, 'responds to ListFullStacks with status 403'],
  [404, 'does not respond as Komodo does'],
])('a response with status %i is a failure', async (status, said) => {
  const { server, peer } = await fake()
  server.instead.set('POST /read/ListFullStacks', { status, body: {} })
  await expect(readKomodoServer(peer)).rejects.toThrow(said)
})

test.each(['<html>', '{}', '[1]'])('the response %s is a failure', async (text) => {
  const { server, peer } = await fake()
  server.instead.set('POST /read/ListServers', { status: 200, text })
  await expect(readKomodoServer(peer)).rejects.toThrow('does not respond as Komodo does')
})

const one = async (config: string) => {
  const text = `[[stack]]\nname = "shop"\n[stack.config]\nserver = "nas"\n${config}\n`
  const [first] = komodoStacks(await readKomodoFile(text, 'a.toml'))
  return first?.stack
}

const contents = "file_contents = 'services: {web: {image: nginx}}'"

test.each([
  ['repo = "a/b"\nlinked_repo = "c"', 'repo and linked_repo'],
  ['repo = "a/b"\nrun_directory = "/srv/a"', 'an absolute run_directory and a repository'],
  [`${contents}\nfile_paths = ["a.yaml", "b.yaml"]`, 'file_contents and several file_paths'],
  ["skip_secret_interp = true\nfile_contents = 'x: [[ZONE]]'", 'skip_secret_interp and'],
  [`${contents}\nauto_update = "yes"`, 'shows this form of auto_update'],
  [`${contents}\nenvironment = "no sign"`, 'line 1 of its environment'],
])('refuses what no public page explains: %j', async (config, said) => {
  const stack = await one(config)
  expect(stack?.refused).toMatchObject({
    reason: 'form-unknown',
    detail: expect.stringContaining(said),
  })
  expect(stack?.name).toBeNull()
})

test.each([
  ['', 'it has no compose file'],
  ["file_contents = 'services: [}'", ''],
])('refuses a stack without a valid compose file: %j', async (config, said) => {
  expect((await one(config))?.refused).toMatchObject({
    reason: 'invalid-compose',
    detail: expect.stringContaining(said),
  })
})

test.each([
  [`${contents}\nproject_name = "My Shop"`, 'does not accept the project name My Shop'],
  ['linked_repo = "homelab"', 'its repository homelab was not read: add its [[repo]]'],
  ['file_contents = \'services: {web: {image: "[[IMAGE]]"}}\'', 'has IMAGE, whose value'],
  ["file_contents = 'services: {web: {build: ./app}}'", 'its compose file needs ./app'],
  [
    'files_on_host = true\nrun_directory = "/srv/my shop"',
    "run cli stacks adopt '/srv/my shop' --name shop --with-env",
  ],
  ['repo = "a/b"', 'clone https://github.com/a/b and run cli stacks adopt'],
])('says what prevents the import of %j', async (config, said) => {
  expect((await one(config))?.needs).toContain(said)
})

test('no report shows a password in the address of a repository', async () => {
  const stack = await one('git_provider = "me:hush@git.example"\nrepo = "a/b"')
  expect(stack?.needs).toContain('clone https://git.example/a/b and')
  expect(JSON.stringify(stack)).not.toContain('hush')
})

test('a second stack with the same project name is refused', async () => {
  const second = `[[stack]]\nname = "other"\n[stack.config]\nserver = "pi"\nproject_name = "shop"\n${contents}`
  const text = `[[stack]]\nname = "shop"\n[stack.config]\nserver = "nas"\n${contents}\n${second}`
  const stacks = komodoStacks(await readKomodoFile(text, 'a.toml'))
  expect(stacks.map(({ stack }) => stack.refused?.reason)).toEqual([undefined, 'name-in-use'])
})

test('says which variables have no value, and which files docker compose reads too', async () => {
  const more = 'environment = "KEY=[[SECRET]]"\nadditional_env_files = ["./common.env"]'
  expect((await one(`${contents}\n${more}`))?.notes).toEqual([
    'KEY: no value was read; set it in the .env before the next deploy',
    'docker compose also reads variables from common.env: add them to the .env',
  ])
})

const hosts = [
  { id: 'local', name: 'server-prod' },
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

async function placed(more: Partial<Parameters<typeof placeStacks>[1]>) {
  const places = { hosts, projects: [], given: new Map(), product: 'Komodo', ...more }
  const { peer } = await fake()
  const stacks = placeStacks(komodoStacks(await readKomodoServer(peer)), places)
  return new Map(stacks.map((stack) => [stack.peerName, stack]))
}

test('finds the host by its name, by the labels of containers, or as given', async () => {
  const [prod, nas] = hosts as [(typeof hosts)[0], (typeof hosts)[0]]
  const stacks = await placed({
    projects: [
      project('uptime', prod, '/etc/komodo/stacks/uptime'),
      project('draft', nas, '/etc/komodo/stacks/draft'),
      project('paperless', prod, '/srv/paperless'),
    ],
  })
  expect(stacks.get('uptime')).toMatchObject({
    host: 'server-prod',
    directory: '/etc/komodo/stacks/uptime',
    needs: null,
  })
  // Its server is no host here.
  expect(stacks.get('draft')).toMatchObject({ host: 'nas', needs: null })
  // Labels alone do not send it elsewhere than the name of its server says.
  expect(stacks.get('paperless')?.needs).toContain("use --map 'nas=<host>'")
  const given = await placed({ given: new Map([['Pi.Garage', 'nas']]) })
  expect(given.get('draft')).toMatchObject({ host: 'nas', directory: null, needs: null })
  expect((await placed({})).get('draft')?.needs).toContain("use --map 'Pi.Garage=<host>'")
})

test('a project of the same name from elsewhere is not that of Komodo', async () => {
  const [, nas] = hosts as [(typeof hosts)[0], (typeof hosts)[0]]
  const stacks = await placed({ projects: [project('paperless', nas, '/opt/paperless')] })
  expect(stacks.get('paperless')?.needs).toBe(
    'the project paperless of host nas is not that of Komodo: it runs in /opt/paperless',
  )
})

test('proposes sources for git, and policies of updates', async () => {
  const stacks = [...(await placed({})).values()]
  const sources = sourceProposals(stacks)
  expect(sources).toContain(
    '  cli sources create docs https://git.example/home/homelab --ref stable --user deploy --every off',
  )
  expect(sources).toContain('  cli stacks source set site site --path deploy --on-change plan')
  expect(updateProposals(stacks)).toEqual([
    'what Komodo does about newer images is not set here yet. A proposal:',
    '  cli stacks update-policy shop --mode apply',
    '  cli stacks update-policy docs --mode notify',
    '  an image waits 72 hours before it is applied: --minimum-age says how long',
  ])
  expect(updateProposals([])).toEqual([])
})
