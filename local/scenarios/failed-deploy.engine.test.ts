import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import { api, newPlace, type Running, setUpAdmin, startIn } from '../harness/service.ts'
import { unique } from '../harness/unique.ts'

const place = newPlace()
const name = unique('fails')
let running: Running
let token: string

const life = (container: string) =>
  execFileSync(
    'docker',
    ['inspect', '--format', '{{.Id}} {{.State.StartedAt}} {{.State.Running}}', container],
    { encoding: 'utf8' },
  ).trim()
const lives = () => ['db', 'web', 'other'].map((service) => life(`${name}-${service}-1`))

/** Returns a file with three services that run, with additional lines for some. */
const compose = (more: Record<string, string> = {}) =>
  `services:\n${['db', 'web', 'other']
    .map((service) => {
      const own = {
        image: 'busybox:latest',
        command: 'sleep 3600',
        init: 'true',
        ...linesOf(more[service]),
      }
      const lines = Object.entries(own).map(([key, value]) => `    ${key}: ${value}\n`)
      return `  ${service}:\n${lines.join('')}`
    })
    .join('')}`
const linesOf = (text = '') =>
  Object.fromEntries(text.split('\n').flatMap((line) => (line ? [line.split(': ')] : [])))

const deploy = async (text: string) => {
  await api(running, 'PUT', `/stacks/${name}`, { token, body: { compose: text } })
  const { json } = await api(running, 'POST', `/stacks/${name}/deploy`, { token, body: {} })
  return json
}

beforeAll(async () => {
  running = await startIn(place)
  token = await setUpAdmin(place, running)
  await api(running, 'POST', '/stacks', { token, body: { name, compose: compose() } })
})

beforeEach(async () => {
  expect(await deploy(compose())).toMatchObject({ status: 'succeeded' })
})

afterAll(async () => {
  await api(running, 'DELETE', `/stacks/${name}?volumes=true`, { token })
  await place.remove()
})

test('an image that cannot be pulled leaves every container unchanged', async () => {
  const before = lives()
  const image = 'image: 127.0.0.1:1/none:1'
  const failed = await deploy(compose({ web: image, db: 'hostname: changed' }))
  expect(failed).toMatchObject({ status: 'failed', error: expect.stringContaining('127.0.0.1:1') })
  expect(lives()).toEqual(before)
})

test('a first deploy whose image cannot be pulled leaves nothing on the host', async () => {
  const first = `${name}first`
  const text = 'services: {db: {image: busybox}, web: {image: "127.0.0.1:1/none:1"}}'
  await api(running, 'POST', '/stacks', { token, body: { name: first, compose: text } })
  const { json } = await api(running, 'POST', `/stacks/${first}/deploy`, { token, body: {} })
  expect(json).toMatchObject({ status: 'failed', error: expect.stringContaining('127.0.0.1:1') })
  const filter = ['--filter', `label=com.docker.compose.project=${first}`, '-q']
  expect([docker('ps', '-a', ...filter), docker('network', 'ls', ...filter)]).toEqual(['', ''])
})

test('a container that cannot be created leaves the one it would replace', async () => {
  const [db, web, other] = lives()
  const failed = await deploy(compose({ web: 'runtime: none-such', db: 'hostname: changed' }))
  expect(failed).toMatchObject({ status: 'failed', error: expect.stringContaining('none-such') })
  const after = lives()
  expect(after.slice(1)).toEqual([web, other])
  expect(after[0]).not.toBe(db)
  expect(after[0]).toMatch(/ true$/)
})

test('a container that cannot be started leaves the other services running', async () => {
  const [db, , other] = lives()
  const failed = await deploy(compose({ web: 'entrypoint: ["/none-such"]\ninit: false' }))
  expect(failed).toMatchObject({ status: 'failed', error: expect.stringContaining('service web') })
  const [dbAfter, , otherAfter] = lives()
  expect([dbAfter, otherAfter]).toEqual([db, other])
})

test('an orphan stays if the image of its replacement cannot be pulled', async () => {
  const [, web] = lives()
  const text = compose().replace(
    '  web:\n    image: busybox:latest',
    '  site:\n    image: 127.0.0.1:1/none:1',
  )
  await api(running, 'PUT', `/stacks/${name}`, { token, body: { compose: text } })
  const body = { remove_orphans: true }
  const { json } = await api(running, 'POST', `/stacks/${name}/deploy`, { token, body })
  expect(json).toMatchObject({ status: 'failed' })
  expect(life(`${name}-web-1`)).toBe(web)
})
