import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenStack, type World, world } from '../../local/harness/world.ts'
import deploy from './deploy.ts'
import plan from './plan.ts'
import remove from './remove.ts'
import update from './update.ts'

type As = 'admin' | 'operator'

const busybox = 'busybox:latest'

const deploys = (here: World, name: string, as: As = 'operator', body: object = {}) =>
  call(deploy, { ports: here.ports, as, path: { name }, body })

const imagesOf = ({ engine }: World, project: string) =>
  [...engine.state.containers.values()]
    .filter(({ name }) => name.startsWith(`${project}-`))
    .map(({ imageId }) => imageId)

/** Returns a project with one service that has these lines. */
const web = (lines: string) =>
  `services:\n  web:\n    command: sleep 60\n${lines.replace(/^/gm, '    ')}`

const building = (image: string | null, more = '') =>
  web(
    `${image === null ? '' : `image: ${image}\n`}build:\n  dockerfile_inline: "FROM busybox"\n${more}`,
  )

async function given(here: World, name: string, compose: string) {
  await givenStack(here, name, { compose, deployed: false })
  await here.engine.writeFiles(`/opt/stacks/${name}`, [
    { path: 'part', content: Buffer.from(name), mode: 0o644 },
  ])
}

/** Sets up a stack `shop` that builds and runs `shop-web`. */
async function withShop() {
  const here = world()
  await given(here, 'shop', building(null))
  const { json } = await deploys(here, 'shop')
  expect(json).toMatchObject({ status: 'succeeded', error: null })
  return { here, id: present(here.engine.state.images.get('shop-web')) }
}

const ownerOf = async ({ ports }: World, name: string) =>
  (await ports.owners.find({ hostId: 'local', kind: 'image', name }))?.stack

test('200: names a build when it is complete, and records the stack as owner of the name', async () => {
  const { here, id } = await withShop()
  expect(imagesOf(here, 'shop')).toEqual([id])
  expect(await ownerOf(here, 'docker.io/library/shop-web:latest')).toBe('shop')
})

test.each([
  'shop-web',
  'shop-web:latest',
  'docker.io/library/shop-web',
  'index.docker.io/shop-web',
])(
  '409: refuses to build %s, which another stack builds, without naming that stack',
  async (image) => {
    const { here, id } = await withShop()
    await given(here, 'thief', building(image))
    for (const as of ['operator', 'admin'] as const) {
      const { status, json } = await deploys(here, 'thief', as, { on_drift: 'import' })
      expect([status, json.error]).toEqual([
        409,
        expect.stringContaining('name of its own with `image:`'),
      ])
      expect(json.error).not.toMatch(/stack shop\b/)
    }
    expect(here.engine.state.images.get('shop-web')).toBe(id)
    expect((await deploys(here, 'shop')).json).toMatchObject({ status: 'succeeded', steps: [] })
    expect(imagesOf(here, 'shop')).toEqual([id])
  },
)

test('409: refuses an additional tag that another stack builds, and a default name shared by two stacks', async () => {
  const { here } = await withShop()
  await given(here, 'thief', building('mine', '  tags: ["shop-web:latest"]'))
  expect((await deploys(here, 'thief')).status).toBe(409)
  const one = building(null).replace('web:', 'b-c:')
  const other = building(null).replace('web:', 'c:')
  await given(here, 'a', one)
  await given(here, 'a-b', other)
  expect((await deploys(here, 'a')).json.status).toBe('succeeded')
  const { status, json } = await deploys(here, 'a-b')
  expect([status, json.error]).toEqual([409, expect.stringContaining('a-b-c')])
})

test('409: a build cannot take the name of an image that the stack did not build', async () => {
  const here = world()
  await given(here, 'thief', building(busybox, '  tags: []\npull_policy: build'))
  const before = here.engine.state.images.get(busybox)
  const { json } = await deploys(here, 'thief')
  expect([json.status, json.error]).toEqual([
    'failed',
    expect.stringContaining('that the stack did not build'),
  ])
  expect(here.engine.state.images.get(busybox)).toBe(before)
  expect((await deploys(here, 'thief', 'admin')).json.status).toBe('succeeded')
  expect(here.engine.state.images.get(busybox)).not.toBe(before)
})

test('200: accepts a name that the stack built before owners were recorded', async () => {
  const { here, id } = await withShop()
  const name = 'docker.io/library/shop-web:latest'
  await here.ports.owners.release({ hostId: 'local', kind: 'image', name, stack: 'shop' })
  await call(update, {
    ports: here.ports,
    as: 'operator',
    path: { name: 'shop' },
    body: { compose: building(null, 'pull_policy: build') },
  })
  await here.engine.writeFiles('/opt/stacks/shop', [
    { path: 'part', content: Buffer.from('new'), mode: 0o644 },
  ])
  expect((await deploys(here, 'shop')).json).toMatchObject({ status: 'succeeded' })
  expect(imagesOf(here, 'shop')).not.toContain(id)
  expect(await ownerOf(here, name)).toBe('shop')
})

test('409: running an image does not make a stack the owner of its name', async () => {
  const { here } = await withShop()
  const name = 'docker.io/library/shop-web:latest'
  await here.ports.owners.release({ hostId: 'local', kind: 'image', name, stack: 'shop' })
  await given(here, 'thief', web('image: shop-web'))
  expect((await deploys(here, 'thief')).json.status).toBe('succeeded')
  await call(update, {
    ports: here.ports,
    as: 'operator',
    path: { name: 'thief' },
    body: { compose: building('shop-web', 'pull_policy: build') },
  })
  expect((await deploys(here, 'thief')).json).toMatchObject({ status: 'failed' })
})

test('a stack gives up a name when it no longer builds it or is deleted', async () => {
  const { here } = await withShop()
  const name = 'docker.io/library/shop-web:latest'
  await call(update, {
    ports: here.ports,
    as: 'operator',
    path: { name: 'shop' },
    body: { compose: building('shop/two:1') },
  })
  expect((await deploys(here, 'shop')).json.status).toBe('succeeded')
  expect(await ownerOf(here, name)).toBeUndefined()
  expect(await ownerOf(here, 'docker.io/shop/two:1')).toBe('shop')
  await call(remove, { ports: here.ports, as: 'operator', path: { name: 'shop' }, query: {} })
  expect(await ownerOf(here, 'docker.io/shop/two:1')).toBeUndefined()
})

/** Moves the name of the shop's image to another image. */
function move({ engine }: World, to = 'sha256:other', name = 'shop-web') {
  engine.state.images.set(name, to)
}

test('reports a moved image, keeps the containers, and refuses to create a new one from it', async () => {
  const { here, id } = await withShop()
  move(here)
  const planned = await call(plan, { ports: here.ports, as: 'operator', path: { name: 'shop' } })
  expect(planned.json).toEqual([
    {
      action: 'drift',
      kind: 'image',
      name: 'shop-web',
      reason: `shop-web (moved from ${id} to sha256:other)`,
    },
  ])
  const kept = await deploys(here, 'shop')
  expect(kept.json).toMatchObject({ status: 'succeeded', steps: [] })
  expect(kept.json.warnings).toContainEqual(expect.stringContaining(`moved from ${id}`))
  const { status, json } = await deploys(here, 'shop', 'operator', { force_recreate: true })
  expect([status, json.error]).toEqual([409, expect.stringContaining('on_drift: import')])
  expect(imagesOf(here, 'shop')).toEqual([id])
  const taken = await deploys(here, 'shop', 'operator', { on_drift: 'import' })
  expect(taken.json.status).toBe('succeeded')
  expect(imagesOf(here, 'shop')).toEqual(['sha256:other'])
  expect((await deploys(here, 'shop')).json).toMatchObject({ steps: [], warnings: [] })
})

test('accepts a moved image if all containers already run it', async () => {
  const { here } = await withShop()
  move(here)
  for (const container of here.engine.state.containers.values()) container.imageId = 'sha256:other'
  here.engine.state.touch()
  expect((await deploys(here, 'shop')).json).toMatchObject({ steps: [], warnings: [] })
  move(here, 'sha256:third')
  expect((await deploys(here, 'shop')).json.warnings).toHaveLength(1)
})

test('fails a step if its image moves between plan and creation, and keeps the containers', async () => {
  const { here, id } = await withShop()
  here.engine.failing = (step) => {
    if (step.action === 'recreate') move(here)
    return undefined
  }
  const { json } = await deploys(here, 'shop', 'operator', { force_recreate: true })
  expect([json.status, json.error]).toEqual([
    'failed',
    expect.stringContaining(`now points to sha256:other, but this deployment decided on ${id}`),
  ])
  expect(imagesOf(here, 'shop')).toEqual([id])
})

test('fails if the name of a build moves before its containers are created', async () => {
  const here = world()
  await given(here, 'shop', building(null))
  here.engine.failing = (step) => {
    if (step.action === 'create' && step.kind === 'container') move(here)
    return undefined
  }
  const { json } = await deploys(here, 'shop')
  expect(json).toMatchObject({ status: 'failed', error: expect.stringContaining('now points to') })
  expect(imagesOf(here, 'shop')).toEqual([])
})

test('an image pulled by the deploy does not count as drift', async () => {
  const here = world()
  await given(here, 'shop', web('image: nginx:1'))
  await deploys(here, 'shop')
  move(here, 'sha256:other', 'nginx:1')
  const { json } = await deploys(here, 'shop', 'operator', { pull: 'always' })
  expect(json).toMatchObject({ status: 'succeeded', warnings: [] })
  expect(imagesOf(here, 'shop')).toEqual(['sha256:other'])
})

test('409, then 200: uses another stack’s build only after on_drift accepts it', async () => {
  const { here, id } = await withShop()
  await given(here, 'worker', web('image: shop-web'))
  for (const as of ['operator', 'admin'] as const) {
    const { status, json } = await deploys(here, 'worker', as)
    expect([status, json.error]).toEqual([409, expect.stringContaining('another stack built')])
  }
  const { json } = await deploys(here, 'worker', 'operator', { on_drift: 'import' })
  expect(json).toMatchObject({ status: 'succeeded', warnings: [] })
  expect(imagesOf(here, 'worker')).toEqual([id])
  const again = await deploys(here, 'worker', 'operator', { force_recreate: true })
  expect(again.json.status).toBe('succeeded')
})

test('409, then 200: builds on another stack’s build only after on_drift accepts it', async () => {
  const { here } = await withShop()
  here.engine.state.images.set('shop-web:latest', present(here.engine.state.images.get('shop-web')))
  const compose = building('derived', 'pull_policy: build').replace('busybox', 'shop-web')
  await given(here, 'worker', compose)
  expect((await deploys(here, 'worker')).json).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('the Dockerfile uses shop-web'),
  })
  const accepted = await deploys(here, 'worker', 'operator', { on_drift: 'import' })
  expect(accepted.json.status).toBe('succeeded')
  expect((await deploys(here, 'worker')).json.status).toBe('succeeded')
})

test('403: an image given by ID requires stacks:privileged', async () => {
  const { here, id } = await withShop()
  const hex = 'ab'.repeat(32)
  here.engine.state.images.set('private', `sha256:${hex}`)
  here.engine.state.images.set('private:2', 'sha256:known')
  // No image has the last name, and an Engine takes it for an ID.
  for (const image of [id, hex, `sha256:${hex}`, `sha256:${hex.slice(0, 12)}`, 'sha256:known']) {
    const name = 'thief'
    await given(here, name, web(`image: "${image}"`))
    const { status, json } = await deploys(here, name, 'operator', { on_drift: 'import' })
    expect([status, json.error]).toEqual([403, expect.stringContaining('is the ID of an image')])
    await call(remove, { ports: here.ports, as: 'operator', path: { name }, query: {} })
  }
  await given(here, 'own', web(`image: "sha256:${hex}"`))
  expect((await deploys(here, 'own', 'admin')).json.status).toBe('succeeded')
})

test.each([
  ['given by ID', 'ab'.repeat(32), 'may be the ID'],
  ['given by a prefix of its ID', 'abab', 'may be the ID'],
  ['that cannot be determined', '${A#b}', 'cannot be determined'],
])('403: a base image %s requires stacks:privileged', async (_, from, error) => {
  const here = world()
  await given(
    here,
    'thief',
    building(null).replace('busybox', () => from.replace('$', () => '$$')),
  )
  expect((await deploys(here, 'thief', 'operator', { on_drift: 'import' })).json).toMatchObject({
    status: 'failed',
    error: expect.stringContaining(error),
  })
})

test.each([
  ['fetches a URL', 'FROM busybox\nADD http://127.0.0.1/x /x'],
  ['names a registry by IP address', 'FROM 10.0.0.5:5000/x'],
  ['has a third-party frontend', '# syntax=stranger/x\nFROM busybox'],
])('403: a Dockerfile that %s requires stacks:privileged', async (_, dockerfile) => {
  const here = world()
  const lines = `build: {context: ., dockerfile_inline: ${JSON.stringify(dockerfile)}}`
  await given(here, 'dialer', web(lines))
  expect((await deploys(here, 'dialer', 'operator')).json).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('the Dockerfile: '),
  })
})

test('403: an image mounted by ID requires stacks:privileged', async () => {
  const here = world()
  const mount = 'volumes: [{type: image, source: abab, target: /x}]'
  await given(here, 'thief', web(`image: ${busybox}\n${mount}`))
  const { status, json } = await deploys(here, 'thief')
  expect([status, json.error]).toEqual([403, expect.stringContaining('services.web.volumes[0]')])
})
