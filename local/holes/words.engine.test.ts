import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unpack } from '../../functions/core/bundle/unpack.ts'
import { Failure } from '../../functions/core/errors.ts'
import { archiveOf, type Entry } from '../harness/bundle.ts'
import { unique } from '../harness/unique.ts'
import { startTarget } from './attacker.ts'

const target = startTarget()

const save = (body: object, token = target.tokens.operator) =>
  target.call('POST', '/stacks', { body, token })

test('a shell: names, labels, volumes and commands with shell characters run nothing', async () => {
  const mark = join(target.place.directory, 'pwned')
  const words = [`;touch ${mark}`, `$(touch ${mark})`, `\`touch ${mark}\``, `|touch ${mark}`]
  for (const name of [...words, `-o=${mark}`, '--privileged', '../../x', 'a b', 'a\nb']) {
    expect((await save({ name, compose: 'services: {}' })).status, name).toBe(400)
  }
  for (const word of words) {
    const quoted = JSON.stringify(word.replaceAll('$', '$$'))
    const named = `services: {${quoted}: {image: busybox:latest}}`
    expect([400, 403, 422], word).toContain((await save({ name: 'named', compose: named })).status)
    const volume = `services: {app: {image: busybox:latest}}\nvolumes: {${quoted}: {}}`
    expect([400, 403, 422], word).toContain((await save({ name: 'named', compose: volume })).status)
  }
  const text = words.join(' ').replaceAll('$', '$$')
  const name = unique('wa-holes')
  const app = {
    image: 'busybox:latest',
    command: ['echo', text],
    labels: { note: text },
    environment: { NOTE: text },
    hostname: 'plain',
  }
  try {
    const compose = JSON.stringify({ services: { app } })
    expect((await save({ name, compose })).status).toBe(201)
    const deploy = { body: {}, token: target.tokens.operator }
    const { json } = await target.call('POST', `/stacks/${name}/deploy`, deploy)
    expect([json.status, json.error]).toEqual(['succeeded', null])
    const logs = await target.call('GET', `/stacks/${name}/logs`, { token: target.tokens.operator })
    expect(JSON.stringify(logs.json)).toContain(JSON.stringify(words.join(' ')).slice(1, -1))
    expect(readdirSync(target.place.directory)).not.toContain('pwned')
  } finally {
    await target.call('DELETE', `/stacks/${name}`, { token: target.tokens.operator })
  }
})

test('paths: rejects a compose file that names files of the server', async () => {
  const secret = /root:.*:0:0|SERVICE_SETUP_SECRET/
  const composes = [
    'include: [/etc/passwd]',
    'include: [../../../../etc/passwd]',
    'include: [{path: a.yaml, env_file: /etc/passwd}]',
    'include: [{path: a.yaml, project_directory: /etc}]',
    'services: {app: {image: busybox, env_file: /etc/passwd}}',
    'services: {app: {image: busybox, label_file: /etc/passwd}}',
    'services: {app: {extends: {file: /etc/passwd, service: root}}}',
    'services: {app: {extends: {file: ../other/compose.yaml, service: web}}}',
    'include: ["https://example.org/compose.yaml"]',
    'include: ["oci://example.org/compose"]',
    'include: ["git@example.org:a/b.git"]',
  ]
  for (const compose of composes) {
    for (const token of [target.tokens.operator, target.tokens.admin]) {
      const { status, json } = await save({ name: 'reader', compose }, token)
      expect([400, 403, 422], compose).toContain(status)
      expect(json.error).not.toMatch(secret)
    }
  }
  const optional = 'env_file: [{path: /proc/self/environ, required: false}]'
  const compose = `services: {app: {image: busybox, ${optional}}}`
  expect((await save({ name: 'reader', compose })).status).toBe(403)
  const environment = 'environment: [SERVICE_SETUP_SECRET, HOME]'
  const shown = `services: {app: {image: busybox, ${optional}, ${environment}}}`
  expect((await save({ name: 'shown', compose: shown }, target.tokens.admin)).status).toBe(201)
  const path = '/stacks/shown/plan'
  const { json } = await target.call('POST', path, { body: {}, token: target.tokens.admin })
  expect(JSON.stringify(json)).not.toContain(target.place.env.SERVICE_SETUP_SECRET)
})

async function* parts(bytes: Uint8Array) {
  yield bytes
}

test.each<[string, Entry[]]>([
  ['a symbolic link', [[{ name: 'a', type: 'symlink', linkname: '/etc/passwd' }]]],
  ['a hard link', [[{ name: 'a', type: 'link', linkname: '/etc/passwd' }]]],
  ['a path that leads up', [[{ name: '../a' }, 'x']]],
  ['an absolute path', [[{ name: '/etc/a' }, 'x']]],
  ['a device', [[{ name: 'a', type: 'character-device' }]]],
  ['a set-user-id bit', [[{ name: 'a', mode: 0o4755 }, 'x']]],
  [
    'a path twice',
    [
      [{ name: 'a' }, 'x'],
      [{ name: './a' }, 'y'],
    ],
  ],
])('archives: %s', async (_name, entries) => {
  const bytes = await archiveOf([[{ name: 'compose.yaml' }, 'services: {}'], ...entries])
  const read = async () => {
    const limits = { unpackedMax: 1 << 20, entriesMax: 100, links: false }
    for await (const entry of unpack(parts(bytes), limits)) for await (const _ of entry.content);
  }
  await expect(read()).rejects.toBeInstanceOf(Failure)
})

test('paths: a container ID leads nowhere else in the Engine’s API', async () => {
  const ids = [
    '..%2f..%2fversion',
    '%2e%2e',
    'a%3fall=1',
    'a%2fexec',
    'a%23',
    '%00',
    '..;',
    'a%0d%0a',
  ]
  for (const id of ids) {
    for (const [method, end] of [
      ['GET', ''],
      ['GET', '/logs'],
      ['POST', '/start'],
      ['POST', '/kill'],
    ]) {
      const lines = `Host: a\r\nAuthorization: Bearer ${target.tokens.admin}\r\n`
      const line = `${method} /api/v1/containers/${id}${end} HTTP/1.1`
      const { status, body } = await target.raw(`${line}\r\n${lines}\r\n`)
      expect([400, 404], line).toContain(status)
      expect(body).not.toMatch(/ApiVersion|GoVersion/)
    }
  }
})

test('SSRF: the service fetches no URL from a request', async () => {
  const { status } = await target.raw(
    'GET http://169.254.169.254/latest/meta-data/ HTTP/1.1\r\nHost: 169.254.169.254\r\n\r\n',
  )
  expect(status).toBe(404)
  const connect = 'CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: 127.0.0.1:22\r\n\r\n'
  expect((await target.raw(connect)).status).toBeGreaterThanOrEqual(400)
  const asked: string[] = []
  const inside = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end('services: {app: {image: busybox}}')
  })
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(inside.address() as AddressInfo).port}`
  try {
    const composes = [
      `include: ["${url}/a.yaml"]`,
      `services: {app: {extends: {file: "${url}/b.yaml", service: app}}}`,
      `services: {app: {image: busybox, env_file: "${url}/c.env"}}`,
      `services: {app: {build: {context: "${url}/d.tar"}}}`,
      `services: {app: {image: busybox}}\nconfigs: {c: {file: "${url}/e"}}`,
    ]
    for (const compose of composes) {
      for (const token of [target.tokens.operator, target.tokens.admin]) {
        await save({ name: 'fetch', compose }, token)
        await target.call('POST', '/stacks/fetch/plan', { body: {}, token })
      }
    }
    const { port } = inside.address() as AddressInfo
    const mail = { kind: 'smtp', port, from: 'a@b.c', to: ['a@b.c'] }
    const channels = [
      ...['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0'].map(
        (host) => ({ kind: 'slack', url: `http://${host}:${port}/` }),
      ),
      { kind: 'ntfy', topic: 't', server: url },
      { kind: 'gotify', token: 't', server: url },
      { kind: 'apprise', key: 'k', server: url },
      { kind: 'teams', url },
      ...['127.0.0.1', 'localhost', '::1'].map((host) => ({ ...mail, host })),
    ]
    for (const channel of channels) {
      const body = { name: 'inside', ...channel }
      const sent = { body, token: target.tokens.admin }
      const { status } = await target.call('POST', '/alert-channels', sent)
      expect(status, JSON.stringify(channel)).toBe(400)
    }
    expect(asked).toEqual([])
  } finally {
    inside.close()
  }
})
