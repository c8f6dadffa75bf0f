import { afterAll, beforeAll, expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import { freePort } from '../harness/free-port.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import { api, cli, newPlace, type Running, setUpAdmin, startIn } from '../harness/service.ts'
import { unique } from '../harness/unique.ts'

const place = newPlace()
const { password } = place
const prefix = unique('people')
const tagged = `${prefix}tagged:1`
let running: Running
let admin: string
let olga: string
let otto: string

beforeAll(async () => {
  docker('tag', 'busybox:latest', tagged)
  running = await startIn(place)
  admin = await setUpAdmin(place, running)
  olga = (await join('olga')).token
  otto = (await join('otto')).token
})
afterAll(async () => {
  await place.remove()
  await removeFromEngine(prefix)
  docker('rmi', tagged)
})

const ask = (token: string, method: string, path: string, body?: unknown) =>
  api(running, method, path, { token, body })

/** Returns the body of an answer that must have this status. */
async function done(status: number, ...words: Parameters<typeof ask>) {
  const answer = await ask(...words)
  expect(answer.status, JSON.stringify(answer.json)).toBe(status)
  return answer.json
}

/** Adds an operator, or a user with only these permissions. Returns the token of a session too. */
async function join(username: string, permissions?: string[]) {
  const role = permissions ? `only-${username}` : 'operator'
  if (permissions) await done(201, admin, 'POST', '/roles', { name: role, permissions })
  const { id } = await done(201, admin, 'POST', '/users', { username, password, role })
  const { json } = await api(running, 'POST', '/auth/login', { body: { username, password } })
  return { id: id as string, token: json.access_token as string }
}

/** Runs the client with the rights of a token. */
const client = (token: string, ...words: string[]) =>
  cli(place, [...words, '--server', running.url, '--token', token])

const sleeping = (lines: string[], volumes = 'data: ') => `services:
  web:
    image: busybox:latest
    command: sleep 3600
    init: true
${lines.map((line) => `    ${line}\n`).join('')}volumes: {${volumes}}
`
const mounts = 'volumes: ["data:/data"]'
const create = (token: string, name: string, compose = sleeping([mounts])) =>
  done(201, token, 'POST', '/stacks', { name, compose })
const deploy = (token: string, name: string, body: object = {}) =>
  ask(token, 'POST', `/stacks/${name}/deploy`, body)
const succeeded = { status: 200, json: { status: 'succeeded', error: null } }

/** Returns the rows of a plan that a deploy must accept. */
const references = async (token: string, name: string) =>
  (await done(200, token, 'POST', `/stacks/${name}/plan`, {})).filter(
    (row: { kind: string }) => row.kind === 'reference',
  )

/** Expects that a job does not run, for this reason, until Otto has taken it over. */
async function expectTakeover(id: string, name: string, reason: string) {
  const runs = () => done(200, admin, 'GET', '/backup-runs')
  const before = await runs()
  const { status, headers, json } = await ask(otto, 'POST', `/backup-jobs/${id}/run`)
  expect([status, headers.get('x-error-reason')]).toEqual([409, 'blocked'])
  expect(json.error).toContain(`backup job ${name} is blocked: ${reason};`)
  const refused = await client(otto, 'backups', 'run', name)
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(reason)])
  expect(await runs()).toEqual(before)
  expect(await client(otto, 'backups', 'take-over', name)).toMatchObject({ code: 0 })
  expect(await client(otto, 'backups', 'run', name)).toMatchObject({ code: 0 })
  const [run, ...others] = await runs()
  expect([run, others]).toMatchObject([{ job_id: id, status: 'succeeded', by: 'otto' }, before])
}

test('what its writer may not use is deployed only after a yes by name', async () => {
  const [name, volume] = [`${prefix}media`, `${prefix}films`]
  docker('volume', 'create', volume)
  const films = `films: {name: ${volume}, external: true}`
  await create(olga, name, sleeping(['volumes: ["films:/films"]'], films))
  expect((await deploy(olga, name)).status).toBe(403)
  const reason = expect.stringMatching(/no stack created it.*; saved by olga, who may not use it$/)
  expect(await references(admin, name)).toMatchObject([{ name: `volume:${volume}`, reason }])
  const session = await join('ci', ['stacks:read', 'stacks:deploy', 'stacks:privileged'])
  const body = { name: 'ci', password }
  const { token: ci } = await done(201, session.token, 'POST', '/api-tokens', body)
  await done(403, ci, 'POST', '/api-tokens', body)
  for (const token of [admin, ci]) {
    const { status, headers } = await deploy(token, name)
    expect([status, headers.get('x-error-reason')]).toEqual([409, 'references-not-accepted'])
  }
  const asked = await client(ci, 'stacks', 'deploy', name)
  expect([asked.code, asked.stderr]).toEqual([1, expect.stringContaining('--accept-references')])
  const containers = () => docker('ps', '-a', '--filter', `name=${name}`, '--format={{.Names}}')
  expect(containers()).toBe('')
  const yes = ['--accept-references', `volume:${volume}`]
  expect(await client(ci, 'stacks', 'deploy', name, ...yes)).toMatchObject({ code: 0 })
  expect(containers()).toBe(`${name}-web-1`)
  expect(await references(admin, name)).toEqual([])
  expect(await deploy(admin, name, { force_recreate: true })).toMatchObject(succeeded)
  expect(await client(ci, 'stacks', 'deploy', name)).toMatchObject({ code: 0 })
})

test('commands that a writer plants do not run in the container of an admin', async () => {
  const name = `${prefix}root`
  const hook = (kind: string, who: string) =>
    `${kind}: [{command: [sh, -c, "echo ${who} ${kind} >> /data/ran"]}]`
  const hooks = (who: string) => [mounts, hook('post_start', who), hook('pre_stop', who)]
  // It controls the host like `privileged`, which an Engine in a container cannot start.
  await create(admin, name, sleeping(['pid: host', ...hooks('own')]))
  expect(await deploy(admin, name)).toMatchObject(succeeded)
  const { token: mara } = await join('mara', ['stacks:read', 'stacks:update', 'stacks:deploy'])
  await done(200, mara, 'PUT', `/stacks/${name}`, { compose: sleeping(hooks('planted')) })
  expect(await client(mara, 'stacks', 'restart', name)).toMatchObject({ code: 0 })
  await done(200, admin, 'POST', `/stacks/${name}/restart`, {})
  expect(docker('inspect', '-f', '{{.HostConfig.PidMode}}', `${name}-web-1`)).toBe('host')
  expect(await client(admin, 'stacks', 'stop', name)).toMatchObject({ code: 0 })
  const ran = docker('run', '--rm', '-v', `${name}_data:/d`, 'busybox:latest', 'cat', '/d/ran')
  expect(ran).toBe('own post_start\nown pre_stop\n'.repeat(3).trim())
})

test('a backup job stops with its author or its stack until others save it', async () => {
  const name = `${prefix}shop`
  const lena = await join('lena')
  await create(lena.token, name)
  expect(await deploy(lena.token, name)).toMatchObject(succeeded)
  const body = { name, sources: [{ kind: 'stack', name }], target: { kind: 'local', path: 'nas' } }
  const { id } = await done(201, lena.token, 'POST', '/backup-jobs', body)
  await done(204, admin, 'DELETE', `/users/${lena.id}`)
  await expectTakeover(id, name, 'account lena was deleted')
  await done(204, otto, 'DELETE', `/stacks/${name}?volumes=true`)
  await create(olga, name)
  expect(await deploy(olga, name)).toMatchObject(succeeded)
  await expectTakeover(id, name, `stack ${name} was deleted and created again`)
})

test('three operators edit and deploy one stack, and none is asked or refused', async () => {
  const name = `${prefix}team`
  const port = await freePort()
  await create(olga, name)
  const team = [olga, otto, (await join('ida')).token]
  for (const [index, writer] of team.entries()) {
    const [one = '', other = ''] = team.filter((token) => token !== writer)
    const image = index === 1 ? tagged : 'busybox:latest'
    const word = `${name}page${index}`
    const compose = sleeping([`ports: ["127.0.0.1:${port}:80"]`, mounts], `data: {name: ${word}}`)
      .replace('busybox:latest', image)
      .replace('sleep 3600', `sh -c 'echo ${word} > /data/a; exec httpd -f -h /data'`)
    await done(200, writer, 'PUT', `/stacks/${name}`, { compose })
    expect(await references(one, name)).toEqual([])
    expect(await client(one, 'stacks', 'deploy', name)).toMatchObject({ code: 0 })
    expect(await deploy(other, name, { force_recreate: true })).toMatchObject(succeeded)
    const page = () => fetch(`http://127.0.0.1:${port}/a`).then((answer) => answer.text(), String)
    await expect.poll(page).toBe(`${word}\n`)
    expect(docker('inspect', '-f', '{{.Config.Image}}', `${name}-web-1`)).toBe(image)
  }
})
