import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { bodyText, bytesMax, signsMax } from './body-text.ts'

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
  'an answer of millions of %s is not parsed',
  async (value) => {
    const budget = { held: 0 }
    await expect(bodyText(answerOf(value, bytesMax - chunk), budget)).rejects.toThrow(
      'too many values',
    )
    expect(budget.held).toBe(0)
  },
)

test('the list of a host with ten thousand containers is read', async () => {
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
  expect(text.match(/[,[{]/g)!.length * 10_000).toBeLessThan(signsMax)
})

test('answers of one Engine share what is held at a time, and give it back', async () => {
  const budget = { held: 0 }
  const half = bytesMax * 0.4
  const read = () => bodyText(answerOf('x', half), budget).then(({ length }) => length > 0, String)
  const together = await Promise.all([read(), read(), read(), read()])
  expect(together.filter((one) => one === true).length).toBeLessThan(4)
  expect(together.join()).toContain('together')
  expect(budget.held).toBe(0)
  expect(await read()).toBe(true)
})
