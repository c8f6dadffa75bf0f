import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startFaultProxy } from './fault-proxy.ts'

/** Starts an echo server behind a proxy and connects through it. */
async function throughProxy() {
  const ended: string[] = []
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', (error) => ended.push((error as NodeJS.ErrnoException).code ?? ''))
    socket.pipe(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy = await startFaultProxy((server.address() as AddressInfo).port)
  const open = async () => {
    const socket = dial({ port: proxy.port, host: '127.0.0.1', noDelay: true })
    socket.on('error', () => {})
    await once(socket, 'connect')
    return socket
  }
  onTestFinished(async () => {
    await proxy.close()
    server.close()
  })
  return { proxy, open, ended }
}

async function told(socket: Socket, text: string): Promise<number> {
  const begun = performance.now()
  socket.write(text)
  const [chunk] = await once(socket, 'data')
  expect(String(chunk)).toBe(text)
  return performance.now() - begun
}

async function whole(socket: Socket, data: Buffer): Promise<Buffer> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.end(data)
  await once(socket, 'end')
  return Buffer.concat(chunks)
}

test('delivers all data and the end of the stream, even slowly and late', async () => {
  const { proxy, open } = await throughProxy()
  const data = randomBytes(3_000_000)
  expect((await whole(await open(), data)).equals(data)).toBe(true)
  proxy.latency(20)
  expect((await whole(await open(), data)).equals(data)).toBe(true)
  proxy.latency(0)
  proxy.rate(1_000_000)
  const begun = performance.now()
  const some = data.subarray(0, 200_000)
  expect((await whole(await open(), some)).equals(some)).toBe(true)
  expect(performance.now() - begun).toBeGreaterThan(150)
})

test('adds the latency twice to a round trip', async () => {
  const { proxy, open } = await throughProxy()
  const socket = await open()
  await told(socket, 'one')
  proxy.latency(60)
  expect(await told(socket, 'two')).toBeGreaterThanOrEqual(119)
})

test('a reset reaches both sides', async () => {
  const { proxy, open, ended } = await throughProxy()
  const socket = await open()
  await told(socket, 'one')
  const failing = new Promise<Error>((resolve) => socket.once('error', resolve))
  proxy.reset()
  expect(await failing).toMatchObject({ code: 'ECONNRESET' })
  await expect.poll(() => ended).toEqual(['ECONNRESET'])
  await expect.poll(() => proxy.size).toBe(0)
})

test('a frozen proxy forwards nothing, closes nothing, and later resumes with the queued data', async () => {
  const { proxy, open } = await throughProxy()
  const socket = await open()
  await told(socket, 'one')
  proxy.freeze()
  const other = await open()
  const before = proxy.sent
  let heard = ''
  for (const each of [socket, other]) {
    each.on('data', (chunk) => {
      heard += chunk
    })
    each.write('x')
  }
  await expect.poll(() => proxy.sent - before).toBe(2)
  expect([heard, socket.readyState, other.readyState]).toEqual(['', 'open', 'open'])
  proxy.thaw()
  await expect.poll(() => heard).toBe('xx')
})

test('resets a connection after the thaw if it was closed while frozen', async () => {
  const { proxy, open, ended } = await throughProxy()
  const socket = await open()
  await told(socket, 'one')
  proxy.freeze()
  socket.resetAndDestroy()
  await expect.poll(() => proxy.size).toBe(0)
  expect(ended).toEqual([])
})

test('cuts all connections after the given number of bytes', async () => {
  const { proxy, open } = await throughProxy()
  const socket = await open()
  let bytes = 0
  socket.on('data', (chunk) => {
    bytes += chunk.length
  })
  const cut = proxy.cutAfter(150_000)
  // `once` would reject with the error of the reset.
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(Buffer.alloc(100_000))
  await Promise.all([cut, closed])
  expect(bytes).toBeLessThanOrEqual(50_000)
  expect(await told(await open(), 'again')).toBeGreaterThan(0)
})
