import { createServer as createHttp2, type ServerHttp2Stream } from 'node:http2'
import { connect, createServer, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { agentConnection } from './connection.ts'

/** A connection to an agent that answers every request with `answer`. */
async function agentAnswering(answer: (stream: ServerHttp2Stream) => void) {
  const agent = createHttp2()
  agent.on('stream', (stream) => {
    stream.on('error', () => {})
    stream.respond({ ':status': 200 })
    answer(stream)
  })
  const listener = createServer((socket: Socket) => {
    socket.on('error', () => {})
    agent.emit('connection', socket)
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as { port: number }
  const socket = connect(port, '127.0.0.1')
  const connection = agentConnection('nas', socket as TLSSocket)
  onTestFinished(() => {
    connection.close()
    listener.close()
  })
  return connection
}

test('facts of an agent are short and have no control characters', async () => {
  const facts = { version: '1.0\u001b[31m\n', hostname: 'n'.repeat(1000), more: {} }
  const connection = await agentAnswering((stream) => stream.end(JSON.stringify(facts)))
  expect(await connection.facts()).toEqual({ version: '1.0[31m', hostname: 'n'.repeat(255) })
})

test.each([
  ['null', 'null'],
  ['a list', '[]'],
  ['numbers', '{"version": 1, "hostname": 2}'],
  ['not JSON', '<html>'],
])('rejects facts that are %s', async (_, text) => {
  const connection = await agentAnswering((stream) => stream.end(text))
  await expect(connection.facts()).rejects.toThrow()
})

test('rejects an endless response instead of buffering it', async () => {
  let sent = 0
  const connection = await agentAnswering((stream) => {
    const more = () => {
      while (!stream.destroyed && stream.write(Buffer.alloc(16 * 1024))) sent += 16 * 1024
      if (!stream.destroyed) stream.once('drain', more)
    }
    more()
  })
  await expect(connection.facts()).rejects.toThrow('too large')
  expect(sent).toBeLessThan(16 * 1024 * 1024)
})

test('a response that arrives byte by byte ends at the deadline', async () => {
  const bytes = await agentAnswering((stream) => {
    const drip = setInterval(() => stream.write(' '), 1000)
    stream.once('close', () => clearInterval(drip))
  })
  await expect(bytes.facts()).rejects.toThrow('did not respond in time')
})
