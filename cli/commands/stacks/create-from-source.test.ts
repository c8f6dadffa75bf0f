import { expect, test, vi } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import { SourceFailure } from '../../../functions/core/ports/source-reader.ts'
import { clientWorld } from '../../../local/harness/client.ts'
import { sourceFile } from '../../../local/harness/followed-source.ts'

const url = 'https://forge.example.org/ada/estate.git'
const ssh = 'git@forge.example.org:ada/estate.git'
const hostKey = `SHA256:${'a'.repeat(43)}`
const compose = 'services: {web: {image: nginx}, db: {image: postgres}}\n'
const files = [sourceFile('compose.yaml', compose)]

/** A repository with two folders, at `main` and `HEAD`, over https and ssh. */
async function withEstate() {
  const world = await clientWorld()
  await world.login()
  const { refs, revisions } = world.ports.sourceReader
  for (const at of [url, ssh]) {
    for (const ref of ['main', 'HEAD']) refs.set(`${at} at ${ref}`, 'c1')
  }
  revisions.set('c1', { 'apps/mail': { id: 'm1', files }, 'apps/shop': { id: 's1', files } })
  return world
}

const failsOnce = (
  { ports }: Awaited<ReturnType<typeof withEstate>>,
  ...failure: ConstructorParameters<typeof SourceFailure>
) => vi.spyOn(ports.sourceReader, 'look').mockRejectedValueOnce(new SourceFailure(...failure))

test('0: makes the source and the stack, and names the next command', async () => {
  await using world = await withEstate()
  const words = `stacks create shop --git ${url} --ref main --path apps/shop --user ada`
  const made = await world.cli(words, { stdin: 'a token\n' })
  expect([made.err, made.code]).toEqual([expect.stringContaining('services: db, web'), 0])
  expect(made.out).toMatch(/^shop is saved on host \S+, and follows estate\n$/)
  for (const text of ['folder: apps/shop', 'compose file: compose.yaml', 'cli stacks deploy shop'])
    expect(made.err).toContain(text)
  expect(made.out + made.err).not.toContain('a token')
  expect(present(await world.ports.sources.find('estate'))).toMatchObject({
    ref: 'main',
    account: { username: 'ada', password: 'a token' },
  })
  expect(present(await world.ports.stacks.find('shop'))).toMatchObject({
    deployed: false,
    source: { path: 'apps/shop', onChange: 'plan', synced: { revision: 'c1' } },
  })
  const next = `stacks create mail --git ${url}/ --ref main --path ./apps/mail/ --user ada`
  const again = await world.cli(next)
  expect([again.code, again.err]).toEqual([0, expect.stringContaining('it is used')])
  expect(await world.ports.sources.list()).toHaveLength(1)
})

test('0: another reference is another source, and --source names one', async () => {
  await using world = await withEstate()
  await world.cli(`stacks create shop --git ${url} --ref main --path apps/shop`)
  await world.cli(`stacks create mail --git ${url} --path apps/mail`)
  expect((await world.ports.sources.list()).map(({ id }) => id)).toEqual(['estate', 'estate-2'])
  const more = await world.cli('stacks create more --source estate --path apps/shop')
  expect([more.err, more.code]).toEqual([expect.any(String), 0])
  expect(await world.ports.sources.list()).toHaveLength(2)
})

test('0: a project of a registry, with its tag', async () => {
  await using world = await withEstate()
  const { refs, revisions } = world.ports.sourceReader
  refs.set('oci://registry.example.org:5000/team/shop at 1.0', 'sha256:a')
  revisions.set('sha256:a', { '': { id: 'a', files } })
  const words = 'stacks create shop --oci registry.example.org:5000/team/shop:1.0'
  const made = await world.cli(`${words} --on-change deploy`)
  expect([made.err, made.code]).toEqual([expect.stringContaining('folder: .'), 0])
  expect(present(await world.ports.stacks.find('shop'))).toMatchObject({
    deployed: false,
    source: { source: 'shop', path: '', onChange: 'deploy' },
  })
})

test('1: without a terminal it names the flag for the key of the server, and goes on with it', async () => {
  await using world = await withEstate()
  failsOnce(world, 'host-key-unknown', 'not confirmed', { hostKey })
  const words = `stacks create shop --git ${ssh} --path apps/shop`
  const asked = await world.cli(words)
  expect([asked.code, asked.err]).toEqual([1, expect.stringContaining(`--host-key ${hostKey}`)])
  expect(asked.err).toContain('cli sources delete estate')
  expect(await world.ports.stacks.list()).toEqual([])
  const made = await world.cli(`${words} --host-key ${hostKey}`)
  expect([made.err, made.code]).toEqual([expect.any(String), 0])
  expect(await world.ports.sources.list()).toMatchObject([{ hostKey }])
})

test('a terminal asks whether the key of the server is right', async () => {
  for (const [keys, code] of [
    ['y', 0],
    ['n', 1],
  ] as const) {
    await using world = await withEstate()
    failsOnce(world, 'host-key-unknown', 'not confirmed', { hostKey })
    const words = `stacks create shop --git ${ssh} --path apps/shop`
    const { code: ended, err } = await world.cli(words, { keys })
    expect([ended, err]).toEqual([code, expect.stringContaining(hostKey)])
    expect((await world.ports.stacks.list()).length).toBe(1 - code)
  }
})

test('a terminal shows the public key to add', async () => {
  await using world = await withEstate()
  failsOnce(world, 'denied', 'no access')
  const words = `stacks create shop --git ${ssh} --path apps/shop`
  const { code, err } = await world.cli(words, { keys: 'y' })
  expect([code, err]).toEqual([0, expect.stringContaining('ssh-ed25519 made1 estate')])
})

test('1: an account that is missing is named, with the command that sets it', async () => {
  await using world = await withEstate()
  failsOnce(world, 'denied', 'the server requires an account')
  const words = `stacks create shop --git ${url} --path apps/shop`
  const { code, err } = await world.cli(words)
  expect([code, err]).toEqual([1, expect.stringContaining('requires an account')])
  expect(err).toContain('cli sources update estate --user')
})

test('1: a source of this address is named, if it is not read as the user', async () => {
  await using world = await withEstate()
  failsOnce(world, 'denied', 'the server requires an account')
  const words = `stacks create shop --git ${url} --path apps/shop`
  expect((await world.cli(words)).code).toBe(1)
  const stdin = 'a token\n'
  const named = await world.cli(`${words} --user ada`, { stdin })
  expect([named.code, named.err]).toEqual([1, expect.stringContaining('not read as ada: estate')])
  const update = 'sources update estate --user ada --password'
  expect(named.err).toContain(`cli ${update}`)
  expect(await world.ports.stacks.list()).toEqual([])
  expect((await world.cli(update, { stdin })).code).toBe(0)
  const made = await world.cli(`${words} --user ada`, { stdin })
  expect([made.err, made.code]).toEqual([expect.stringContaining('it is used'), 0])
  const next = await world.cli(`stacks create mail --git ${url} --path apps/mail`)
  expect([next.err, next.code]).toEqual([expect.stringContaining('it is used'), 0])
  expect(await world.ports.sources.list()).toHaveLength(1)
})

test('1: of several sources with this address, one must be chosen', async () => {
  await using world = await withEstate()
  for (const [name, user] of [
    ['one', 'ada'],
    ['two', 'olga'],
  ]) {
    const made = await world.cli(`sources create ${name} ${url} --user ${user}`, { stdin: 'x\n' })
    expect([made.err, made.code]).toEqual([expect.any(String), 0])
  }
  const words = `stacks create shop --git ${url} --path apps/shop`
  const { code, err } = await world.cli(words)
  expect([code, err]).toEqual([1, expect.stringContaining('one, two')])
  expect(err).toContain('--source')
  expect((await world.cli(`${words} --user olga`, { stdin: 'x\n' })).code).toBe(0)
})

test('1: a folder must be chosen, and what was made is named', async () => {
  await using world = await withEstate()
  const none = await world.cli(`stacks create shop --git ${url}`)
  expect([none.code, none.err]).toEqual([1, expect.stringContaining('apps/mail, apps/shop')])
  expect(none.err).toContain('the source estate is made')
  const wrong = await world.cli('stacks create shop --source estate --path apps/blog')
  expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('apps/blog')])
  expect(wrong.err).not.toContain('is made')
  expect(await world.ports.stacks.list()).toEqual([])
})

test('1: files that are refused leave a stack that is named, with how to remove it', async () => {
  await using world = await withEstate()
  const wrong = [sourceFile('compose.yaml', 'services: 1\n')]
  world.ports.sourceReader.revisions.set('c1', { 'apps/shop': { id: 's1', files: wrong } })
  const { code, err } = await world.cli(`stacks create shop --git ${url}`)
  expect([code, err]).toEqual([1, expect.stringContaining('cli stacks source sync shop')])
  expect(err).toContain('cli stacks delete shop')
})

test.each([
  [`--git ${url} --oci registry.example.org/a/b`, 'one of --git, --oci and --source'],
  [`--git ${url} --file compose.yaml`, '--file'],
  ['--source estate --ref main', '--ref'],
  ['--path apps/shop', '--path'],
  ['--oci registry.example.org/a/b:1 --ref 2', '--ref'],
  [`--git ${url} --on-change pull`, '--on-change'],
])('2: %s', async (flags, text) => {
  await using world = await withEstate()
  const { code, err } = await world.cli(`stacks create shop ${flags}`)
  expect([code, err]).toEqual([2, expect.stringContaining(text)])
  expect(await world.ports.sources.list()).toEqual([])
})
