import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keyFiles } from '../../adapters/node/keys/key-files.ts'
import { openSigningKeys } from '../../adapters/node/keys/signing-keys.ts'
import { systemClock } from '../../adapters/node/process/clock.ts'
import { routesOf } from '../../functions/kit/manifest.ts'
import { prefix, routes } from '../../serverless.ts'
import { api, newPlace, startIn } from '../harness/service.ts'
import { startTarget, upgrade } from './attacker.ts'

const target = startTarget()

const feeds = ['logs/shop', 'stats/shop', 'exec/shop', 'events', 'stacks/shop/logs']

test('authorisation: rejects WebSocket feeds without a valid credential or permission', async () => {
  for (const feed of feeds) {
    for (const path of [`${prefix}/ws/${feed}`, `${prefix}/ws/${feed}?ticket=`]) {
      expect((await target.raw(upgrade(path))).status, path).toBe(401)
    }
    const tickets = [target.tokens.admin, 'undefined', '%00', 'a'.repeat(43)]
    for (const ticket of tickets) {
      const answer = await target.raw(upgrade(`${prefix}/ws/${feed}?ticket=${ticket}`))
      expect(answer.status, feed).toBe(401)
    }
  }
  const statusFor = async (token: string, feed: string) => {
    const headers = { Authorization: `Bearer ${token}` }
    return (await target.raw(upgrade(`${prefix}/ws/${feed}`, headers))).status
  }
  expect(await statusFor(target.tokens.viewer, 'exec/shop?cmd=id')).toBe(403)
  // With a permission there is an answer about the container, and with one of its own a feed.
  expect(await statusFor(target.tokens.admin, 'exec/shop?cmd=id')).toBe(404)
  expect(await statusFor(target.tokens.viewer, 'events')).toBe(101)
})

test('authorisation: rejects a path that ends like a file', async () => {
  for (const ending of ['.js', '.css', '.png', '.map', '.html', '/index.html', '/x.js', '?x=.js']) {
    const { status } = await target.call('GET', `/users${ending}`)
    expect([401, 404], ending).toContain(status)
  }
})

test('authorisation: rejects paths that no route names', async () => {
  const paths = ['/', '/api', prefix, `${prefix}/`, `${prefix}/admin`, '/metrics', '/debug/pprof']
  for (const path of [...paths, '/api/v2/users', '/users', '/.env', '/graphql']) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']) {
      // Leads to the explorer.
      if (method === 'GET' && path === prefix) continue
      const { status, body } = await target.raw(`${method} ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
      expect([status, Object.keys(JSON.parse(body))], `${method} ${path}`).toEqual([404, ['error']])
    }
  }
})

test('authorisation: checks every way to write a mount', async () => {
  const service = (text: string) => `services: {app: {image: busybox:latest, ${text}}}`
  const volume = (text: string) => `${service('volumes: [data:/data]')}\nvolumes: {data: ${text}}`
  const composes = [
    service('volumes: ["/:/host"]'),
    service('volumes: ["/etc:/host:ro"]'),
    service('volumes: ["../../etc:/host"]'),
    service('volumes: [{type: bind, source: /, target: /host}]'),
    service('volumes: [{type: bind, source: /var/run/docker.sock, target: /s}]'),
    service('volumes_from: ["container:other"]'),
    service('devices: ["/dev/sda:/dev/sda"]'),
    service('privileged: true'),
    service('pid: host'),
    service('cap_add: [SYS_ADMIN]'),
    service('security_opt: ["apparmor=unconfined"]'),
    volume('{driver_opts: {type: none, o: bind, device: /}}'),
    volume('{driver_opts: {type: none, o: "ro,rbind", device: /}}'),
    volume('{driver: local, driver_opts: {type: ext4, device: /dev/sda1}}'),
    `${service('configs: [c]')}\nconfigs: {c: {file: /etc/shadow}}`,
    `${service('secrets: [s]')}\nsecrets: {s: {file: /etc/shadow}}`,
    'services: {app: {build: {context: /etc}}}',
    'services: {app: {image: busybox, build: {context: ., dockerfile: /etc/passwd}}}',
  ]
  for (const compose of composes) {
    const given = { body: { name: 'mounts', compose }, token: target.tokens.operator }
    expect((await target.call('POST', '/stacks', given)).status, compose).toBe(403)
  }
  const { json } = await target.call('GET', '/stacks', { token: target.tokens.admin })
  expect(json).toEqual([])
})

test('authorisation: the handler does not run after a rejected token', async () => {
  const compose = 'services: {app: {image: busybox:latest}}'
  const body = { name: 'kept', compose }
  await target.call('POST', '/stacks', { body, token: target.tokens.admin })
  for (const token of ['a.b.c', `${target.tokens.admin}x`, '', target.tokens.viewer]) {
    const wanted = token === target.tokens.viewer ? 403 : 401
    const { status } = await target.call('DELETE', '/stacks/kept', { token: token || undefined })
    expect(status).toBe(wanted)
    const made = { body: { name: 'made', compose }, token: token || undefined }
    expect((await target.call('POST', '/stacks', made)).status).toBe(wanted)
  }
  const { json } = await target.call('GET', '/stacks', { token: target.tokens.admin })
  expect(json.map(({ name }: { name: string }) => name)).toEqual(['kept'])
  await target.call('DELETE', '/stacks/kept', { token: target.tokens.admin })
})

test('authorisation: refuses an empty list of signing keys', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'holes-keys-'))
  try {
    for (const text of ['[]', '{}', '{"keys":[]}', '']) {
      writeFileSync(join(directory, 'signing-keys.json'), text, { mode: 0o600 })
      const opened = openSigningKeys(keyFiles(directory), systemClock).then((keys) =>
        keys.current(),
      )
      await expect(opened, text).rejects.toThrow()
    }
  } finally {
    rmSync(directory, { recursive: true })
  }
})

test('authorisation: rejects calls before the set-up, and a set-up without a secret', async () => {
  const place = newPlace({ SERVICE_SETUP_SECRET: '' })
  try {
    const running = await startIn(place)
    const body = { username: 'eve', password: 'correct horse battery' }
    for (const secret of [undefined, null, '', ' ', 0, false, [], {}, 'undefined', 'null', '%']) {
      const { status } = await api(running, 'POST', '/setup', { body: { ...body, secret } })
      expect([400, 403], String(secret)).toContain(status)
    }
    for (const { method, path, load } of routesOf(routes)) {
      const { access } = (await load()).default.facts
      if (access === 'public') continue
      const filled = path.replace(/\{\w+\}/g, '0')
      expect((await api(running, method, filled)).status, `${method} ${path}`).toBe(401)
    }
    const login = { username: 'admin', password: 'admin' }
    expect((await api(running, 'POST', '/auth/login', { body: login })).status).toBe(401)
  } finally {
    await place.remove()
  }
  const secret = target.place.env.SERVICE_SETUP_SECRET
  const body = { secret, username: 'eve', password: 'correct horse battery' }
  expect((await target.call('POST', '/setup', { body })).status).toBe(404)
})

test('agents: rejects a connection without an identity', async () => {
  for (const token of [undefined, null, '', 'null', '0'.repeat(43), target.tokens.admin]) {
    const body = { token, csr: '', agent_version: '0', hostname: 'eve' }
    const { status } = await target.call('POST', '/agents/enroll', { body })
    expect([400, 401, 403, 404], String(token)).toContain(status)
  }
})
