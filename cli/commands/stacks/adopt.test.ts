import { randomBytes } from 'node:crypto'
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import { label } from '../../../functions/compose/create/labels.ts'
import { internalError } from '../../../functions/core/errors.ts'
import { changeContainer } from '../../../local/harness/bundle.ts'
import { clientWorld } from '../../../local/harness/client.ts'

const compose = `services:
  web:
    image: busybox:latest
    command: sleep \${SECONDS:-9}
    volumes: ["./data:/data"]
`

/** Sets up a running project named shop that belongs to no stack, and its directory. */
async function withProject(files: Record<string, string | Buffer> = {}) {
  const world = await clientWorld()
  await world.login()
  const directory = join(world.home, 'shop')
  await mkdir(join(directory, 'conf'), { recursive: true })
  const all = { 'compose.yaml': compose, '.env': 'SECONDS=60\n', 'conf/site': 'x', ...files }
  for (const [name, content] of Object.entries(all)) await writeFile(join(directory, name), content)
  for (const words of ['stacks create shop', 'stacks deploy shop']) {
    const ended = await world.cli(words, { cwd: directory })
    if (ended.code !== 0) throw new Error(ended.err)
  }
  await world.ports.stacks.remove('shop')
  return Object.assign(world, { directory })
}

const hostDirectory = ({ engine }: Awaited<ReturnType<typeof withProject>>) =>
  present([...engine.state.files.keys()].find((path) => path.endsWith('/compose.yaml'))).slice(
    0,
    -13,
  )

const ids = (world: Awaited<ReturnType<typeof withProject>>) => [
  ...world.engine.state.containers.keys(),
]

test('0: lists the projects of hosts, and whether they can be adopted', async () => {
  await using world = await withProject()
  const listed = await world.cli('stacks projects')
  expect(listed.out).toMatch(/^NAME +ADOPT +SERVICES +DIRECTORY\nshop +possible +1 +\//)
  await world.cli('stacks adopt shop --yes --with-env')
  const all = await world.cli('stacks projects --host all')
  expect(all.out).toMatch(/^NAME .* HOST\nshop +is a stack +1 .* Cellar\n$/)
  expect((await world.cli('stacks projects --filter managed=false -q')).out).toBe('')
})

test('0: adopt creates a stack and restarts nothing; a deploy then does nothing', async () => {
  await using world = await withProject()
  const before = ids(world)
  const ended = await world.cli('stack adopt shop --yes --with-env')
  expect(ended).toMatchObject({
    code: 0,
    out: 'shop is adopted on host Cellar: 1 of 1 services are running, none was restarted\n',
  })
  expect(ended.err).toContain('sending shop: 100 %')
  expect(ids(world)).toEqual(before)
  expect(ended.err).toContain('conf/site: in the bundle but not on the host')
  const host = world.engine.state.files
  host.set(`${hostDirectory(world)}/conf/site`, {
    path: '',
    content: Buffer.from('x'),
    mode: 0o644,
  })
  await world.cli('stacks deploy shop')
  const deployed = await world.cli('stacks deploy shop')
  expect(ids(world)).toEqual(before)
  expect(deployed.out).toBe('shop is up to date: nothing to do\n')
})

test('0: without .env, shows what a deploy would change', async () => {
  await using world = await withProject()
  const ended = await world.cli('stacks adopt shop --yes')
  expect(ended.code).toBe(0)
  expect(ended.err).toContain('leaving out .env: use --with-env to include it')
  expect(ended.err).toContain(
    'the compose file uses SECONDS, which .env sets: send it with --with-env',
  )
  expect(ended.out).toMatch(/web +command +\["sleep","60"\] +\["sleep","9"\]/)
})

test('0: --dry-run shows everything and sends nothing', async () => {
  await using world = await withProject()
  await symlink('/etc/passwd', join(world.directory, 'link'))
  const ended = await world.cli('stack adopt shop --dry-run')
  expect(ended.code).toBe(0)
  expect(ended.out).toMatch(/^stack +shop\nhost +Cellar\nlives in +\S+\/shop\nservices +web\n/)
  expect(ended.err).toContain('leaving out link: it is not a regular file')
  expect((await world.cli('stacks list')).out).toBe('NAME  HOST  STATUS  ENVIRONMENT\n')
  const { out } = await world.cli('stack adopt shop --dry-run --output json')
  const needs = 'the compose file uses SECONDS, which .env sets'
  expect(ended.err).toContain(needs)
  expect(JSON.parse(out)).toMatchObject({
    name: 'shop',
    services: ['web'],
    files: 2,
    needs_env: needs,
  })
  const sent = world.log.lines.filter((line) => JSON.stringify(line).includes('/stacks/adopt'))
  expect(sent).toEqual([])
})

test('0: shows that values of environment variables are hidden', async () => {
  await using world = await withProject({
    'compose.yaml': `${compose}    environment: {LEVEL: "\${SECONDS:-9}"}\n`,
  })
  const ended = await world.cli('stacks adopt shop --yes')
  expect(ended.out).toMatch(/web +environment.LEVEL +\(hidden\) +\(hidden\)/)
})

test('2: the question says that a .env is left out that is needed', async () => {
  await using world = await withProject()
  const ended = await world.cli('stacks adopt shop')
  expect(ended.code).toBe(2)
  expect(ended.err).toMatch(/Adopt shop on host Cellar \(2 files, .*\) without its \.env\? /)
})

test('0: --output json prints the response of the service', async () => {
  await using world = await withProject()
  const { out } = await world.cli('stack adopt shop --yes --with-env --output json')
  expect(JSON.parse(out)).toMatchObject({ name: 'shop', differences: [] })
})

test('0: resumes an interrupted upload', async () => {
  await using world = await withProject({ big: randomBytes(9_000_000) })
  const { uploads } = world.ports
  const put = uploads.putPart.bind(uploads)
  const sent: number[] = []
  let gone = true
  uploads.putPart = async (upload, part, bytes) => {
    if (gone && part === 1) throw internalError('The store does not respond')
    sent.push(part)
    return put(upload, part, bytes)
  }
  const cut = await world.cli('stack adopt shop --yes --with-env')
  expect(cut.code).toBe(1)
  expect(cut.err).toContain('run the same command to resume')
  expect(sent).toEqual([0])
  gone = false
  expect(await world.cli('stack adopt shop --yes --with-env')).toMatchObject({ code: 0 })
  expect(sent).toEqual([0, 1, 2])
})

test('0: repeats a failed completion without sending the parts again', async () => {
  await using world = await withProject()
  const { uploads, stacks } = world.ports
  const [put, create] = [uploads.putPart.bind(uploads), stacks.create.bind(stacks)]
  let parts = 0
  uploads.putPart = (...part) => {
    parts += 1
    return put(...part)
  }
  stacks.create = async () => {
    throw internalError('The store does not respond')
  }
  const cut = await world.cli('stack adopt shop --yes --with-env')
  expect(cut).toMatchObject({ code: 1, err: expect.stringContaining('run the same command') })
  stacks.create = create
  expect(await world.cli('stack adopt shop --yes --with-env')).toMatchObject({ code: 0 })
  expect(parts).toBe(1)
})

test('0: --all adopts the running projects of a directory and lists each result', async () => {
  await using world = await withProject()
  await mkdir(join(world.home, 'empty'))
  const words = 'stacks adopt --all . --with-env'
  const dry = await world.cli(`${words} --dry-run`)
  expect(dry.out).toMatch(/^shop +shop +would be adopted +3 files/m)
  const ended = await world.cli(`${words} --yes`)
  expect(ended.code).toBe(0)
  expect(ended.out).toMatch(/^empty +empty +not running/m)
  expect(ended.out).toMatch(/^shop +shop +adopted/m)
  expect((await world.cli(`${words} --yes`)).out).toMatch(/^shop +shop +managed/m)
})

test('--all says which projects need a .env that is left out', async () => {
  await using world = await withProject()
  const need = 'the compose file uses SECONDS, which .env sets'
  const advice = `${need}: send it with --with-env`
  const asked = await world.cli('stacks adopt --all .')
  expect(asked.code).toBe(2)
  expect(asked.err).toContain(`shop: ${advice}`)
  expect(asked.err).toContain('Adopt 1 projects (shop) without the .env of shop?')
  const dry = await world.cli('stacks adopt --all . --dry-run')
  expect([dry.code, dry.out]).toEqual([0, expect.stringContaining(`2 files, `)])
  expect(dry.out).toContain(advice)
  const json = await world.cli('stacks adopt --all . --dry-run --output json')
  expect(JSON.parse(json.out)).toMatchObject([{ stack: 'shop', needs_env: need }])
  const sent = await world.cli('stacks adopt --all . --dry-run --with-env --output json')
  expect(JSON.parse(sent.out)).toMatchObject([{ stack: 'shop', needs_env: null }])
  const adopted = await world.cli('stacks adopt --all . --yes')
  expect([adopted.code, adopted.err]).toEqual([0, expect.stringContaining(`shop: ${advice}`)])
})

test('1: reports what prevents an adoption before it sends anything', async () => {
  await using world = await withProject()
  const named = await world.cli('stack adopt shop --yes --name shoop')
  expect(named).toMatchObject({ code: 1, err: expect.stringContaining('found: shop') })
  const small = await world.cli('stack adopt shop --yes --max-size 100')
  expect(small).toMatchObject({ code: 1, err: expect.stringContaining('larger than 100 B') })
  await writeFile(join(world.directory, 'compose.yaml'), compose.replace('web:', 'site:'))
  const other = await world.cli('stack adopt shop --dry-run')
  expect(other.err).toContain('running and not in the file: web')
  await writeFile(join(world.directory, 'compose.yaml'), 'services: [}')
  expect((await world.cli('stack adopt shop --dry-run')).code).toBe(1)
  await rm(join(world.directory, 'compose.yaml'))
  const none = await world.cli('stack adopt shop --dry-run')
  expect(none.err).toContain('there is no compose.yaml')
})

test('2: needs --yes without a terminal; invalid values', async () => {
  await using world = await withProject()
  expect((await world.cli('stack adopt shop')).code).toBe(2)
  expect((await world.cli('stack adopt shop --max-size many')).code).toBe(2)
  expect((await world.cli('stack adopt shop --all --name x')).code).toBe(2)
  expect((await world.cli('stack adopt shop --host all')).code).toBe(2)
  expect((await world.cli('stacks deploy shop --on-drift maybe')).code).toBe(2)
})

test('0: drift stops a deploy until --on-drift says what to do', async () => {
  await using world = await withProject()
  await world.cli('stack adopt shop --yes --with-env')
  const { files } = world.engine.state
  const [path, file] = present([...files].find(([name]) => name.endsWith('compose.yaml')))
  files.set(path, { ...file, content: Buffer.from(compose.replace('busybox:latest', 'busybox')) })
  expect((await world.cli('stacks plan shop')).out).toMatch(/drift +file +compose.yaml +modified/)
  const stopped = await world.cli('stacks deploy shop')
  expect(stopped).toMatchObject({
    code: 1,
    err: expect.stringContaining('compose.yaml (modified)'),
  })
  const taken = await world.cli('stacks deploy shop --on-drift overwrite')
  expect(taken.code).toBe(0)
  expect(Buffer.from(present(files.get(path)).content).toString()).toBe(compose)
})

test('0: accepts other names of the directory and the compose file', async () => {
  await using world = await withProject()
  await rename(world.directory, join(world.home, 'moved'))
  await rename(join(world.home, 'moved/compose.yaml'), join(world.home, 'moved/docker-compose.yml'))
  const ended = await world.cli('stack adopt moved --yes --with-env --name shop')
  expect(ended).toMatchObject({ code: 0 })
})

test('1: labels make no .env, no .git and no file elsewhere a part of the bundle', async () => {
  await using world = await withProject()
  await mkdir(join(world.directory, '.git'))
  await mkdir(join(world.directory, 'data'))
  await writeFile(join(world.directory, '.git/config'), 'url = https://me:hush@example.org')
  await writeFile(join(world.home, 'key'), 'hush')
  await symlink('../../key', join(world.directory, 'data/key'))
  await symlink('..', join(world.directory, 'data/up'))
  const place = hostDirectory(world)
  for (const name of ['.env', '.git/config', 'data', 'data/key', 'data/up/.env', 'data/up']) {
    for (const files of [`${place}/${name}`, `${place}/compose.yaml,${place}/${name}`]) {
      changeContainer(world, 'shop-web-1', { Labels: { [label.configFiles]: files } })
      const { code, err } = await world.cli('stacks adopt shop --yes')
      expect([files, code]).toEqual([files, 1])
      expect(err).toContain(`compose file ${name}: cannot be sent`)
    }
  }
  await rm(join(world.directory, 'compose.yaml'))
  await symlink('../key', join(world.directory, 'compose.yaml'))
  changeContainer(world, 'shop-web-1', { Labels: { [label.configFiles]: '' } })
  const linked = await world.cli('stacks adopt shop --yes')
  expect(linked.err).toContain('compose file compose.yaml: cannot be sent')
  const sent = world.log.lines.filter((line) => JSON.stringify(line).includes('/stacks/adopt'))
  expect(sent).toEqual([])
})

test('0: a compose file may be a link to another file of the directory', async () => {
  await using world = await withProject()
  await rename(join(world.directory, 'compose.yaml'), join(world.directory, 'conf/prod.yaml'))
  await symlink('conf/prod.yaml', join(world.directory, 'compose.yaml'))
  const ended = await world.cli('stacks adopt shop --yes --with-env')
  expect(ended).toMatchObject({ code: 0, out: expect.stringContaining('shop is adopted') })
})
