import { connect, type Socket } from 'node:net'

/**
 * A raw response. Header names are in lower case. `head` is the status line and headers as text.
 */
export interface RawAnswer {
  status: number
  head: string
  headers: Record<string, string>
  body: string
}

/** A connection on which a test can write any bytes. */
export interface RawClient {
  socket: Socket
  write(text: string | Buffer): void
  /**
   * Returns the next complete response; `bodyless` for a response to HEAD. Rejects if the
   * connection closes before it is complete.
   */
  answer(kind?: 'bodyless'): Promise<RawAnswer>
  /** Resolves when the other side has closed. */
  closed: Promise<void>
}

/** Connects to a port of this machine. */
export async function rawClient(port: number): Promise<RawClient> {
  const socket = connect({ port, host: '127.0.0.1' })
  let received = Buffer.alloc(0)
  let wake = () => {}
  let ended = false
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      ended = true
      wake()
      resolve()
    })
  })
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    wake()
  })
  await new Promise((resolve, reject) => {
    socket.once('connect', resolve)
    closed.then(() => reject(new Error('the connection was refused')))
  })
  return {
    socket,
    closed,
    write: (text) => void socket.write(text),
    async answer(kind) {
      for (;;) {
        const parsed = parse(received, kind)
        if (parsed) {
          received = received.subarray(parsed.length)
          return parsed.answer
        }
        if (ended) throw new Error(`the connection ended after ${JSON.stringify(`${received}`)}`)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}

function parse(bytes: Buffer, kind: 'bodyless' | undefined) {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = bytes.subarray(0, end).toString('latin1')
  const [first = '', ...lines] = head.split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1])
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const bodyless = kind || status === 204 || status < 200
  const length = bodyless ? 0 : Number(headers['content-length'])
  if (bytes.length < end + 4 + length) return undefined
  const body = bytes.subarray(end + 4, end + 4 + length).toString('utf8')
  return { answer: { status, head, headers, body }, length: end + 4 + length }
}

/** Sends a text on a new connection and returns the first response. */
export async function exchange(port: number, text: string | Buffer): Promise<RawAnswer> {
  const client = await rawClient(port)
  client.write(text)
  try {
    return await client.answer()
  } finally {
    client.socket.destroy()
  }
}
