import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clientWorld } from '../../../local/harness/client.ts'
import { type FolderContent, fillFolder } from '../../../local/harness/folder.ts'

const sleeper = (more = '') =>
  `services:\n  web:\n    image: busybox:latest\n    command: sleep 60\n${more}`

const content: FolderContent = {
  'global.env': 'ZONE=Europe/Berlin\nUNUSED=hush\n',
  'shop/compose.yaml': sleeper('    environment: {TZ: "${ZONE}"}\n'),
  'blog/docker-compose.yml': sleeper(),
  'blog/.env': 'A=1\n',
  'draft/compose.yaml': sleeper(),
  'broken/compose.yaml': 'services: [}',
  'notes/todo.txt': 'x',
}

/** Sets up a Dockge directory with two running projects, and two that never ran. */
async function withDockge() {
  const world = await clientWorld()
  await world.login()
  const directory = join(world.home, 'stacks')
  await fillFolder(directory, content)
  const start = async (name: string, words: string) => {
    for (const line of [`stacks create ${name}${words}`, `stacks deploy ${name}`]) {
      const ended = await world.cli(line, { cwd: join(directory, name) })
      if (ended.code !== 0) throw new Error(ended.err)
    }
    await world.ports.stacks.remove(name)
  }
  const zone = join(world.home, 'zone.env')
  await writeFile(zone, 'ZONE=Europe/Berlin\n')
  await start('shop', ` --env-file ${zone}`)
  await start('blog', '')
  const containers = () =>
    [...world.engine.state.containers.values()].map(({ id, startedAt }) => `${id} ${startedAt}`)
  const run = (words: string) =>
    world.cli(`import dockge stacks --path-on-host /opt/stacks ${words}`.trim())
  const names = async () => (await world.cli('stacks list -q')).out.split('\n').filter(Boolean)
  return Object.assign(world, { directory, containers, run, names })
}

test('0: --dry-run shows what happens with each stack, and sends nothing', async () => {
  await using world = await withDockge()
  const { code, out, err } = await world.run('--dry-run')
  expect(code).toBe(0)
  expect(out).toMatch(/^STACK +HOST +WHAT HAPPENS +LEFT OUT$/m)
  expect(out).toMatch(/^blog +Cellar +would be adopted: it keeps running/m)
  expect(out).toMatch(/^shop +Cellar +would be adopted/m)
  expect(out).toMatch(/^draft +Cellar +would be created: it is not deployed +-$/m)
  expect(out).toMatch(/^broken +Cellar +left out: compose\.yaml:1/m)
  expect(err).toContain('shop: gets a .env with ZONE of global.env')
  expect(err).toContain('the way back: cli stacks forget <name>')
  expect(err).toContain('dry run: nothing was sent')
  expect(await world.names()).toEqual([])
  const sent = world.log.lines.filter((line) => JSON.stringify(line).includes('/stacks/adopt'))
  expect(sent).toEqual([])
})

test('0: adopts what runs, creates the rest, and restarts nothing', async () => {
  await using world = await withDockge()
  const before = world.containers()
  const { code, out } = await world.run('--yes')
  expect(code).toBe(0)
  expect(out).toMatch(/^blog +Cellar +adopted: none of its containers was restarted +-$/m)
  expect(out).toMatch(/^shop +Cellar +adopted: none of its containers was restarted +-$/m)
  expect(out).toMatch(
    /^draft +Cellar +created: not deployed; its directory is \/opt\/stacks\/draft/m,
  )
  expect(world.containers()).toEqual(before)
  expect(await world.names()).toEqual(['blog', 'draft', 'shop'])
  const shop = JSON.parse((await world.cli('stacks get shop --output json')).out)
  expect(shop.env).toBe('# From global.env of Dockge\nZONE=Europe/Berlin\n')
  const blog = JSON.parse((await world.cli('stacks get blog --output json')).out)
  expect(blog.env).toBe('A=1\n')
})

test('0: a second run imports only what is new', async () => {
  await using world = await withDockge()
  await world.run('--yes')
  await fillFolder(world.directory, { 'late/compose.yaml': sleeper() })
  const { code, out } = await world.run('--yes')
  expect(code).toBe(0)
  expect(out).toMatch(/^blog +Cellar +left out: it is a stack already, in \/opt\/stacks\/blog/m)
  expect(out).toMatch(/^late +Cellar +created/m)
  expect(await world.names()).toEqual(['blog', 'draft', 'late', 'shop'])
})

test('0: --output json prints one entry for each stack, without values of variables', async () => {
  await using world = await withDockge()
  const { out } = await world.run('--dry-run --output json')
  expect(JSON.parse(out)).toContainEqual(
    expect.objectContaining({
      stack: 'draft',
      status: 'never-started',
      directory: '/opt/stacks/draft',
      result: 'would be created',
      left_out: [],
    }),
  )
  expect(out).not.toContain('hush')
})

test('0: names the projects whose files are elsewhere', async () => {
  await using world = await withDockge()
  await rm(join(world.directory, 'blog'), { recursive: true })
  const { out } = await world.run('--dry-run')
  expect(out).toMatch(
    /^blog +Cellar +left out: its files are not in \/opt\/stacks: run cli stacks adopt/m,
  )
})

test('1: imports the others if one fails', async () => {
  await using world = await withDockge()
  await writeFile(
    join(world.directory, 'blog/docker-compose.yml'),
    sleeper().replace('web', 'site'),
  )
  const { code, out, err } = await world.run('--yes')
  expect(code).toBe(1)
  expect(out).toMatch(/^blog +Cellar +failed: project blog: its services differ/m)
  expect(err).toContain('1 of 4 stacks cannot be imported')
  expect(await world.names()).toEqual(['draft', 'shop'])
})

test('1: a directory without stacks, or that cannot be read', async () => {
  await using world = await withDockge()
  const empty = await world.cli('import dockge stacks/notes')
  expect([empty.code, empty.err]).toEqual([1, expect.stringContaining('DOCKGE_STACKS_DIR')])
  const none = await world.cli('import dockge nowhere')
  expect([none.code, none.err]).toEqual([1, expect.stringContaining('ENOENT')])
})

test('2: asks before it imports; --path-on-host must be absolute', async () => {
  await using world = await withDockge()
  const asked = await world.run('')
  expect(asked.code).toBe(2)
  expect(asked.err).toContain('Import 3 stacks (blog, draft, shop) from Dockge?')
  expect((await world.cli('import dockge stacks --path-on-host opt')).code).toBe(2)
  expect(await world.names()).toEqual([])
})
