import { spawn } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { WebSocket } from 'ws'
import { engine, socketPath } from './engine.ts'
import type { Service } from './service.ts'

/** Label of every container of this benchmark. */
export const feedLabel = 'container-stacks.bench=feeds'
const image = 'busybox:latest'

/** Creates and starts a container that runs a shell script. Returns its ID. */
export async function container(script: string, more: object = {}): Promise<string> {
  const [key = '', value = ''] = feedLabel.split('=')
  const { Id } = await engine('POST', '/containers/create', {
    Image: image,
    Cmd: ['sh', '-c', script],
    Labels: { [key]: value },
    HostConfig: { NetworkMode: 'none', LogConfig: { Type: 'json-file' } },
    StopTimeout: 0,
    ...more,
  })
  await engine('POST', `/containers/${Id}/start`)
  return Id
}

/** Connects to a container's standard input. */
export async function inputOf(id: string): Promise<Socket> {
  const socket = connect(socketPath)
  socket.write(
    `POST /containers/${id}/attach?stream=1&stdin=1 HTTP/1.1\r\nHost: engine\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n`,
  )
  await new Promise((resolve) => socket.once('data', resolve))
  return socket
}

const urlOf = ({ port }: Pick<Service, 'port'>, path: string) =>
  `ws://127.0.0.1:${port}/api/v1${path}`

/** Opens a feed and calls `onMessage` with the text of each message. */
export function follow(
  service: Service,
  path: string,
  onMessage: (text: string) => void,
): Promise<WebSocket> {
  return openSocket(service, path, (socket) => {
    socket.on('message', (data) => onMessage(String(data)))
  })
}

/** Opens a feed. `begin` is called before any message arrives. */
export function openSocket(
  service: Pick<Service, 'port' | 'token'>,
  path: string,
  begin = (_socket: WebSocket) => {},
): Promise<WebSocket> {
  const headers = { Authorization: `Bearer ${service.token}` }
  const socket = new WebSocket(urlOf(service, path), { headers, perMessageDeflate: false })
  begin(socket)
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket))
    socket.once('error', reject)
  })
}

/** Runs `docker logs --follow`. Resolves once the first line has arrived. */
export async function dockerLogs(id: string, onLine: (line: string) => void) {
  const child = spawn('docker', ['logs', '--follow', id], { stdio: ['ignore', 'pipe', 'ignore'] })
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    createInterface({ input: child.stdout }).on('line', (line) => {
      resolve()
      onLine(line)
    })
  })
  return child
}

/** Returns the text of a WebSocket upgrade request. */
export const upgradeText = (path: string, token: string) =>
  `GET /api/v1${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`

/** Opens a feed as a client that reads nothing. */
export function stalled({ port, token }: Service, path: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.on('error', () => {})
  return new Promise((resolve) => {
    socket.once('connect', () => {
      socket.pause()
      socket.write(upgradeText(path, token ?? ''), () => resolve(socket))
    })
  })
}
