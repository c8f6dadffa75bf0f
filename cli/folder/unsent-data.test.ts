import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { localHost } from '../../adapters/testing/memory/hosts.ts'
import { clientWorld } from '../../local/harness/client.ts'
import { type FolderContent, fillFolder } from '../../local/harness/folder.ts'
import { newReport } from './unsent-data.ts'

const compose = `services:
  db:
    image: postgres
    volumes: ["./data:/var/lib/postgresql/data", "./config:/etc/postgresql"]
`
const large = Buffer.alloc(2 * 1024 * 1024, 'x')

async function withFolder(content: FolderContent = { 'data/db': large }, text = compose) {
  const world = await clientWorld()
  await world.login()
  const cwd = join(world.home, 'shop')
  await fillFolder(cwd, { 'compose.yaml': text, ...content })
  const { cli: run } = world
  const cli = (line: string, options = {}) => run(line, { cwd, ...options })
  const paths = async () => {
    const { out } = await cli('stacks get shop --output json')
    return (JSON.parse(out) as { files: { path: string }[] }).files.map(({ path }) => path)
  }
  return Object.assign(world, { cwd, cli, paths })
}

const down = '\u001B[B'

test('0: create says without a terminal where the data is, and what the stack has instead', async () => {
  await using world = await withFolder()
  const { code, err } = await world.cli('stacks create shop')
  expect(code).toBe(0)
  expect(err).toContain(
    [
      `warning: the data in ./data is not sent: it stays in ${world.cwd}, and the stack starts without it in /opt/stacks/shop on host ${localHost.name}`,
      '  to keep it, before the first deploy:',
      '    cli stacks delete shop && cli stacks adopt .    if the project runs: the stack keeps this directory',
      '    cli stacks update shop --include data    sends it with the files',
      '    or copy it to /opt/stacks/shop on the host',
      '  --empty-data says that the stack may start without it',
      '',
    ].join('\n'),
  )
})

test('0: --empty-data starts without the data, and says no more', async () => {
  await using world = await withFolder()
  for (const options of [{}, { keys: 'n' }]) {
    const { code, err } = await world.cli('stacks create shop --empty-data', options)
    expect(code).toBe(0)
    expect(err).toContain('not sending:\n  data/')
    expect(err).not.toContain('warning')
    await world.cli('stacks delete shop --yes')
  }
})

test('1: create asks on a terminal; to adopt the project is the default, and sends nothing', async () => {
  await using world = await withFolder()
  const adopt = await world.cli('stacks create shop', { keys: '\r' })
  expect(adopt).toMatchObject({
    code: 1,
    err: expect.stringContaining('nothing was sent\n  run: cli stacks adopt .\n'),
  })
  const named = await world.cli('stacks create other --host local', { keys: '\r' })
  expect(named.err).toContain('run: cli stacks adopt . --name other --host local\n')
  expect((await world.cli('stacks list --output name')).out).toBe('')
})

test('0: create sends the data if the user chooses so', async () => {
  await using world = await withFolder({ 'data/db': large, 'data/[1]/x': 'x' })
  const { code, err } = await world.cli('stacks create shop', { keys: `${down}\r` })
  expect([code, err]).toEqual([0, expect.not.stringContaining('warning')])
  expect(await world.paths()).toEqual(['compose.yaml', 'data/[1]/x', 'data/db'])
})

test('0: create starts without the data if the user chooses so', async () => {
  await using world = await withFolder()
  const { code, err } = await world.cli('stacks create shop', { keys: `${down}${down}\r` })
  expect([code, err]).toEqual([0, expect.not.stringContaining('warning')])
  expect(await world.paths()).toEqual(['compose.yaml'])
})

test('0: update asks as long as the stack was never deployed', async () => {
  await using world = await withFolder({ 'data/db': 'x' })
  expect((await world.cli('stacks create shop')).err).not.toContain('warning')
  await fillFolder(world.cwd, { 'data/db': large })
  expect((await world.cli('stacks update shop')).err).toContain('warning: the data in ./data')
  const asked = await world.cli('stacks update shop', { keys: '\r' })
  expect(asked).toMatchObject({ code: 1, err: expect.stringContaining('nothing was sent') })
  await world.cli('stacks deploy shop')
  const later = await world.cli('stacks update shop', { keys: '\r' })
  expect([later.code, later.err]).toEqual([0, expect.not.stringContaining('warning')])
})

test('0: names directories with odd names, and those that cannot be read or lead elsewhere', async () => {
  const text = `services:
  db:
    image: postgres
    volumes: ["./my data:/a", "./link:/b", "./closed:/c", "./more/sub:/d"]
`
  const content = {
    'my data/x': large,
    link: { link: '/mnt/disk' },
    'closed/x': 'x',
    'more/sub/a': large,
  }
  await using world = await withFolder(content, text)
  const closed = join(world.cwd, 'closed')
  await chmod(closed, 0)
  const isRoot = process.getuid?.() === 0
  const { err } = await world.cli('stacks create shop')
  await chmod(closed, 0o700)
  const names = ['./my data', './link', ...(isRoot ? [] : ['./closed']), './more/sub']
  expect(err).toContain(`warning: the data in ${names.sort().join(', ')} is not sent`)
  expect(err).toContain(`--include 'my data'`)
})

test('0: says that a directory is empty here, so that it is empty there too', async () => {
  await using world = await withFolder({ 'data/db': 'x' })
  await mkdir(join(world.cwd, 'config'))
  const { err } = await world.cli('stacks create shop')
  expect(err).toContain(
    'empty here, so empty for the stack too unless its host has something there:\n  config/\n',
  )
  expect(err).not.toContain('warning')
})

test('0: --dry-run names the data and asks nothing', async () => {
  await using world = await withFolder()
  const { code, out, err } = await world.cli('stacks create shop --dry-run', { keys: '\r' })
  expect([code, err]).toEqual([0, expect.stringContaining('the data in ./data is not sent')])
  expect(out).toBe('')
  const json = await world.cli('stacks create shop --dry-run --output json')
  expect(JSON.parse(json.out)).toMatchObject({ unsent_data: ['./data'] })
})

test('0: plan and deploy name data that was not sent; deploy asks before the first one', async () => {
  await using world = await withFolder()
  await world.cli('stacks create shop')
  expect((await world.cli('stacks plan shop')).out).toContain('starts empty: its data was not sent')
  const asked = await world.cli('stacks deploy shop', { keys: 'n' })
  expect(asked).toMatchObject({
    code: 1,
    err: expect.stringContaining('The data in ./data was not sent'),
  })
  const deployed = await world.cli('stacks deploy shop')
  expect(deployed.err).toContain('./data starts empty: its data was not sent')
})

test('0: --empty-data of an update says that the data is not needed', async () => {
  await using world = await withFolder()
  await world.cli('stacks create shop')
  await world.cli('stacks update shop --empty-data')
  expect((await world.cli('stacks plan shop')).out).not.toContain('starts empty')
  await fillFolder(world.cwd, { Dockerfile: Buffer.alloc(5_000_000) })
  await world.cli('stacks update shop --include Dockerfile')
  expect((await world.cli('stacks plan shop')).out).toContain('./data starts empty')
})

test('an update reports only news, and nothing to a service that does not know the report', () => {
  expect(newReport(['./b', './a'], ['./a', './b'])).toBeUndefined()
  expect(newReport(['./a'], [])).toEqual([])
  expect(newReport([], ['./a'])).toEqual(['./a'])
  expect(newReport(undefined, ['./a'])).toBeUndefined()
})
