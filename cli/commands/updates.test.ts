import { expect, test } from 'vitest'
import { heldBackImage } from '../../adapters/testing/contract/samples.ts'
import { memoryEngine } from '../../adapters/testing/memory/engine.ts'
import { nameImage } from '../../adapters/testing/memory/engine-images.ts'
import { agentHost, hostNameOf } from '../../adapters/testing/memory/hosts.ts'
import { present } from '../../adapters/testing/present.ts'
import { internalError } from '../../functions/core/errors.ts'
import type { TagAnswer } from '../../functions/core/records/image-manifest.ts'
import { lookForUpdates } from '../../functions/core/updates/look-for-updates.ts'
import { givenJob, runJob } from '../../local/harness/backups.ts'
import { clientWorld, stackOf } from '../../local/harness/client.ts'
import { givenUndo } from '../../local/matrix/requests-of-work.ts'

const digest = (letter: string) => `sha256:${letter.repeat(64)}`
const [old, fresh] = [digest('0'), digest('1')]
const hour = 3_600_000
const sleeps = 'command: [sleep, "60"]'
const compose = `services:
  db: {image: "team/db:1", ${sleeps}}
  web: {image: "nginx:1", ${sleeps}, depends_on: [db]}
  cache: {image: "team/cache:1", ${sleeps}}
  tool: {image: "busybox:latest", ${sleeps}}
`
const found = (of: string): TagAnswer => ({ state: 'found', digest: of, quota: undefined })
/** Image → its full name, and its IDs before and after an update. */
const images = {
  'nginx:1': { name: 'docker.io/library/nginx:1', before: 'sha256:a0', after: 'sha256:a1' },
  'team/db:1': { name: 'docker.io/team/db:1', before: 'sha256:b0', after: 'sha256:b1' },
  'team/cache:1': { name: 'docker.io/team/cache:1', before: 'sha256:c0', after: 'sha256:c1' },
}

/** A stack with newer images, a `cache` that is unknown, and a loaded tool. */
async function withShop(text = compose, newer = ['nginx:1']) {
  const world = await clientWorld()
  const { engine, ports } = world
  const { answers, manifests } = ports.imageRegistry
  manifests.set(fresh, { kind: 'image', config: fresh })
  const name = (image: string, id: string, of: string) => {
    nameImage(engine.state, image, id)
    nameImage(engine.state, image.replace(/:.*/, `@${of}`), id)
  }
  for (const [image, facts] of Object.entries(images)) {
    engine.state.registry.add(image)
    name(image, facts.before, old)
    answers.set(facts.name, found(newer.includes(image) ? fresh : old))
  }
  answers.set(images['team/cache:1'].name, 'docker.io: no route to host')
  // A pull brings what the registry has.
  engine.failing = (step) => {
    const [image, facts] = Object.entries(images).find(([one]) => one === step.name) ?? []
    if (step.action === 'pull' && facts && newer.includes(image ?? '')) {
      name(step.name, facts.after, fresh)
    }
    return undefined
  }
  await world.login()
  await stackOf(world, 'shop', text)
  await lookForUpdates(ports, new AbortController().signal)
  ports.clock.advance(hour / 4)
  await lookForUpdates(ports, new AbortController().signal)
  engine.executed.length = 0
  return world
}

type World = Awaited<ReturnType<typeof withShop>>

const pulled = ({ engine }: World) =>
  engine.executed.flatMap((step) => (step.action === 'pull' ? step.name : []))
const containerOf = ({ engine }: World, service: string) =>
  present([...engine.state.containers.values()].find(({ name }) => name === `shop-${service}-1`))

test('0: lists newer and unknown images, and counts the others with their reasons', async () => {
  await using world = await withShop()
  const { code, out, err } = await world.cli('updates')
  expect(code).toBe(0)
  const lines = out.trimEnd().split('\n')
  expect(lines[0]).toMatch(/^STACK +SERVICE +IMAGE +STATE +SINCE +NEXT +DETAIL$/)
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(
      /^shop +web +nginx:1 +newer +2026-06-01 12:\d\d:00Z +by hand: the mode of the update policy is not apply +-$/,
    ),
    expect.stringMatching(
      /^shop +cache +team\/cache:1 +unknown +- +- +until 2026-06-01 \S+Z: docker\.io: no route to host$/,
    ),
  ])
  expect(err).toBe(
    'not shown: 1 current, 1 not checked (the image was built or loaded on its host, not pulled: 1); --all lists them\n',
  )
})

test('0: --all, --state and --stack choose what is listed', async () => {
  await using world = await withShop()
  const services = async (words: string) => {
    const { code, out, err } = await world.cli(words)
    expect([words, code, err]).toEqual([words, 0, ''])
    return out
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split(/ +/)[1])
  }
  expect(await services('updates --all')).toEqual(['web', 'cache', 'db', 'tool'])
  expect(await services('updates --all --stack shop')).toEqual(['web', 'cache', 'db', 'tool'])
  expect(await services('updates --state current')).toEqual(['db'])
  expect(await services('updates --state not_checked --host local')).toEqual(['tool'])
  expect(await services('updates --all --filter image=team*')).toEqual(['cache', 'db'])
  expect((await world.cli('updates --state newer -q')).out).toBe('shop\n')
  const none = await world.cli('updates --stack shpo')
  expect([none.code, none.err]).toEqual([1, expect.stringContaining('did you mean shop?')])
})

test('0: --output json prints all services as the API does', async () => {
  await using world = await withShop()
  const { out } = await world.cli('updates --output json')
  const { items, unreachable_hosts } = JSON.parse(out)
  expect(items.map(({ state }: { state: string }) => state)).toEqual([
    'unknown',
    'current',
    'not_checked',
    'newer',
  ])
  expect(unreachable_hosts).toEqual([])
})

test('0: shows the host of each row if there are several, and the unreachable hosts', async () => {
  await using world = await withShop()
  const away = memoryEngine()
  away.offline = internalError('the agent is offline')
  world.ports.engines.byHost.set('nas', away)
  await world.ports.hosts.create(agentHost('nas'))
  await stackOf(world, 'far', 'services: {web: {image: "busybox:latest", command: sleep 9}}')
  const far = present(await world.ports.stacks.find('far'))
  await world.ports.stacks.replace({ ...far, hostId: 'nas' })
  const { code, out, err } = await world.cli('updates')
  expect(code).toBe(0)
  expect(out).toMatch(/^STACK +SERVICE +IMAGE +HOST +STATE/)
  expect(out).toMatch(/^shop +web +nginx:1 +Cellar +newer/m)
  expect(err).toContain(`host ${hostNameOf('nas')}: the agent is offline\n`)
})

test('0: --check waits until registries have answered', async () => {
  await using world = await withShop(compose.replace(/ {2}tool: .*\n/, ''))
  const { ports } = world
  ports.imageRegistry.answers.set(images['team/db:1'].name, found(fresh))
  ports.imageRegistry.answers.set(images['team/cache:1'].name, found(old))
  // The client compares times with that of the response, which is the real one.
  ports.clock.jump(Date.now() - ports.clock.now())
  await world.login()
  const answered = world.cli('updates --check', {
    onNote: (text) =>
      void (
        text.includes('asking registries') && lookForUpdates(ports, new AbortController().signal)
      ),
  })
  const { code, out, err } = await answered
  expect([code, err]).toEqual([0, expect.not.stringContaining('not looked at yet')])
  expect(out.split('\n').slice(1, 3)).toEqual([
    expect.stringMatching(/^shop +db +team\/db:1 +newer /),
    expect.stringMatching(/^shop +web +nginx:1 +newer /),
  ])
  expect(err).toMatch(/not shown: 1 current; /)
  const again = await world.cli('updates --check --stack shop')
  expect([again.code, again.err]).toEqual([0, expect.stringMatching(/^no registry is asked: /)])
})

test('0: --apply shows the plan and deploys only what is newer', async () => {
  await using world = await withShop()
  const { code, out, err } = await world.cli('updates --apply shop --yes')
  expect([code, err]).toEqual([0, expect.stringMatching(/^recreated +container shop-web-1 /m)])
  expect(out).toMatch(/^ACTION +KIND +NAME +REASON\npull +image +nginx:1 +pull always\n/)
  expect(out).toMatch(/^web of shop is deployed: /m)
  expect(pulled(world)).toEqual(['nginx:1'])
  expect(containerOf(world, 'web').imageId).toBe('sha256:a1')
  expect(containerOf(world, 'db').imageId).toBe('sha256:b0')
  expect(await world.cli('updates --apply shop --yes')).toEqual({
    code: 0,
    err: '',
    out: expect.stringMatching(/^nothing is newer for shop: 1 unknown \(.*: 1\), 2 current, 1 not/),
  })
  expect(pulled(world)).toEqual(['nginx:1'])
})

test('0: --apply of named services deploys no others', async () => {
  await using world = await withShop(compose, ['nginx:1', 'team/db:1'])
  const nothing = await world.cli('updates --apply shop cache --yes --output json')
  expect([nothing.code, nothing.out]).toEqual([0, 'null\n'])
  const ended = await world.cli('updates --apply shop web --yes --output json')
  expect(JSON.parse(ended.out)).toMatchObject({ stack: 'shop', status: 'succeeded' })
  expect(pulled(world)).toEqual(['nginx:1'])
  const unknown = await world.cli('updates --apply shop nope --yes')
  expect([unknown.code, unknown.err]).toEqual([
    1,
    'cli: stack shop has no deployed service nope, it has cache, db, tool, web\n',
  ])
})

test('0: --apply takes along services that share the network of a newer one', async () => {
  const shared = compose.replace('depends_on: [db]', 'network_mode: "service:db"')
  await using world = await withShop(shared, ['team/db:1'])
  const before = containerOf(world, 'web').id
  const { code, out } = await world.cli('updates --apply shop --yes')
  expect([code, out]).toEqual([0, expect.stringMatching(/^db, web of shop is deployed: /m)])
  expect(containerOf(world, 'db').imageId).toBe('sha256:b1')
  expect(containerOf(world, 'web').id).not.toBe(before)
  expect((await world.cli('stacks plan shop')).out).toBe('nothing to do\n')
})

test('0: --apply leaves out an image that was bad, unless its service is named', async () => {
  await using world = await withShop(compose, ['nginx:1', 'team/db:1'])
  const stack = present(await world.ports.stacks.find('shop'))
  const bad = { ...heldBackImage, digest: fresh, reason: 'it ended with 3' }
  await world.ports.stacks.replace({ ...stack, heldBack: [bad] })
  const left = await world.cli('updates --apply shop --yes --output json')
  expect([left.code, left.out]).toEqual([0, 'null\n'])
  expect(left.err).toContain(
    'web: this image is held back after an update: it ended with 3; left out; to deploy it: cli updates --apply shop web',
  )
  expect(pulled(world)).toEqual([])
  const named = await world.cli('updates --apply shop web --yes')
  expect([named.code, named.err]).toEqual([0, expect.stringContaining('warning: web: this image')])
  expect(pulled(world)).toEqual(['nginx:1'])
})

test('0: --apply --checkpoint backs up first; 1: there is no job, or it fails', async () => {
  await using world = await withShop()
  const apply = () => world.cli('updates --apply shop --checkpoint --yes')
  const none = await apply()
  expect([none.code, none.err]).toEqual([1, expect.stringContaining('names no backup job')])
  const job = await givenJob(world)
  expect((await world.cli(`stacks update-policy shop --checkpoint ${job}`)).code).toBe(0)
  const { backupTargets } = world.ports
  const { open } = backupTargets
  backupTargets.open = async () => {
    throw internalError('the disk is full')
  }
  const failing = await apply()
  expect([failing.code, failing.err]).toEqual([1, expect.stringContaining('the disk is full')])
  expect(pulled(world)).toEqual([])
  backupTargets.open = open
  const done = await apply()
  expect([done.code, done.err]).toEqual([0, expect.stringContaining('to go back with the data')])
  expect(pulled(world)).toEqual(['nginx:1'])
})

test('0: --apply keeps the overlay of the last deploy', async () => {
  await using world = await withShop()
  const { ports } = world
  const stack = present(await ports.stacks.find('shop'))
  const prod = await ports.texts.put('services: {web: {environment: {MODE: prod}}}\n')
  const files = { ...stack.files, overlays: { prod } }
  await ports.stacks.replace({ ...stack, files })
  expect((await world.cli('stacks deploy shop --environment prod')).code).toBe(0)
  expect((await world.cli('updates --apply shop --yes')).code).toBe(0)
  expect(present(await ports.stacks.find('shop')).environment).toBe('prod')
})

test('0: --apply asks on a terminal; 1: the answer is no; 2: there is no terminal', async () => {
  await using world = await withShop()
  const refused = await world.cli('updates --apply shop', { keys: 'n' })
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('nothing was done')])
  expect(refused.err).toContain('Pull and deploy web of shop?')
  expect((await world.cli('updates --apply shop')).code).toBe(2)
  expect(pulled(world)).toEqual([])
  expect((await world.cli('updates --apply shop', { keys: 'y' })).code).toBe(0)
  expect(pulled(world)).toEqual(['nginx:1'])
})

test.each([
  ['updates shop', 'only of --apply'],
  ['updates --checkpoint', '--checkpoint needs --apply'],
  ['updates --state old', '--state "old": must be newer, unknown, current or not_checked'],
  ['updates --apply --yes', '--apply needs the name of a stack'],
  ['updates --apply shop --yes --watch', '--apply and --watch: use only one'],
  ['updates --apply shop --yes --stack blog', '--apply and --stack: use only one'],
  ['updates --check --watch', '--check and --watch: use only one'],
  ['updates --apply shop --yes --host all', '--host all'],
  ['stacks update-policy shop --mode on', '--mode "on": must be off, notify or apply'],
  ['stacks update-policy shop --minimum-age 90m', '--minimum-age "90m": must be whole hours'],
  ['stacks update-policy shop --watch-minutes 61', '--watch-minutes "61": must be a number'],
  ['stacks update-policy shop --delete --mode off', '--delete'],
])('2: %s: %s', async (words, message) => {
  await using world = await clientWorld()
  await world.login()
  const { code, err } = await world.cli(words)
  expect([code, err]).toEqual([2, expect.stringContaining(message)])
})

test('0: shows and sets the policy of a stack, keeping what no flag names', async () => {
  await using world = await withShop()
  const done = async (words: string[]) => {
    const { code, out, err } = await world.cli(['stacks', ...words])
    expect([words, code, err]).toEqual([words, 0, ''])
    return out
  }
  expect(await done(['update-policy', 'shop'])).toBe(
    'mode         notify (no policy is saved)\nwindow       at any time\nminimum age  72 h\nexcept       no service\n',
  )
  const cron = ['--window', '0 3 * * *', '--timezone', 'Europe/Berlin']
  const set = await done(['update-policy', 'shop', '--mode', 'apply', ...cron, '--except', 'db'])
  expect(set).toMatch(/^window +0 3 \* \* \* Europe\/Berlin, for 120 min$/m)
  expect(set).toMatch(/^acts as +ada$/m)
  await done([
    'update-policy',
    'shop',
    '--minimum-age',
    '2d',
    '--for',
    '90m',
    '--watch-minutes',
    '15',
  ])
  expect(JSON.parse(await done(['update-policy', 'shop', '--output', 'json']))).toEqual({
    mode: 'apply',
    window: { schedule: '0 3 * * *', timezone: 'Europe/Berlin', duration_minutes: 90 },
    minimum_age_hours: 48,
    except: ['db'],
    checkpoint: null,
    watch_minutes: 15,
    after: [],
    source: 'stack',
    tag: null,
    acts_as: 'ada',
    blocked: null,
  })
  expect((await world.cli('updates')).out).toMatch(/ 2026-06-04 01:00:00Z /)
  const free = await done(['update-policy', 'shop', '--window', 'none', '--except', 'none'])
  expect(free).toMatch(/^window +at any time\n(.*\n)except +no service$/m)
  const mistyped = await world.cli('stacks update-policy shop --except dbb')
  expect([mistyped.code, mistyped.err]).toEqual([0, '--except dbb: shop has no such service now\n'])
  expect(await done(['update-policy', 'shop', '--delete'])).toBe(
    'shop has no update policy of its own now\n',
  )
  expect(await done(['update-policy', 'shop', '--jq', '.source'])).toBe('none\n')
})

test('0: undoes an update with its data; 1: there is none; 2: there is no terminal', async () => {
  await using world = await withShop()
  expect((await world.cli('stacks undo shop')).code).toBe(2)
  const none = await world.cli('stacks undo shop --yes')
  expect([none.code, none.err]).toEqual([1, expect.stringContaining('cli stacks rollback shop')])
  const { id } = await runJob(world, await givenJob(world))
  await givenUndo(id, world)
  const { stacks, clock } = world.ports
  const update = {
    deploymentId: 'updated',
    outcome: 'good',
    reason: null,
    at: clock.now(),
  } as const
  await stacks.replace({ ...present(await stacks.find('shop')), update })
  expect((await world.cli('stacks status shop')).err).toMatch(
    /^last update: good, .*\n {2}can be undone until .*: cli stacks undo shop$/m,
  )
  const { code, out, err } = await world.cli('stacks undo shop', { keys: 'y' })
  expect([code, out], err).toEqual([0, expect.stringContaining('shop: the update is undone')])
  expect(await world.ports.stacks.find('shop')).toMatchObject({ update: { undoneBy: 'ada' } })
  expect((await world.cli('stacks status shop')).err).toMatch(
    /^last update: undone, .*: ada undid it/m,
  )
})

test('0: sets, lists and deletes a policy that stacks inherit', async () => {
  await using world = await withShop()
  const done = async (words: string) => {
    const { code, out, err } = await world.cli(words)
    expect([words, code, err]).toEqual([words, 0, ''])
    return out
  }
  const set = await done('update-policies set default --mode apply --minimum-age 7d')
  expect(set).toMatch(/^acts as +ada$/m)
  await done('update-policies set default --watch-minutes 5')
  expect(await done('update-policies list')).toMatch(/^default +apply +at any time +168 h +ada/m)
  const shown = await done('stacks update-policy shop')
  expect(shown).toMatch(/^mode +apply \(policy of all stacks\)$/m)
  expect(shown).toMatch(/^watch +5 min$/m)
  expect((await world.cli('update-policies set default')).code).toBe(2)
  await done('update-policies delete default --yes')
  expect(await done('stacks update-policy shop')).toContain('notify (no policy is saved)')
})

test('0: lists held-back images, and allows one by the beginning of its digest', async () => {
  await using world = await withShop()
  const stack = present(await world.ports.stacks.find('shop'))
  await world.ports.stacks.replace({ ...stack, heldBack: [heldBackImage] })
  const { code, out } = await world.cli('stacks held-back shop')
  expect([code, out.split('\n')[1]]).toEqual([
    0,
    expect.stringMatching(
      /^web +docker\.io\/library\/nginx:1 +5{12} +0{12} .* its health check fails$/,
    ),
  ])
  const none = await world.cli('stacks held-back shop --allow 6666')
  expect([none.code, none.err]).toEqual([1, 'cli: there is no held-back image "6666"\n'])
  const allowed = await world.cli('stacks held-back shop --allow sha256:5555')
  expect([allowed.code, allowed.out]).toEqual([0, 'updates of shop may apply 555555555555 again\n'])
  expect((await world.cli('stacks held-back shop --output json')).out).toBe('[]\n')
})
