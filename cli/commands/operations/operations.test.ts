import { expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import { clientWorld, stackOf } from '../../../local/harness/client.ts'

const image = 'registry.example.org/team/app:1'

/** Sets up a host whose pulls wait until `release`, or until they are cancelled. */
async function pullingWorld() {
  const world = await clientWorld()
  world.engine.state.registry.add(image)
  const { pullImage } = world.engine
  const releases: (() => void)[] = []
  world.engine.pullImage = async (name, signal, options) => {
    await new Promise<void>((resolve, reject) => {
      releases.push(resolve)
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
    return pullImage(name, signal, options)
  }
  await world.login()
  const release = () => {
    for (const one of releases.splice(0)) one()
  }
  return Object.assign(world, { release })
}

type World = Awaited<ReturnType<typeof clientWorld>>

/** Runs a command with --detach and returns the id that it prints. */
async function started(world: World, words: string): Promise<string> {
  const { code, out, err } = await world.cli(words)
  expect([code, err]).toEqual([0, ''])
  const [, id] = /^started: cli operations watch (\S+)\n$/.exec(out) ?? []
  return present(id)
}

const statusOf = async (world: World, id: string) =>
  JSON.parse((await world.cli(`operations get ${id} --output json`)).out).status

test('0: a pull that goes on without the client is listed, shown and followed', async () => {
  await using world = await pullingWorld()
  const id = await started(world, `images pull ${image} --detach`)
  const { out } = await world.cli('operations list --status running')
  expect(out).toMatch(/^ID +KIND +SUBJECT +HOST +STATUS +STARTED +TOOK +BY +ERROR\n/)
  expect(out).toMatch(new RegExp(`^${id} +image_pull +${image} +Cellar +running .* ada +-$`, 'm'))
  expect((await world.cli('operations list --kind backup_verify --quiet')).out).toBe('')
  const watch = world.cli(`operations watch ${id.slice(0, 30)} --progress json`)
  world.release()
  const { code, out: shown, err } = await watch
  expect([code, shown]).toEqual([0, expect.stringMatching(/^status +succeeded$/m)])
  expect(shown).toMatch(new RegExp(`^tags +${image}$`, 'm'))
  expect(err).toContain(`{"operation":"${id}","kind":"image_pull","status":"succeeded"`)
  expect((await world.cli(`operations list --before ${id} -q`)).out).toBe('')
})

test('1: watch of an operation that was cancelled; 1: it cannot be cancelled again', async () => {
  await using world = await pullingWorld()
  const id = await started(world, `images pull ${image} -d`)
  const watch = world.cli(`operations watch ${id}`)
  const cancelled = await world.cli(`operations cancel ${id}`)
  expect([cancelled.code, cancelled.out, cancelled.err]).toEqual([
    0,
    'the pull is being cancelled\n',
    `follow it: cli operations watch ${id}\n`,
  ])
  expect(await watch).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^status +interrupted$/m),
    err: 'cli: the pull was interrupted: cancelled by ada\n',
  })
  expect((await world.cli(`operations cancel ${id}`)).code).toBe(1)
  expect((await world.cli('operations get 0000-none')).err).toContain('there is no operation')
})

test('130: an interrupt ends the waiting at once, not the operation', async () => {
  await using world = await pullingWorld()
  const id = await started(world, `images pull ${image} -d`)
  let interrupt: (() => void) | undefined
  const watch = world.cli(`operations watch ${id}`, {
    onInterrupt: (send) => {
      interrupt = send
    },
  })
  await expect.poll(() => interrupt).toBeDefined()
  interrupt?.()
  expect(await watch).toMatchObject({
    code: 130,
    err: `cli: the pull continues: cli operations watch ${id}\n`,
  })
  expect(await statusOf(world, id)).toBe('running')
  world.release()
})

test('0: follows an operation while the service is away', async () => {
  await using world = await pullingWorld()
  const id = await started(world, `images pull ${image} -d`)
  const watch = world.cli(`operations watch ${id}`)
  await world.away()
  world.release()
  await world.ports.background.settled()
  await world.back()
  expect(await watch).toMatchObject({ code: 0 })
})

test('0: prune and publish with --detach', async () => {
  await using world = await clientWorld()
  await world.login()
  world.engine.state.unnamed.add('sha256:old')
  const prune = await started(world, 'images prune --yes -d')
  await world.ports.background.settled()
  expect((await world.cli(`operations get ${prune}`)).out).toMatch(/^deleted +sha256:old$/m)
  await stackOf(world, 'shop', 'services: {web: {image: "busybox:latest"}}')
  const reference = 'registry.example.org/team/shop:1.0'
  const published = await started(world, `stacks publish shop ${reference} --detach`)
  const watch = await world.cli(`operations watch ${published}`)
  expect([watch.code, watch.out]).toEqual([0, expect.stringContaining(reference)])
  const asked = await world.cli(`stacks publish shop ${reference} --replace -d --output json`)
  expect(JSON.parse(asked.out)).toMatchObject({ kind: 'stack_publish' })
  expect((await world.cli(`stacks publish shop ${reference} -d --dry-run`)).code).toBe(2)
})
