import { createHmac } from 'node:crypto'
import { Agent as HttpsAgent } from 'node:https'
import { connect, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { noticeOf } from '../../functions/core/alerts/notice.ts'
import type { AlertTarget, MailTarget } from '../../functions/core/records/alert-channel.ts'
import { httpSink, mailHost, mailSink } from '../../local/harness/alert-sinks.ts'
import { loopbackDialer } from '../../local/harness/outbound.ts'
import { type Dialer, openOutbound } from '../net/outbound.ts'
import { alertEvent } from '../testing/contract/samples.ts'
import { present } from '../testing/present.ts'
import { alertSender } from './sender.ts'

const notice = noticeOf({ id: 'e1.c1', event: alertEvent('e1') })
const sender = alertSender(loopbackDialer(), { timeout: 2000 })

test('signs the exact bytes of a webhook with its ID and time', async () => {
  await using sink = await httpSink()
  const target = { kind: 'webhook', url: `${sink.url}/in?token=t`, secret: 'shh' } as const
  expect(await sender.send(target, notice)).toEqual({ ok: true, status: 204 })
  const [{ path, headers, body }] = sink.received as [(typeof sink.received)[0]]
  const signature = createHmac('sha256', 'shh').update(body).digest('hex')
  expect(path).toBe('/in?token=t')
  expect(headers).toMatchObject({
    'x-signature-256': `sha256=${signature}`,
    'x-delivery-id': 'e1.c1',
    'content-type': 'application/json',
  })
  const sent = JSON.parse(body)
  expect(sent).toMatchObject({
    delivery_id: 'e1.c1',
    text: 'WARNING: Busy container: web-1 on near',
    event: { id: 'e1', rule_name: 'Busy container', value: 93.25, subject: { host_id: 'local' } },
  })
  expect(sent.sent_at).toBe(headers['x-timestamp'])
  expect(Math.abs(Date.parse(sent.sent_at) - Date.now())).toBeLessThan(60_000)
})

test.each([
  [
    { kind: 'slack', url: '/hook' },
    { text: expect.stringContaining('Busy'), mrkdwn: false },
  ],
  [
    { kind: 'discord', url: '/hook' },
    { content: expect.stringContaining('**WARNING'), allowed_mentions: { parse: [] } },
  ],
  [
    { kind: 'ntfy', server: '', topic: 'ops', token: 'tk_1' },
    { topic: 'ops', priority: 4, title: expect.stringContaining('WARNING') },
  ],
])('$kind has its own format', async (made, body) => {
  await using sink = await httpSink()
  const place = 'url' in made ? { url: sink.url + made.url } : { server: `${sink.url}/` }
  const target = { ...made, ...place } as AlertTarget
  expect(await sender.send(target, notice)).toMatchObject({ ok: true })
  expect(JSON.parse(present(sink.received[0]).body)).toMatchObject(body)
  expect(present(sink.received[0]).path).toBe('url' in made ? '/hook' : '/')
  const bearer = made.kind === 'ntfy' ? 'Bearer tk_1' : undefined
  expect(present(sink.received[0]).headers.authorization).toBe(bearer)
})

const link = 'https://stacks.example.org/alerts'
const linked = { ...notice, link }
const lines = [...notice.lines, link].join('\n')
const whole = `${notice.title}\n${lines}`

/** Gives what is sent to a host over https to a server of the test instead. */
const instead = (port: number): Dialer => ({
  ...loopbackDialer(),
  https: Object.assign(new HttpsAgent({ keepAlive: false }), {
    createConnection: () => connect(port, '127.0.0.1'),
  }),
})

test('gotify: posts a message with the token of an application', async () => {
  // https://gotify.net/docs/pushmsg and https://gotify.net/docs/msgextras
  await using sink = await httpSink()
  sink.answer = (response) => void response.writeHead(200).end('{"id":1}')
  const target = { kind: 'gotify', server: `${sink.url}/gotify/`, token: 'A1' } as const
  expect(await sender.send(target, linked)).toEqual({ ok: true, status: 200 })
  const { method, path, headers, body } = present(sink.received[0])
  expect([method, path]).toEqual(['POST', '/gotify/message'])
  expect(headers).toMatchObject({ 'x-gotify-key': 'A1', 'content-type': 'application/json' })
  expect(JSON.parse(body)).toEqual({
    title: notice.title,
    message: notice.lines.join('\n'),
    priority: 6,
    extras: {
      'client::display': { contentType: 'text/plain' },
      'client::notification': { click: { url: link } },
    },
  })
})

test('telegram: posts a text without markup to a topic of a chat', async () => {
  // https://core.telegram.org/bots/api#sendmessage
  await using sink = await httpSink()
  const chat = { chat: '-1001234567890', thread: 7 }
  const target = { kind: 'telegram', server: sink.url, token: '1:AA_b-c', ...chat } as const
  expect(await sender.send(target, linked)).toMatchObject({ ok: true })
  const { method, path, body } = present(sink.received[0])
  expect([method, path]).toEqual(['POST', '/bot1:AA_b-c/sendMessage'])
  expect(JSON.parse(body)).toEqual({
    chat_id: '-1001234567890',
    message_thread_id: 7,
    text: whole,
    link_preview_options: { is_disabled: true },
    disable_notification: false,
  })
})

test('telegram: waits as long as retry_after says, and does not repeat its token', async () => {
  // https://core.telegram.org/bots/api#responseparameters
  await using sink = await httpSink()
  const token = '1:AA_b-c'
  sink.answer = (response) => {
    const description = `Too Many Requests: retry after 40 (bot${token})`
    const body = { ok: false, error_code: 429, description, parameters: { retry_after: 40 } }
    response.writeHead(429, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  }
  const chat = { chat: '@ops', thread: null }
  const target = { kind: 'telegram', server: sink.url, token, ...chat } as const
  expect(await sender.send(target, notice)).toEqual({
    ok: false,
    status: 429,
    error: 'responded with 429',
    retryAfter: 40_000,
    answer: 'Too Many Requests: retry after 40 (bot…)',
  })
})

const pushover = { kind: 'pushover', token: 'a'.repeat(30), user: 'u'.repeat(30) } as const

test('pushover: posts a form to its API', async () => {
  // https://pushover.net/api#messages
  await using sink = await httpSink()
  sink.answer = (response) => void response.writeHead(200).end('{"status":1}')
  const own = alertSender(instead(sink.port), { timeout: 2000 })
  const critical = { ...linked, severity: 'critical' as const }
  expect(await own.send({ ...pushover, device: 'phone' }, critical)).toMatchObject({ ok: true })
  const { method, path, headers, body } = present(sink.received[0])
  expect([method, path, headers.host]).toEqual(['POST', '/1/messages.json', 'api.pushover.net'])
  expect(headers['content-type']).toBe('application/x-www-form-urlencoded')
  expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
    token: pushover.token,
    user: pushover.user,
    title: notice.title,
    message: notice.lines.join('\n'),
    priority: '1',
    device: 'phone',
    url: link,
    url_title: 'Alerts',
  })
})

test.each([
  [400, true],
  [429, true],
  [500, undefined],
])('pushover: %i is permanent: %s', async (status, final) => {
  // https://pushover.net/api#friendly
  await using sink = await httpSink()
  sink.answer = (response) =>
    void response
      .writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' })
      .end(`{"user":"invalid","errors":["user key is invalid","${pushover.user}"],"status":0}`)
  const own = alertSender(instead(sink.port), { timeout: 2000 })
  expect(await own.send({ ...pushover, device: null }, notice)).toEqual({
    ok: false,
    status,
    error: `responded with ${status}`,
    retryAfter: null,
    answer: 'user key is invalid; …',
    final,
  })
})

test('teams: posts a message with one Adaptive Card without markup', async () => {
  // https://learn.microsoft.com/en-us/connectors/teams/#microsoft-teams-webhook
  await using sink = await httpSink()
  sink.answer = (response) => void response.writeHead(202).end()
  const target = { kind: 'teams', url: `${sink.url}/workflows/w1?sig=s1` } as const
  expect(await sender.send(target, linked)).toEqual({ ok: true, status: 202 })
  const { method, path, body } = present(sink.received[0])
  expect([method, path]).toEqual(['POST', '/workflows/w1?sig=s1'])
  const block = (run: object) => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', ...run }],
  })
  expect(JSON.parse(body)).toEqual({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            block({ text: notice.title, weight: 'Bolder', color: 'Warning' }),
            ...notice.lines.map((text) => block({ text })),
          ],
          actions: [{ type: 'Action.OpenUrl', title: 'Alerts', url: link }],
        },
      },
    ],
  })
})

test('matrix: puts a message under the id of the delivery, so that it arrives once', async () => {
  // https://spec.matrix.org/v1.11/client-server-api/#sending-events-to-a-room
  await using sink = await httpSink()
  sink.answer = (response) => void response.writeHead(200).end('{"event_id":"$e"}')
  const room = '!a/b:example.org'
  const target = { kind: 'matrix', server: sink.url, room, token: 'syt_1' } as const
  expect(await sender.send(target, linked)).toEqual({ ok: true, status: 200 })
  const { method, path, headers, body } = present(sink.received[0])
  expect([method, path]).toEqual([
    'PUT',
    '/_matrix/client/v3/rooms/!a%2Fb%3Aexample.org/send/m.room.message/e1.c1',
  ])
  expect(headers.authorization).toBe('Bearer syt_1')
  expect(JSON.parse(body)).toEqual({ msgtype: 'm.text', body: whole, 'm.mentions': {} })
  sink.answer = (response) =>
    void response
      .writeHead(429, { 'Content-Type': 'application/json' })
      .end('{"errcode":"M_LIMIT_EXCEEDED","error":"Too many requests","retry_after_ms":2000}')
  expect(await sender.send(target, notice)).toMatchObject({
    retryAfter: 2000,
    answer: 'Too many requests',
  })
})

test.each([
  [{ key: 'home', urls: null, tag: 'ops' }, '/notify/home', { tag: 'ops' }],
  [{ key: null, urls: 'tgram://1:a/2', tag: null }, '/notify', { urls: 'tgram://1:a/2' }],
])('apprise: posts to %j', async (place, wanted, more) => {
  // https://github.com/caronc/apprise-api#api-details
  await using sink = await httpSink()
  sink.answer = (response) => void response.writeHead(200).end()
  const target = { kind: 'apprise', server: sink.url, ...place } as const
  expect(await sender.send(target, linked)).toEqual({ ok: true, status: 200 })
  const { method, path, headers, body } = present(sink.received[0])
  expect([method, path]).toEqual(['POST', wanted])
  expect(headers.accept).toBe('application/json')
  expect(JSON.parse(body)).toEqual({
    ...more,
    title: notice.title,
    body: lines,
    type: 'warning',
    format: 'text',
  })
  sink.answer = (response) =>
    void response
      .writeHead(424, { 'Content-Type': 'application/json' })
      .end('{"error":"tgram://1:a/2 and home were not notified","details":[]}')
  const failed = await sender.send(target, notice)
  expect(failed).toMatchObject({ ok: false, error: 'responded with 424' })
  const secret = place.key ?? place.urls
  expect(failed).toMatchObject({ answer: expect.not.stringContaining(present(secret)) })
})

test('apprise: 204 is a failure: no place is known under the key', async () => {
  await using sink = await httpSink()
  const place = { key: 'home', urls: null, tag: null }
  const target = { kind: 'apprise', server: sink.url, ...place } as const
  expect(await sender.send(target, notice)).toMatchObject({
    ok: false,
    status: 204,
    error: 'responded with 204; it has no place to send to under this key',
  })
})

test.each([
  ['text/plain; charset=utf-8', 'no_service\n\u001b[31m', 'no_service [31m'],
  ['text/plain', 'x'.repeat(1000), 'x'.repeat(300)],
  ['application/json', '{"code":40101,"error":"unauthorized"}', 'unauthorized'],
  [
    'application/json',
    '{"error":{"code":"x","message":"The workflow is off."}}',
    'The workflow is off.',
  ],
  ['application/json', '{"password":"of another server"}', undefined],
  ['application/json', '["broken', undefined],
  ['text/html', '<b>a page</b>', undefined],
])('a refusal in %s, %s, gives the reason %s', async (type, body, answer) => {
  await using sink = await httpSink()
  sink.answer = (response) => void response.writeHead(400, { 'Content-Type': type }).end(body)
  expect(await sender.send({ kind: 'slack', url: sink.url }, notice)).toEqual({
    ok: false,
    status: 400,
    error: 'responded with 400',
    retryAfter: null,
    answer,
  })
})

test('the reason of a refusal repeats no part of the URL of a webhook', async () => {
  await using sink = await httpSink()
  sink.answer = (response, { path }) =>
    void response
      .writeHead(404, { 'Content-Type': 'text/plain' })
      .end(`no ${path}, no zzzzzzzz, no sig yyyyyyyy`)
  const url = `${sink.url}/T0/zzzzzzzz?sig=yyyyyyyy`
  expect(await sender.send({ kind: 'teams', url }, notice)).toMatchObject({
    answer: 'no …, no …, no sig …',
  })
})

test.each([
  ['/T0/zz%20zz%2Fzz', 'no zz zz/zz', 'no …'],
  ['/T0?zzzzzzzz', 'no zzzzzzzz', 'no …'],
  ['/T0?sig=zz+zz%2Bzz', 'no zz+zz%2Bzz, no zz zz+zz', 'no …, no …'],
])('the reason repeats no part of %s in another form', async (path, body, answer) => {
  await using sink = await httpSink()
  sink.answer = (response) =>
    void response.writeHead(404, { 'Content-Type': 'text/plain' }).end(body)
  const target = { kind: 'teams', url: `${sink.url}${path}` } as const
  expect(await sender.send(target, notice)).toMatchObject({ answer })
})

test('the text of a redirect is no reason: it has the other address', async () => {
  await using sink = await httpSink()
  sink.answer = (response) =>
    void response
      .writeHead(302, { 'Content-Type': 'text/plain', Location: `${sink.url}/?token=t` })
      .end(`Found. Redirecting to ${sink.url}/?token=t`)
  const failed = await sender.send({ kind: 'slack', url: sink.url }, notice)
  expect(failed).toEqual({
    ok: false,
    status: 302,
    error: 'responded with 302; redirects are not followed',
    retryAfter: null,
  })
})

const guardedTargets: AlertTarget[] = [
  { kind: 'gotify', server: 'http://localhost', token: 'A1' },
  { kind: 'telegram', server: 'http://localhost', token: '1:A', chat: '1', thread: null },
  { kind: 'teams', url: 'http://localhost' },
  { kind: 'matrix', server: 'https://localhost', room: '!a', token: 'A1' },
  { kind: 'apprise', server: 'http://localhost', key: 'home', urls: null, tag: null },
]

test.each(guardedTargets)('$kind does not reach its own machine', async (target) => {
  const guarded = alertSender(openOutbound([]), { timeout: 2000 })
  const { error } = (await guarded.send(target, notice)) as { error: string }
  expect(error).toContain('a loopback address, which is rejected unless')
})

test.each(guardedTargets)('$kind does not follow a redirect', async (made) => {
  await using sink = await httpSink()
  sink.answer = (response) => void response.writeHead(307, { Location: sink.url }).end()
  const place = 'url' in made ? { url: sink.url } : { server: sink.url }
  expect(await sender.send({ ...made, ...place } as AlertTarget, notice)).toMatchObject({
    ok: false,
    status: 307,
    error: 'responded with 307; redirects are not followed',
  })
  expect(sink.received).toHaveLength(1)
})

test('reports the status of the receiver and its Retry-After', async () => {
  await using sink = await httpSink()
  const target = { kind: 'slack', url: sink.url } as const
  sink.answer = (response) =>
    void response.writeHead(429, { 'Retry-After': '30' }).end('<b>secret of the inner net</b>')
  expect(await sender.send(target, notice)).toEqual({
    ok: false,
    status: 429,
    error: 'responded with 429',
    retryAfter: 30_000,
  })
  sink.answer = (response) => void response.writeHead(302, { Location: 'http://[::1]/' }).end()
  expect(await sender.send(target, notice)).toMatchObject({
    ok: false,
    status: 302,
    error: 'responded with 302; redirects are not followed',
  })
  sink.answer = (response) => void response.writeHead(500).end('x'.repeat(10_000_000))
  expect(await sender.send(target, notice)).toMatchObject({ error: 'responded with 500' })
  await sink.close()
  expect(await sender.send(target, notice)).toMatchObject({ error: 'connection refused' })
})

test('reports a timeout, and an address that may not be reached', async () => {
  const server = createServer(() => {})
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  const { port } = server.address() as { port: number }
  const quick = alertSender(loopbackDialer(), { timeout: 200 })
  const late = { ok: false, status: null, error: 'no response within 0.2 s' }
  const url = `http://127.0.0.1:${port}/`
  expect(await quick.send({ kind: 'slack', url }, notice)).toMatchObject(late)
  expect(await quick.send(mail({ host: '127.0.0.1', port }), notice)).toMatchObject(late)
  const guarded = alertSender(openOutbound([]), { timeout: 2000 })
  for (const target of [{ kind: 'slack', url } as const, mail({ host: 'localhost', port })]) {
    const { error } = (await guarded.send(target, notice)) as { error: string }
    expect(error).toContain('a loopback address, which is rejected unless')
  }
})

const mail = (more: Partial<MailTarget>): MailTarget => ({
  kind: 'smtp',
  host: mailHost,
  port: 25,
  security: 'starttls',
  username: 'ops',
  password: 'pass word',
  from: 'stacks@example.org',
  to: ['ada@example.org', 'bob@example.org'],
  ...more,
})

test.each(['starttls', 'tls'] as const)(
  'sends a mail over %s with authentication',
  async (security) => {
    await using sink = await mailSink({ secure: security === 'tls' })
    const { dialer, ca, port } = sink
    const result = await alertSender(dialer, { ca }).send(mail({ port, security }), notice)
    expect(result).toEqual({ ok: true, status: 250 })
    const [taken] = sink.mails
    expect(taken).toMatchObject({
      from: 'stacks@example.org',
      to: ['ada@example.org', 'bob@example.org'],
      user: 'ops',
      encrypted: true,
    })
    expect(taken?.text).toContain('Subject: WARNING: Busy container: web-1 on near\r\n')
    expect(taken?.text).toContain('Message-ID: <e1.c1@example.org>\r\n')
    expect(taken?.text).toContain('cpu_percent: 93.25 (alerts when above 90)')
  },
)

test('hostile names add no header and no recipient to a mail', async () => {
  await using sink = await mailSink()
  const { dialer, ca, port } = sink
  const event = alertEvent('e1')
  const evil = 'a\r\nBcc: evil@example.org\r\n\r\n.\r\nMAIL FROM:<x>\u2028Ä'
  const subject = { ...event.subject, name: evil, hostName: evil }
  const bad = noticeOf({ id: 'e1.c1', event: { ...event, ruleName: evil, subject } })
  expect(await alertSender(dialer, { ca }).send(mail({ port }), bad)).toMatchObject({ ok: true })
  expect(sink.mails).toHaveLength(1)
  expect(sink.mails[0]?.to).toHaveLength(2)
  const head = present(sink.mails[0]?.text.split('\r\n\r\n')[0])
  expect(head).not.toMatch(/^bcc:/im)
})

test('sends no password without encryption or to an unverified server', async () => {
  await using plain = await mailSink({ hidden: ['STARTTLS'] })
  const first = await alertSender(plain.dialer, { ca: plain.ca }).send(
    mail({ port: plain.port }),
    notice,
  )
  expect(first).toMatchObject({ ok: false, error: expect.stringContaining('encrypted') })
  expect(plain.mails).toEqual([])
  await using other = await mailSink()
  const unknown = await alertSender(other.dialer).send(mail({ port: other.port }), notice)
  expect(unknown).toMatchObject({ ok: false, error: expect.stringContaining('encrypted') })
  const wrongName = mail({ port: other.port, host: 'mail.example.org' })
  const misnamed = await alertSender(other.dialer, { ca: other.ca }).send(wrongName, notice)
  expect(misnamed).toMatchObject({ ok: false, error: expect.stringContaining('encrypted') })
  expect(other.mails).toEqual([])
})

test('reports why a mail was rejected; does not resend a partly delivered one', async () => {
  await using sink = await mailSink({ refuses: 'bob@example.org' })
  const own = alertSender(sink.dialer, { ca: sink.ca })
  const wrong = await own.send(mail({ port: sink.port, password: 'other' }), notice)
  expect(wrong).toMatchObject({ status: 535, error: expect.stringContaining('password') })
  const partly = await own.send(mail({ port: sink.port }), notice)
  expect(partly).toMatchObject({ ok: false, final: true, error: expect.stringContaining('1 of 2') })
  expect(sink.mails[0]?.to).toEqual(['ada@example.org'])
  const none = await own.send(mail({ port: sink.port, to: ['bob@example.org'] }), notice)
  expect(none).toMatchObject({ ok: false, status: 550 })
  expect(JSON.stringify([wrong, partly, none])).not.toMatch(/pass word|not here/)
})
