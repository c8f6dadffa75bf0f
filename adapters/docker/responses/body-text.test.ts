import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { present } from '../../testing/present.ts'
import { bodyText, bytesMax, delimitersMax } from './body-text.ts'

const chunk = 65_536

/** Returns a response that repeats one chunk. */
function answerOf(text: string, bytes: number): IncomingMessage {
  const part = Buffer.from(text.repeat(Math.floor(chunk / text.length)))
  let left = Math.ceil(bytes / part.length)
  return new Readable({
    read() {
      left -= 1
      this.push(left < 0 ? null : part)
    },
  }) as IncomingMessage
}

test.each(['{},', '[],', '[[', '0,', '{"a":{}},'])(
  'rejects a response that consists of millions of %s',
  async (value) => {
    const budget = { held: 0 }
    await expect(bodyText(answerOf(value, bytesMax - chunk), budget)).rejects.toThrow(
      'too many values',
    )
    expect(budget.held).toBe(0)
  },
)

test('the limits allow the list of a host with ten thousand containers', async () => {
  const labels = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`label.${at}`, 'x'.repeat(60)]),
  )
  const ports = Array.from({ length: 8 }, () => ({
    IP: '0.0.0.0',
    PrivatePort: 80,
    PublicPort: 80,
    Type: 'tcp',
  }))
  const text = `${JSON.stringify({ Id: 'a'.repeat(64), Labels: labels, Ports: ports })},`
  expect(text.length * 10_000).toBeLessThan(bytesMax)
  expect(present(text.match(/[,[{]/g)).length * 10_000).toBeLessThan(delimitersMax)
})

test('responses of one Engine share a memory budget and return their share', async () => {
  const budget = { held: 0 }
  const half = bytesMax * 0.4
  const read = () => bodyText(answerOf('x', half), budget).then(({ length }) => length > 0, String)
  const together = await Promise.all([read(), read(), read(), read()])
  expect(together.filter((one) => one === true).length).toBeLessThan(4)
  expect(together.join()).toContain('in total')
  expect(budget.held).toBe(0)
  expect(await read()).toBe(true)
})
