import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { alertSender } from '../adapters/alerts/sender.ts'
import { alertEvent } from '../adapters/testing/contract/samples.ts'
import { present } from '../adapters/testing/present.ts'
import { requestFor } from '../functions/core/alerts/compose.ts'
import { noticeOf, testNotice } from '../functions/core/alerts/notice.ts'
import { type Node, schemaBook } from '../openapi/schemas.ts'
import { webhooksOf } from '../openapi/webhooks.ts'
import { httpSink } from './harness/alert-sinks.ts'
import { loopbackDialer } from './harness/outbound.ts'

test('the signature check in the documentation accepts genuine requests only', async () => {
  const text = readFileSync(new URL('../docs/alerts.md', import.meta.url), 'utf8')
  const code = present(/```js\n(.*?isGenuine.*?)```/s.exec(text)?.[1])
  const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  const target = { kind: 'webhook', url: 'https://example.org/', secret: 'shh' } as const
  const notice = noticeOf({ id: 'd1', event: alertEvent('e1') })
  const sent = (now: number) => {
    const { headers, body } = requestFor(target, notice, now)
    const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
    return { body: Buffer.from(body), headers: Object.fromEntries(entries) }
  }
  const { body, headers } = sent(Date.now())
  expect(isGenuine(body, headers, 'shh')).toBe(true)
  expect(isGenuine(body, headers, 'other')).toBe(false)
  expect(isGenuine(body, {}, 'shh')).toBe(false)
  const forged = Buffer.from(body.toString().replace('93.25', '13.25'))
  expect(isGenuine(forged, headers, 'shh')).toBe(false)
  const old = sent(Date.now() - 6 * 60_000)
  expect(isGenuine(old.body, old.headers, 'shh')).toBe(false)
  const later = { ...old.headers, 'x-timestamp': new Date().toISOString() }
  expect(isGenuine(old.body, later, 'shh')).toBe(false)
})

/** Returns the description of the webhook, with a check of values against its schemas. */
function describedWebhook() {
  const book = schemaBook()
  const { post } = webhooksOf(book).alert as Node
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  const problemsOf = (schema: Node, value: unknown) => {
    const check = ajv.compile({ ...schema, components: { schemas: book.components } })
    return check(value) ? [] : check.errors
  }
  return { post, problemsOf, schemas: book.components }
}

const gone = { state: 'resolved', value: null, isGone: true } as const

test.each([
  ['an alert', 'WebhookAlert', noticeOf({ id: 'd1', event: alertEvent('e1') })],
  [
    'the end of one',
    'WebhookAlert',
    noticeOf({ id: 'd2', event: { ...alertEvent('e1'), ...gone } }),
  ],
  ['a test', 'WebhookTest', testNotice('d3', 'Ops', 1_780_000_000_000)],
])('%s arrives at a webhook as the API description says', async (_, component, notice) => {
  await using sink = await httpSink()
  const target = { kind: 'webhook', url: sink.url, secret: 'shh' } as const
  expect(await alertSender(loopbackDialer()).send(target, notice)).toMatchObject({ ok: true })
  const { headers, body } = present(sink.received[0])
  const { post, problemsOf, schemas } = describedWebhook()
  const { schema } = post.requestBody.content[present(headers['content-type'])]
  const sent = JSON.parse(body)
  expect(problemsOf(schema, sent)).toEqual([])
  expect(Object.keys(sent).sort()).toEqual(Object.keys(schemas[component].properties).sort())
  expect(Object.keys(sent.event ?? {})).toEqual(
    sent.event ? Object.keys(schemas.AlertDeliveryEvent.properties) : [],
  )
  for (const { name, schema: shape } of post.parameters) {
    expect(problemsOf(shape, headers[name.toLowerCase()]), name).toEqual([])
  }
  const described = post.parameters.map(({ name }: Node) => name.toLowerCase())
  const own = Object.keys(headers).filter((name) => /^x-|^user-agent$/.test(name))
  expect(own.sort()).toEqual(described.sort())
})

test.each([
  [200, true],
  [204, true],
  [302, false],
  [404, false],
  [500, false],
])('%i of a webhook is what the API description says', async (status, ok) => {
  await using sink = await httpSink()
  sink.answer = (response) => void response.writeHead(status).end()
  const target = { kind: 'webhook', url: sink.url, secret: 'shh' } as const
  const notice = testNotice('d3', 'Ops', 1_780_000_000_000)
  expect(await alertSender(loopbackDialer()).send(target, notice)).toMatchObject({ ok, status })
  const { responses } = describedWebhook().post
  const { description } = responses[status < 300 ? '2XX' : 'default']
  expect(description).toMatch(ok ? /^Delivered\b/ : /^Not delivered\b/)
})
