import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { requestFor } from '../../functions/core/alerts/compose.ts'
import { noticeOf } from '../../functions/core/alerts/notice.ts'
import { alertEvent } from '../testing/contract/samples.ts'
import { present } from '../testing/present.ts'

test('the signature check in the documentation accepts genuine requests only', async () => {
  const text = readFileSync(new URL('../../docs/alerts.md', import.meta.url), 'utf8')
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
