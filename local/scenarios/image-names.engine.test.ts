import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import { release, untilHeld, untilReleased } from '../harness/held-build.ts'
import { api, newPlace, type Running, setUpAdmin, startIn } from '../harness/service.ts'
import { unique } from '../harness/unique.ts'

const place = newPlace()
const owner = unique('names')
const thief = `${owner}x`
const image = `${owner}-web`
const password = 'a long enough password 1'
let running: Running
let token: string
let operator: string

const own = 'command: sleep 3600\n    init: true\n    stop_grace_period: 0s'
const building = (name: string, word: string) => `services:
  web:
    image: ${name}
    ${own}
    pull_policy: build
    build:
      dockerfile_inline: |
        FROM busybox:latest
        RUN echo ${word} > /word
`
const using = (name: string) => `services:
  web:
    image: "${name}"
    ${own}
`

const ask = async (as: string, method: string, path: string, body?: object) => {
  const { status, json } = await api(running, method, path, { token: as, body })
  return { status, json }
}
const deploy = (name: string, body: object = {}, as = operator) =>
  ask(as, 'POST', `/stacks/${name}/deploy`, body)
const save = (name: string, compose: string) =>
  ask(operator, 'PUT', `/stacks/${name}`, { compose, env: null })
const word = (name: string) => docker('exec', `${name}-web-1`, 'cat', '/word')
const inspect = (format: string, ...what: string[]) => docker('inspect', '-f', format, ...what)
const containerId = (name: string) => inspect('{{.Id}}', `${name}-web-1`)

async function given(name: string, compose: string) {
  const { status } = await ask(operator, 'POST', '/stacks', { name, compose })
  expect(status).toBe(201)
  const directory = join(place.directory, 'stacks', name)
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, 'x'), name)
}

/** Removes images repeatedly, because an image can be removed only after those built on it. */
function removeImages(label: string) {
  for (let left = 10; left > 0; left -= 1) {
    const ids = docker('images', '-q', '--filter', label).split('\n').filter(Boolean)
    if (ids.length === 0) return
    docker('rmi', '-f', ...new Set(ids))
  }
}

beforeAll(async () => {
  running = await startIn(place)
  token = await setUpAdmin(place, running)
  await ask(token, 'POST', '/users', { username: 'operator', password, role: 'operator' })
  const { json } = await api(running, 'POST', '/auth/login', {
    body: { username: 'operator', password },
  })
  operator = json.access_token
})

afterAll(async () => {
  for (const name of [thief, owner]) await ask(token, 'DELETE', `/stacks/${name}?volumes=true`)
  for (const name of [thief, owner]) removeImages(`label=com.docker.compose.project=${name}`)
  await place.remove()
})

test('a stack cannot build under an image name that another stack runs', async () => {
  await given(owner, building(image, 'mine'))
  expect((await deploy(owner)).json).toMatchObject({ status: 'succeeded', error: null })
  expect(word(owner)).toBe('mine')
  const id = inspect('{{.Id}}', image)
  await given(thief, building(`docker.io/library/${image}`, 'stolen'))
  for (const as of [operator, token]) {
    const { status, json } = await deploy(thief, { on_drift: 'import' }, as)
    expect([status, json.error]).toEqual([409, expect.stringContaining('name of its own')])
  }
  expect(inspect('{{.Id}}', image)).toBe(id)
  expect((await deploy(owner, { force_recreate: true })).json.status).toBe('succeeded')
  expect([word(owner), inspect('{{.Config.Image}}', `${owner}-web-1`)]).toEqual(['mine', image])
})

test('a stack cannot run another stack’s image by its ID or an ID prefix', async () => {
  const id = inspect('{{.Id}}', image)
  for (const reference of [id, id.slice(7), id.slice(7, 19)]) {
    await save(thief, using(reference))
    expect([reference, (await deploy(thief)).status]).toEqual([reference, 403])
  }
})

test('a stack cannot run or build on another stack’s build unless that is accepted', async () => {
  await save(thief, using(image))
  const refused = await deploy(thief, {}, token)
  expect([refused.status, refused.json.error]).toEqual([
    409,
    expect.stringContaining('another stack built'),
  ])
  await save(thief, building(`${thief}-web`, 'on top').replace('busybox:latest', image))
  const built = await deploy(thief, {}, token)
  expect(built.json).toMatchObject({
    status: 'failed',
    error: expect.stringContaining(`the Dockerfile uses ${image}`),
  })
  const accepted = await deploy(thief, { on_drift: 'import' })
  expect(accepted.json).toMatchObject({ status: 'succeeded', error: null })
  expect(word(thief)).toBe('on top')
})

test('reports a tag that was moved by hand, and keeps the running container', async () => {
  await save(owner, building(image, 'mine').replace('pull_policy: build', 'pull_policy: missing'))
  expect((await deploy(owner)).json.status).toBe('succeeded')
  const before = containerId(owner)
  const id = inspect('{{.Id}}', image)
  docker('tag', `${thief}-web`, image)
  const planned = await ask(operator, 'POST', `/stacks/${owner}/plan`, {})
  expect(planned.json).toMatchObject([{ action: 'drift', kind: 'image', name: image }])
  const kept = await deploy(owner)
  expect(kept.json).toMatchObject({ status: 'succeeded', steps: [] })
  expect(kept.json.warnings).toEqual([expect.stringContaining(`moved from ${id}`)])
  expect((await deploy(owner, { force_recreate: true })).status).toBe(409)
  expect(containerId(owner)).toBe(before)
  docker('tag', id, image)
  expect((await deploy(owner)).json.warnings).toEqual([])
})

test('a tag moved during a deploy fails the step, and the running container stays', async () => {
  // The container depends on one whose image takes a while to build. Its own image is resolved
  // before that.
  const slow = building(`${owner}-slow`, 'slow').replace('RUN ', `RUN ${untilReleased}; `)
  const web = using(image).replace('web:', 'joined:').replace('services:\n', '')
  const compose = slow.replace('web:', 'slow:') + web.replace('joined:', 'web:')
  await save(owner, `${compose}    network_mode: "service:slow"\n`)
  const before = containerId(owner)
  const id = inspect('{{.Id}}', image)
  const deploying = deploy(owner)
  const step = await untilHeld('echo slow')
  docker('tag', `${thief}-web`, image)
  await release(step)
  const { json } = await deploying
  expect([json.status, json.error]).toEqual([
    'failed',
    expect.stringContaining(`image ${image} now points to`),
  ])
  expect(json.error).toContain(`decided on ${id}`)
  expect([containerId(owner), word(owner)]).toEqual([before, 'mine'])
  const named = `name=${owner}-web-1`
  expect(docker('ps', '-aq', '--filter', named).split('\n')).toHaveLength(1)
})
