import { expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenStack, type World, world } from '../../local/harness/world.ts'
import deploy from './deploy.ts'
import get from './get.ts'
import plan from './plan.ts'
import build from './services/build.ts'
import update from './update.ts'

const path = { name: 'shop' }
const dockerfile = 'FROM busybox\ncopy . /app'
const compose = `services:
  web: {build: ./app, image: "made:1", command: sleep 3600}
  db: {image: "busybox:latest", command: sleep 3600}
  tool: {build: ./tool, image: "tool:1", command: sleep 3600, profiles: [tools]}
`

const warning = (file: string, service = 'web') => warningOf(`./${file}`, service)

const warningOf = (what: string, service = 'web') =>
  `service ${service}: ${what} changed since its image was built: ` +
  '`cli stacks deploy shop --build` builds it again'

/** Saves files with their contents. */
async function save({ ports }: World, contents: Record<string, string | null>): Promise<void> {
  const files = Object.entries(contents).map(([name, content]) => [
    name,
    content === null ? null : { content },
  ])
  const body = { files: Object.fromEntries(files) }
  const { status, json } = await call(update, { ports, as: 'admin', path, body })
  expect({ status, error: json.error }).toMatchObject({ status: 200 })
}

async function given(contents: Record<string, string> = {}): Promise<World> {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const first = {
    'app/Dockerfile': dockerfile,
    'app/x': 'a',
    'tool/Dockerfile': dockerfile,
  }
  await save(here, { ...first, 'compose.yaml': compose, ...contents })
  expect((await deploys(here)).warnings).toEqual([])
  return here
}

const deploys = async ({ ports }: World, body: Json = {}, status = 'succeeded'): Promise<Json> => {
  const { json } = await call(deploy, { ports, as: 'admin', path, body })
  expect({ status: json.status, error: json.error }).toMatchObject({ status })
  return json
}

const planned = async ({ ports }: World, body: Json = {}): Promise<Json[]> =>
  (await call(plan, { ports, as: 'viewer', path, body })).json

const builds = async ({ ports }: World, service: string) =>
  (await call(build, { ports, as: 'admin', path: { ...path, service }, body: {} })).json

/** Returns the warnings of the plan, of a deploy and of the stack, which have to be the same. */
async function warned(here: World): Promise<string[]> {
  const rows = (await planned(here)).filter(({ action }) => action === 'warning')
  const shown = (await call(get, { ports: here.ports, as: 'viewer', path })).json.warnings
  const { warnings } = await deploys(here)
  expect(rows.map(({ reason }) => reason)).toEqual(warnings)
  expect(shown).toEqual(warnings)
  return warnings
}

const titles = (steps: Json[]) =>
  steps.map(({ action, kind, name, reason }) => `${action} ${kind} ${name} (${reason})`)

const container = async ({ engine }: World, name: string) =>
  present((await engine.observe('shop')).containers.find((one) => one.name === name))

test('200: names an image that is older than its files for as long as it is', async () => {
  const here = await given()
  await save(here, { 'app/x': 'b', 'apple/x': 'b', 'tool/x': 'b' })
  expect(await warned(here)).toEqual([warning('app/x')])
  expect(await warned(here)).toEqual([warning('app/x')])
  const upToDate = await deploys(here)
  expect([upToDate.steps, upToDate.warnings]).toEqual([[], [warning('app/x')]])
  await save(here, { 'app/x': null })
  expect(await warned(here)).toEqual([warning('app/x')])
  await save(here, { 'app/x': 'a' })
  expect(await warned(here)).toEqual([])
})

test('200: names none that was built meanwhile, or for a service that does not run', async () => {
  const here = await given()
  await save(here, { 'app/x': 'b' })
  expect((await builds(here, 'web')).status).toBe('succeeded')
  expect(await warned(here)).toEqual([])
  await save(here, {
    'app/x': 'c',
    'compose.yaml': compose.replace('made:1"', 'made:1", scale: 0'),
  })
  expect(await warned(here)).toEqual([])
  const id = (await container(here, 'shop-db-1')).imageId
  await save(here, { 'compose.yaml': compose.replace('"made:1"', `"busybox@${id}"`) })
  expect((await planned(here)).filter(({ action }) => action === 'warning')).toEqual([])
})

test('200: names none that something else built or tagged', async () => {
  const here = await given()
  await save(here, { 'app/x': 'b' })
  here.engine.state.images.set('made:1', `sha256:${'7'.repeat(64)}`)
  await deploys(here, { on_drift: 'import' })
  expect(await warned(here)).toEqual([])
})

test('200: with build, says why it builds, builds and replaces what has a new image', async () => {
  const here = await given()
  await save(here, { 'app/x': 'b' })
  const before = await container(here, 'shop-db-1')
  const rows = titles(await planned(here, { build: 'always' }))
  expect(rows).toEqual([
    'write files /opt/stacks/shop (files changed: app/x)',
    'build image made:1 (./app/x changed since its image was built)',
  ])
  const { steps, warnings } = await deploys(here, { build: 'always' })
  expect(warnings).toEqual([])
  expect(titles(steps)).toEqual([
    ...rows,
    expect.stringContaining('(image changed)'),
    ...Array.from({ length: steps.length - 3 }, () => expect.any(String)),
  ])
  expect((await container(here, 'shop-db-1')).id).toBe(before.id)
  expect(await warned(here)).toEqual([])
  const again = await deploys(here, { build: 'always' })
  expect(titles(again.steps)).toEqual(['build image made:1 (build always)'])
})

test('200: a build that fails touches no container, and the warning stays', async () => {
  const here = await given()
  const before = await container(here, 'shop-db-1')
  const changed = compose.replace('latest", command', 'latest", init: true, command')
  await save(here, { 'app/Dockerfile': 'FROM busybox\nRUN exit 3', 'compose.yaml': changed })
  const { error, steps } = await deploys(here, { build: 'always' }, 'failed')
  expect(error).toContain('Building made:1 failed')
  expect(steps.filter(({ kind }: Json) => kind === 'container')).toEqual([])
  expect((await container(here, 'shop-db-1')).id).toBe(before.id)
  expect(await warned(here)).toEqual([warning('app/Dockerfile')])
})

test('200: builds only what is missing with `build: missing`, whatever pull_policy says', async () => {
  const here = await given({
    'compose.yaml': compose.replace('image:', 'pull_policy: build, image:'),
  })
  await save(here, { 'app/x': 'b' })
  expect(titles(await planned(here, { build: 'missing' }))).toEqual([
    `warning service web (${warning('app/x')})`,
    'write files /opt/stacks/shop (files changed: app/x)',
  ])
  expect(titles((await deploys(here)).steps)).toContain('build image made:1 (pull_policy build)')
  expect((await call(get, { ports: here.ports, as: 'viewer', path })).json.warnings).toEqual([])
})

test('200: with named services, builds those and what they depend on', async () => {
  const here = await given()
  expect(titles(await planned(here, { build: 'always', services: ['db'] }))).toEqual([])
  const rows = titles(await planned(here, { build: 'always', services: ['tool'] }))
  expect(rows[0]).toBe('build image tool:1 (no image)')
  await deploys(here, { services: ['tool'] })
  await save(here, { 'tool/x': 'b' })
  // Its profile is active only in a deploy that names it.
  const named = await planned(here, { services: ['tool'] })
  expect(named.map(({ reason }) => reason)).toContain(warning('tool/x', 'tool'))
  expect((await deploys(here)).warnings).not.toContain(warning('tool/x', 'tool'))
  expect((await call(get, { ports: here.ports, as: 'viewer', path })).json.warnings).toEqual([])
})

test('200: keeps the warning for an image whose build no record has', async () => {
  const here = await given()
  const stack = present(await here.ports.stacks.find('shop'))
  const { builds: _, ...older } = stack
  await here.ports.stacks.replace(older)
  expect(await warned(here)).toEqual([])
  await save(here, { 'app/x': 'b' })
  expect((await deploys(here)).warnings).toEqual([warning('app/x')])
  expect(await warned(here)).toEqual([warning('app/x')])
})

test('200: counts only what a build reads in a context with the whole stack', async () => {
  const built = `services:
  web:
    build: .
    image: made:1
    command: sleep 3600
    env_file: web.env
    volumes: [./conf:/conf]
`
  const here = await given({
    Dockerfile: dockerfile,
    'main.py': 'a',
    'conf/a': 'a',
    'docs/a.md': 'a',
    '.dockerignore': 'docs\n',
    'web.env': 'A=1',
    'compose.yaml': built,
  })
  const overlay = 'services: {web: {init: true}}'
  const others = { 'conf/a': 'b', 'docs/a.md': 'b', 'web.env': 'A=2', 'compose.dev.yaml': overlay }
  await save(here, others)
  expect(await warned(here)).toEqual([])
  await save(here, { 'compose.yaml': `${built}    init: true\n` })
  expect(await warned(here)).toEqual([])
  await save(here, { 'main.py': 'b' })
  expect(await warned(here)).toEqual([warning('main.py')])
  await builds(here, 'web')
  await save(here, { '.dockerignore': '[', 'docs/a.md': 'c' })
  expect(await warned(here)).toEqual([warning('.dockerignore')])
  await save(here, { Dockerfile: 'FROM busybox\nRUN echo COPY' })
  await builds(here, 'web')
  await save(here, { 'main.py': 'c' })
  expect(await warned(here)).toEqual([])
})

const withBuild = (build: string) => compose.replace('build: ./app', `build: {${build}}`)

test.each([
  ['args', 'context: ./app, args: {A: "1"}', 'context: ./app, args: {A: "2"}'],
  ['args', 'context: ./app', 'context: ./app, args: {A: "1"}'],
  ['target', 'context: ./app', 'context: ./app, target: dev'],
  ['labels', 'context: ./app, labels: {a: "1"}', 'context: ./app'],
  ['dockerfile', 'context: ./app', 'context: ./app, dockerfile: ../tool/Dockerfile'],
  [
    'dockerfile_inline',
    'dockerfile_inline: FROM busybox',
    'dockerfile_inline: "FROM busybox\\nENV A=1"',
  ],
  ['context', 'context: ./app', 'context: ./tool'],
])('200: names an image that was built with another %s: %s → %s', async (key, first, second) => {
  const here = await given({ 'compose.yaml': withBuild(first) })
  await save(here, { 'compose.yaml': withBuild(second) })
  expect(await warned(here)).toEqual([warningOf(`build.${key}`)])
  await save(here, { 'compose.yaml': withBuild(first) })
  expect(await warned(here)).toEqual([])
  await save(here, { 'compose.yaml': withBuild(second) })
  expect(titles((await deploys(here, { build: 'always' })).steps)).toContain(
    `build image made:1 (build.${key} changed since its image was built)`,
  )
  expect(await warned(here)).toEqual([])
})

test('200: names an image whose arguments come from variables that changed', async () => {
  const build = 'context: ./app, args: {A: "${A}"}'
  const here = await given({ 'compose.yaml': withBuild(build), '.env': 'A=1' })
  await save(here, { '.env': 'A=1\nB=2' })
  expect(await warned(here)).toEqual([])
  await save(here, { '.env': 'A=2' })
  expect(await warned(here)).toEqual([warningOf('build.args')])
})

test('200: names no image for another way to write the same, or with what no image depends on', async () => {
  const here = await given({ 'compose.yaml': withBuild('context: ./app, args: {A: "1", B: "2"}') })
  const same =
    'context: app/, dockerfile: Dockerfile, args: [B=2, A=1], labels: {}, pull: true, no_cache: true'
  await save(here, { 'compose.yaml': withBuild(same) })
  expect(await warned(here)).toEqual([])
})

test('200: names none if one of the services that build the same image would build it so', async () => {
  const shared = withBuild('context: ./app, args: {A: "1"}').replace(
    'db: {image: "busybox:latest"',
    'db: {image: "made:1", build: {context: ./app}',
  )
  const here = await given({ 'compose.yaml': shared })
  expect(await warned(here)).toEqual([])
})

test('200: names none by attributes that was built before these were recorded', async () => {
  const here = await given()
  const stack = present(await here.ports.stacks.find('shop'))
  const older = Object.entries(stack.builds ?? {}).map(([name, { image, files }]) => [
    name,
    { image, files },
  ])
  await here.ports.stacks.replace({ ...stack, builds: Object.fromEntries(older) })
  await save(here, { 'compose.yaml': withBuild('context: ./app, args: {A: "1"}') })
  expect(await warned(here)).toEqual([])
  await save(here, { 'app/x': 'b' })
  expect(await warned(here)).toEqual([warning('app/x')])
})

const recordedBuild = async ({ ports }: World) => {
  const stack = present(await ports.stacks.find('shop'))
  return present(Object.entries(stack.builds ?? {}).find(([name]) => name.endsWith('/made:1')))
}

test('200: the digests of a build are those of one store, and of its key', async () => {
  const first = { 'compose.yaml': withBuild('context: ./app, args: {TOKEN: "1"}') }
  const [one, other] = [await given(first), await given(first)]
  const [name, build] = await recordedBuild(one)
  const argsOf = async (here: World) => present((await recordedBuild(here))[1].definition).args
  expect(await argsOf(one)).toMatch(/^[0-9a-f]{16}$/)
  expect(await argsOf(other)).not.toBe(await argsOf(one))
  await save(one, { 'compose.yaml': withBuild('context: ./app, args: {TOKEN: "2"}') })
  expect(await warned(one)).toEqual([warningOf('build.args')])
  for (const keyed of [undefined, (await recordedBuild(other))[1].keyed]) {
    const stack = present(await one.ports.stacks.find('shop'))
    const { keyed: _, ...unkeyed } = build
    const known = keyed === undefined ? unkeyed : { ...unkeyed, keyed }
    await one.ports.stacks.replace({ ...stack, builds: { ...stack.builds, [name]: known } })
    expect(await warned(one)).toEqual([])
  }
})
