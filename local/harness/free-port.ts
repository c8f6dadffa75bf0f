import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { ignoreError } from '../../functions/core/ignore-error.ts'

const first = 20_000
const last = 32_000

/**
 * Returns a TCP port that no process listens on, on any interface of this machine. No other process
 * gets it from this function until this one ends, so a server can be stopped and started on it.
 *
 * The port is not one that the kernel assigns to outgoing connections. The UDP port of the same
 * number stands for it meanwhile: unlike a file, it is given back by a process that is killed.
 */
export async function freePort(): Promise<number> {
  const end = Math.min(last, lowestEphemeral())
  for (let tries = 0; tries < 200; tries += 1) {
    const port = randomInt(first, end > first ? end : last)
    if ((await isReserved(port)) && (await isFree(port))) return port
  }
  throw new Error(`no free port between ${first} and ${last}`)
}

/** Returns the first port that the kernel assigns to outgoing connections. */
function lowestEphemeral(): number {
  try {
    return Number.parseInt(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8'), 10)
  } catch (error) {
    ignoreError('read the ports of outgoing connections')(error)
    return last
  }
}

/** Reserves the UDP port until this process ends. Returns false if another process has it. */
async function isReserved(port: number): Promise<boolean> {
  const socket = createSocket('udp4').unref()
  try {
    socket.bind({ port, address: '127.0.0.1', exclusive: true })
    await once(socket, 'listening')
    return true
  } catch {
    return false
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    await once(server.listen(port), 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
