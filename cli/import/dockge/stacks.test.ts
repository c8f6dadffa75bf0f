import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../local/harness/folder.ts'
import { asExpected } from '../../../local/harness/peers/as-expected.ts'
import { expectedOf } from '../../../local/harness/peers/expected.ts'
import { peerJson, peerPath } from '../../../local/harness/peers/peer-fixtures.ts'
import type { PeerProject } from '../peer-projects.ts'
import { readDockge } from './read-directory.ts'
import { dockgeStacks } from './stacks.ts'

interface ListedProject {
  Name: string
  /** Such as `exited(1), running(2)`. */
  Status: string
  /** Paths with commas between them. */
  ConfigFiles: string
}

/** Returns the projects of the fixtures, as labels of containers would describe them. */
const projects = (): PeerProject[] =>
  peerJson<ListedProject[]>('dockge', 'compose-ls.json').map(({ Name, Status, ConfigFiles }) => {
    const configFiles = ConfigFiles.split(',')
    const states = [...Status.matchAll(/(\w+)\((\d+)\)/g)].flatMap(([, state = '', count]) =>
      Array.from({ length: Number(count) }, () => state),
    )
    return { name: Name, directory: dirname(configFiles[0] ?? ''), configFiles, states }
  })

const read = async () => {
  const directory = await readDockge(peerPath('dockge', 'stacks'), '/opt/stacks')
  return dockgeStacks(directory, projects(), 'local')
}

test.each(expectedOf('dockge').map((stack) => [stack.peerName, stack] as const))(
  'reads %s of the fixtures',
  async (peerName, expected) => {
    const found = (await read()).filter((stack) => stack.peerName === peerName)
    expect(found.map(asExpected)).toEqual([expected])
  },
)

test('reads no other stacks from the fixtures', async () => {
  const names = (await read()).map(({ peerName }) => peerName)
  expect(names.sort()).toEqual(
    expectedOf('dockge')
      .map(({ peerName }) => peerName)
      .sort(),
  )
})

test('sends only variables of global.env that a stack uses, before its own', async () => {
  const stacks = await read()
  const envOf = (name: string) => stacks.find(({ peerName }) => peerName === name)?.folder?.env
  expect(envOf('whoami')).toBe('# From global.env of Dockge\nDOMAIN=home.example\n')
  expect(envOf('syncthing')).toBe(
    '# From global.env of Dockge\nPGID=1000\n\nDOMAIN=sync.example\nPUID=1001\n',
  )
  expect(envOf('wiki')).toBeUndefined()
  expect(envOf('mailer')).toBeUndefined()
})

const plain = 'services: {web: {image: nginx}}\n'

async function stacksIn(root: string, running: PeerProject[] = []) {
  return dockgeStacks(await readDockge(root, root), running, 'local')
}

test('names the second folder of a project name, and reads the others', async () => {
  await using folder = await temporaryFolder({
    'Blog/compose.yaml': plain,
    'blog/compose.yaml': plain,
    'shop/compose.yaml': plain,
  })
  const stacks = await stacksIn(folder.directory)
  expect(stacks.map(({ name, refused }) => [name, refused?.reason])).toEqual([
    ['blog', undefined],
    [null, 'name-in-use'],
    ['shop', undefined],
  ])
})

test('names a project of the same name that has its files elsewhere', async () => {
  await using folder = await temporaryFolder({ 'shop/compose.yaml': plain })
  const other = { name: 'shop', directory: '/srv/shop', configFiles: [], states: ['running'] }
  const [stack] = await stacksIn(folder.directory, [other])
  expect(stack?.refused).toEqual({
    reason: 'name-in-use',
    detail: 'the project shop of the host has its files in /srv/shop',
  })
})

test('refuses a stopped stack whose .env names its compose files, and invalid variables', async () => {
  await using folder = await temporaryFolder({
    'one/compose.yaml': plain,
    'one/.env': 'COMPOSE_FILE=other.yaml\n',
    'two/compose.yaml': plain,
    'two/.env': 'A="open\n',
  })
  const stacks = await stacksIn(folder.directory)
  expect(stacks.map(({ refused }) => refused?.reason)).toEqual([
    'compose-file-variable',
    'invalid-compose',
  ])
  expect(stacks[1]?.refused?.detail).toContain('.env:1: unterminated quoted value')
})

test('sends no file from elsewhere that a link in a folder leads to', async () => {
  await using folder = await temporaryFolder({
    'one/compose.yaml': plain,
    'one/.env': { link: '../vault/.env' },
    'three/compose.yaml': { link: 'files/real.yaml' },
    'three/files/real.yaml': plain,
    'two/compose.yaml': { link: '../vault/compose.yaml' },
    'vault/compose.yaml': plain,
    'vault/.env': 'PIN=hush\n',
  })
  const stacks = await stacksIn(folder.directory)
  const link = 'is a link that leads out of its folder'
  expect(stacks.map(({ peerName, refused }) => [peerName, refused?.detail])).toEqual([
    ['one', expect.stringContaining(`.env ${link}`)],
    ['three', undefined],
    ['two', expect.stringContaining(`compose.yaml ${link}`)],
    ['vault', undefined],
  ])
  expect(stacks[0]?.env).toEqual({})
})

test('quotes the directory of a project that is elsewhere, as its labels name it', async () => {
  await using folder = await temporaryFolder({ 'shop/compose.yaml': plain })
  const other = { name: 'b', directory: "/srv/b; it's", configFiles: [], states: ['running'] }
  const stacks = await stacksIn(folder.directory, [other])
  expect(stacks.find(({ peerName }) => peerName === 'b')?.refused?.detail).toMatch(
    /run cli stacks adopt '\/srv\/b; it'\\''s'$/,
  )
})

test('says that services with env_file: .env get the variables too', async () => {
  const compose = 'services: {web: {image: nginx, env_file: .env, environment: {Z: "${TZ}"}}}\n'
  await using folder = await temporaryFolder({
    'global.env': 'TZ=UTC\n',
    'shop/compose.yaml': compose,
    'shop/.env': 'A=1\n',
  })
  const [stack] = await stacksIn(folder.directory)
  expect(stack?.notes).toEqual([
    'its .env gets TZ of global.env: the first deploy writes it, with --on-drift overwrite',
    'services with env_file: .env get these variables too, at the next deploy',
  ])
})
