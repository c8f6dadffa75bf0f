import { expect, test } from 'vitest'
import { alertEvent } from '../../adapters/testing/contract/samples.ts'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenRole } from '../../local/harness/roles.ts'
import create from './create.ts'
import get from './get.ts'
import list from './list.ts'
import remove from './remove.ts'
import tryOut from './test.ts'
import update from './update.ts'

const webhook = {
  name: 'Ops',
  kind: 'webhook',
  url: 'https://hooks.example.org/in?token=abc',
  secret: 'the secret',
}
const kinds = {
  webhook,
  slack: { name: 'S', kind: 'slack', url: 'https://hooks.slack.example/T0/B0/zzz' },
  discord: { name: 'D', kind: 'discord', url: 'http://192.168.1.4:8080/api/zzz' },
  ntfy: {
    name: 'N',
    kind: 'ntfy',
    server: 'https://ntfy.example.org',
    topic: 'zzz',
    token: 'tk_z',
  },
  teams: { name: 'T', kind: 'teams', url: 'https://example.logic.azure.com/workflows/w?sig=zzz' },
  gotify: { name: 'G', kind: 'gotify', server: 'http://192.168.1.4:8080', token: 'tk_z' },
  telegram: {
    name: 'Te',
    kind: 'telegram',
    server: 'https://api.telegram.org',
    token: '123456:zzz',
    chat: '-1001234567890',
    thread: 7,
  },
  pushover: {
    name: 'P',
    kind: 'pushover',
    token: 'zzz'.repeat(10),
    user: `zzz${'u'.repeat(27)}`,
    device: 'phone,tablet',
  },
  matrix: {
    name: 'Ma',
    kind: 'matrix',
    server: 'https://matrix.example.org',
    room: '!abc:example.org',
    token: 'zzz',
  },
  apprise: {
    name: 'A',
    kind: 'apprise',
    server: 'http://192.168.1.4:8000',
    key: 'zzz',
    tag: 'ops',
  },
  smtp: {
    name: 'M',
    kind: 'smtp',
    host: 'mail.example.org',
    port: 465,
    security: 'tls',
    username: 'ops',
    password: 'zzz',
    from: 'a@example.org',
    to: ['b@example.org'],
  },
}
const hidden = /zzz|tk_z|token=abc|the secret/
const limited = { username: 'lab', role: 'admin', scopeTags: ['lab'] }

async function withOne(body: object = webhook) {
  const ports = memoryPorts()
  const made = await call(create, { ports, as: 'admin', body })
  expect(made.status, made.text).toBe(201)
  return { ports, made, path: { id: made.json.id as string } }
}

test.each(Object.values(kinds))(
  '201: creates a channel of kind $kind and never returns its secrets',
  async (body) => {
    const { ports, made } = await withOne(body)
    expect(made.json).toMatchObject({ name: body.name, kind: body.kind, last_delivery: null })
    expect(made.json.secrets.length).toBeGreaterThan(0)
    const listed = await call(list, { ports, as: 'viewer' })
    expect(listed.json).toEqual([made.json])
    const got = await call(get, { ports, as: 'viewer', path: { id: made.json.id } })
    expect(got.json).toEqual(made.json)
    expect(made.text + listed.text + got.text).not.toMatch(hidden)
    const sent = Object.entries(body).filter(([field]) => !made.json.secrets.includes(field))
    expect(made.json).toMatchObject(Object.fromEntries(sent))
    const { name: _, ...target } = body
    expect(await ports.alertChannels.find(made.json.id)).toMatchObject({ target })
  },
)

test('400: names the invalid field', async () => {
  const wrong: [object, string][] = [
    [{ ...webhook, secret: '' }, 'body.secret'],
    [{ ...webhook, secret: '  ' }, 'body.secret'],
    [{ ...webhook, secret: undefined }, 'body.secret'],
    [{ ...webhook, url: 'ftp://example.org/' }, 'body.url'],
    [{ ...webhook, url: 'https://user:pass@example.org/' }, 'body.url'],
    [{ ...webhook, url: 'http://localhost/' }, 'body.url: localhost resolves to a loopback'],
    [{ ...webhook, url: 'http://2130706433/' }, 'body.url: 127.0.0.1 is a loopback'],
    [{ ...webhook, url: 'http://169.254.169.254/latest' }, 'is a link-local address'],
    [{ ...webhook, url: 'http://[::ffff:10.0.0.1]/' }, 'IPv4'],
    [{ ...webhook, topic: 'x' }, 'unknown field "topic"'],
    [{ ...webhook, name: 'a\nb' }, 'body.name'],
    [{ name: 'x', kind: 'pager' }, 'body.kind'],
    [{ ...kinds.ntfy, topic: '../x' }, 'body.topic'],
    [{ ...kinds.ntfy, token: 'a\r\nX-Evil: 1' }, 'body.token'],
    [{ ...kinds.ntfy, server: 'http://127.1/' }, 'body.server'],
    [{ ...kinds.ntfy, server: 'https://ntfy.example.org/?x=1' }, 'body.server'],
    [{ ...kinds.gotify, server: 'http://127.0.0.1:80' }, 'body.server: 127.0.0.1 is a loopback'],
    [{ ...kinds.gotify, token: undefined }, 'body.token'],
    [{ ...kinds.telegram, token: '1:a/../b' }, 'body.token'],
    [{ ...kinds.telegram, chat: 'ops' }, 'body.chat'],
    [{ ...kinds.telegram, thread: 0 }, 'body.thread'],
    [{ ...kinds.telegram, server: 'http://localhost' }, 'body.server: localhost resolves to a'],
    [{ ...kinds.pushover, user: 'short' }, 'body.user'],
    [{ ...kinds.pushover, device: 'a b' }, 'body.device'],
    [{ ...kinds.teams, url: 'https://[::1]/' }, 'body.url'],
    [
      { ...kinds.matrix, server: 'http://matrix.example.org' },
      'body.server: must begin with https',
    ],
    [{ ...kinds.matrix, server: 'https://127.0.0.1' }, 'body.server: 127.0.0.1 is a loopback'],
    [{ ...kinds.matrix, room: '#ops:example.org' }, 'body.room'],
    [{ ...kinds.apprise, urls: 'tgram://1:a/2' }, 'body.key: must be given, or `urls`'],
    [{ ...kinds.apprise, key: null }, 'body.key: must be given, or `urls`'],
    [{ ...kinds.apprise, key: '../add/x' }, 'body.key'],
    [{ ...kinds.apprise, key: null, urls: 'not a url' }, 'body.urls'],
    [{ ...kinds.smtp, host: 'localhost' }, 'body.host'],
    [{ ...kinds.smtp, host: 'a b' }, 'body.host'],
    [{ ...kinds.smtp, from: 'a@b.c\r\nBcc: d@e.f' }, 'body.from'],
    [{ ...kinds.smtp, from: 'Ada <a@b.c>' }, 'body.from'],
    [{ ...kinds.smtp, to: [] }, 'body.to'],
    [{ ...kinds.smtp, to: ['a@b.c, d@e.f'] }, 'body.to[0]'],
  ]
  for (const [body, text] of wrong) {
    const answer = await call(create, { as: 'admin', body })
    expect(answer.status, JSON.stringify(body)).toBe(400)
    expect(answer.json.error).toContain(text)
  }
})

test('200: keeps omitted fields, including secrets', async () => {
  const { ports, path } = await withOne()
  const changed = await call(update, { ports, as: 'admin', path, body: { name: 'Other' } })
  expect(changed.json).toMatchObject({ name: 'Other', secrets: ['url', 'secret'] })
  const body = { secret: 'another' }
  expect((await call(update, { ports, as: 'admin', path, body })).status).toBe(200)
  expect(await ports.alertChannels.find(path.id)).toMatchObject({
    name: 'Other',
    target: { url: webhook.url, secret: 'another' },
  })
})

test('400: rejects another kind, a field of another kind, or a new target without its password', async () => {
  const { ports, path } = await withOne(kinds.smtp)
  const wrong: [object, string][] = [
    [{ kind: 'slack' }, 'body.kind'],
    [{ url: 'https://example.org/' }, 'body.url: a channel of kind smtp does not have this field'],
    [{ host: 'evil.example.org' }, 'body.password: is required to change "host"'],
    [{ security: 'none' }, 'body.password: is required to change "security"'],
    [{ port: 99_999 }, 'body.port'],
    [{ to: [] }, 'body.to'],
    [{ host: '127.0.0.1', password: 'x' }, 'loopback'],
  ]
  for (const [body, text] of wrong) {
    const answer = await call(update, { ports, as: 'admin', path, body })
    expect(answer.status, JSON.stringify(body)).toBe(400)
    expect(answer.json.error).toContain(text)
  }
  const body = { host: 'new.example.org', password: 'new' }
  expect((await call(update, { ports, as: 'admin', path, body })).status).toBe(200)
})

const moves: [keyof typeof kinds, string, Record<string, unknown>][] = [
  ['webhook', 'secret', { url: 'https://evil.example.org/' }],
  ['webhook', 'secret', { url: 'https://hooks.example.org/in?token=other' }],
  ['ntfy', 'topic', { server: 'https://evil.example.org', token: 'evil' }],
  ['ntfy', 'token', { server: 'https://evil.example.org', topic: 'evil' }],
  ['ntfy', 'token', { topic: 'evil' }],
  ['gotify', 'token', { server: 'https://evil.example.org' }],
  ['telegram', 'token', { server: 'https://evil.example.org' }],
  ['telegram', 'token', { chat: '@evil' }],
  ['telegram', 'token', { thread: null }],
  ['pushover', 'token', { user: 'e'.repeat(30) }],
  ['pushover', 'token', { device: null }],
  ['matrix', 'token', { server: 'https://evil.example.org' }],
  ['matrix', 'token', { room: '!evil:example.org' }],
  ['apprise', 'key', { server: 'https://evil.example.org' }],
  ['apprise', 'key', { tag: null }],
  ['smtp', 'password', { to: ['b@example.org', 'victim@example.net'] }],
  ['smtp', 'password', { to: ['victim@example.net'] }],
  ['smtp', 'password', { from: 'boss@example.org' }],
  ['smtp', 'password', { username: 'other' }],
  ['smtp', 'password', { username: null, to: ['victim@example.net'] }],
]

/** Where a secret has a form of its own. */
const givenAgain: Partial<Record<keyof typeof kinds, string>> = {
  telegram: '7:again',
  pushover: 'r'.repeat(30),
}

test.each(moves)('400: a stored secret of %s serves no other target: %s, %j', async (...given) => {
  const [kind, secret, body] = given
  const { ports, path } = await withOne(kinds[kind])
  const before = await ports.alertChannels.find(path.id)
  const answer = await call(update, { ports, as: 'admin', path, body })
  expect([answer.status, answer.json.error]).toEqual([
    400,
    expect.stringMatching(
      `^body.${secret}: is required to change "(${Object.keys(body).join('|')})"`,
    ),
  ])
  expect(await ports.alertChannels.find(path.id)).toEqual(before)
  const again = { ...body, [secret]: givenAgain[kind] ?? 'given-again' }
  expect((await call(update, { ports, as: 'admin', path, body: again })).status).toBe(200)
})

test('200: without the secret, a target without one changes and a recipient is removed', async () => {
  const to = ['b@example.org', 'c@example.org']
  const mail = await withOne({ ...kinds.smtp, to })
  const change = (ports: typeof mail.ports, path: { id: string }, body: object) =>
    call(update, { ports, as: 'admin', path, body })
  const whole = { ...kinds.smtp, kind: undefined, password: undefined, to: ['c@example.org'] }
  const storedIn = async ({ ports, path }: Pick<typeof mail, 'ports' | 'path'>) =>
    (await ports.alertChannels.find(path.id))?.target
  expect((await change(mail.ports, mail.path, whole)).status).toBe(200)
  expect((await change(mail.ports, mail.path, { to })).status).toBe(400)
  expect(await storedIn(mail)).toMatchObject({ to: ['c@example.org'], password: 'zzz' })
  const open = await withOne({ ...kinds.smtp, username: null, password: null })
  expect((await change(open.ports, open.path, { to, from: 'c@example.org' })).status).toBe(200)
  expect(await storedIn(open)).toMatchObject({ to, from: 'c@example.org' })
  const topic = await withOne({ ...kinds.ntfy, token: null })
  expect((await change(topic.ports, topic.path, { topic: 'other' })).status).toBe(200)
  expect(await storedIn(topic)).toMatchObject({ topic: 'other' })
  const elsewhere = await change(topic.ports, topic.path, { server: 'https://evil.example.org' })
  expect([elsewhere.status, elsewhere.json.error]).toEqual([
    400,
    'body.topic: is required to change "server"',
  ])
  const slack = await withOne(kinds.slack)
  const url = 'https://hooks.slack.example/T0/B0/other'
  expect((await change(slack.ports, slack.path, { url })).status).toBe(200)
  expect(await storedIn(slack)).toEqual({ kind: 'slack', url })
})

test('200: an Apprise channel changes from a key to URLs and back', async () => {
  const { ports, path } = await withOne(kinds.apprise)
  const change = (body: object) => call(update, { ports, as: 'admin', path, body })
  const urls = 'tgram://1:zzz/2, mailto://a:zzz@example.org'
  expect((await change({ urls })).status).toBe(400)
  const changed = await change({ urls, key: null })
  expect([changed.status, changed.json.secrets]).toEqual([200, ['urls']])
  expect(changed.text).not.toMatch(hidden)
  const moved = await change({ server: 'https://evil.example.org' })
  expect([moved.status, moved.json.error]).toEqual([
    400,
    expect.stringMatching(/^body.urls: is required to change "server"/),
  ])
  expect((await change({ key: 'zzz', urls: null })).json.secrets).toEqual(['key'])
})

test('200: a test returns the outcome of the delivery', async () => {
  const { ports, path } = await withOne()
  const good = await call(tryOut, { ports, as: 'admin', path })
  expect(good.json).toEqual({ ok: true, status: 200, error: null, answer: null })
  expect(ports.alertSender.sent).toMatchObject([
    {
      target: { url: webhook.url },
      notice: {
        title: 'Test of the channel Ops',
        state: 'test',
        link: 'https://stacks.example.org/alerts',
      },
    },
  ])
  ports.alertSender.answer = () => ({
    ok: false,
    status: 500,
    error: 'responded with 500',
    retryAfter: null,
  })
  const bad = await call(tryOut, { ports, as: 'admin', path })
  expect(bad.json).toEqual({ ok: false, status: 500, error: 'responded with 500', answer: null })
  ports.alertSender.answer = () => ({
    ok: false,
    status: 401,
    error: 'responded with 401',
    retryAfter: null,
    answer: 'the token is wrong',
  })
  const refused = await call(tryOut, { ports, as: 'admin', path })
  expect(refused.json).toMatchObject({ ok: false, answer: 'the token is wrong' })
})

test('200: the list shows the outcome of deliveries', async () => {
  const { ports, path } = await withOne()
  await ports.alertDeliveries.add(alertEvent('e1'), [path.id])
  const claimed = present(await ports.alertDeliveries.claim(`e1.${path.id}`, 1000))
  await ports.alertDeliveries.recordAttempt(claimed, { state: 'dead', error: 'responded with 500' })
  const [shown] = (await call(list, { ports, as: 'viewer' })).json
  expect(shown).toMatchObject({
    dead_letters: 1,
    last_delivery: { state: 'dead', error: 'responded with 500' },
  })
  expect((await call(get, { ports, as: limited, path })).json).toEqual(shown)
})

test('204: deletes a channel and its pending deliveries', async () => {
  const { ports, path } = await withOne()
  await ports.alertDeliveries.add(alertEvent('e1'), [path.id])
  expect((await call(remove, { ports, as: 'admin', path })).status).toBe(204)
  expect(await ports.alertDeliveries.due(9)).toEqual([])
  expect((await call(list, { ports, as: 'viewer' })).json).toEqual([])
})

test('401 and 403: no credential, a viewer, an operator, or an admin of some hosts', async () => {
  const { ports, path } = await withOne()
  expect((await call(list, { ports })).status).toBe(401)
  expect((await call(get, { ports, path })).status).toBe(401)
  expect((await call(get, { ports, path, as: await givenRole({ ports }, []) })).status).toBe(403)
  for (const as of ['viewer', 'operator', limited] as const) {
    expect((await call(create, { ports, as, body: webhook })).status).toBe(403)
    expect((await call(update, { ports, as, path, body: {} })).status).toBe(403)
    expect((await call(remove, { ports, as, path })).status).toBe(403)
    expect((await call(tryOut, { ports, as, path })).status).toBe(403)
  }
})

test('409: the name is taken or the maximum number of channels is reached', async () => {
  const { ports, path } = await withOne()
  const again = { ...kinds.slack, name: 'OPS' }
  expect((await call(create, { ports, as: 'admin', body: again })).status).toBe(409)
  await call(create, { ports, as: 'admin', body: kinds.slack })
  const taken = await call(update, { ports, as: 'admin', path, body: { name: 's' } })
  expect(taken.status).toBe(409)
  const one = present(await ports.alertChannels.find(path.id))
  ports.alertChannels.list = async () => Array(200).fill(one)
  expect((await call(create, { ports, as: 'admin', body: kinds.ntfy })).status).toBe(409)
})

test('404: unknown channel', async () => {
  const { ports } = await withOne()
  expect((await call(get, { ports, as: 'viewer', path: { id: 'none' } })).status).toBe(404)
})

test.each([
  ['smtp', { port: 587, security: 'starttls', username: null, secrets: [] }],
  ['ntfy', { server: 'https://ntfy.sh', secrets: ['topic'] }],
  ['telegram', { server: 'https://api.telegram.org', thread: null }],
  ['pushover', { address: 'https://api.pushover.net', device: null }],
  ['apprise', { tag: null }],
] as const)('200: returns the defaults of %s', async (kind, shown) => {
  const optional = {
    smtp: ['port', 'security', 'username', 'password'],
    ntfy: ['server', 'token'],
    telegram: ['server', 'thread'],
    pushover: ['device'],
    apprise: ['tag'],
  }
  const left: string[] = optional[kind]
  const sent = Object.entries(kinds[kind]).filter(([field]) => !left.includes(field))
  const { ports, path } = await withOne(Object.fromEntries(sent))
  expect((await call(get, { ports, as: 'viewer', path })).json).toMatchObject(shown)
})
