import { createHmac } from 'node:crypto'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { noticeOf } from '../../functions/core/alerts/notice.ts'
import type { AlertTarget, MailTarget } from '../../functions/core/records/alert-channel.ts'
import { httpSink, mailHost, mailSink } from '../../local/harness/alert-sinks.ts'
import { loopbackDialer } from '../../local/harness/outbound.ts'
import { openOutbound } from '../net/outbound.ts'
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
