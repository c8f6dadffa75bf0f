import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { freePort } from './free-port.ts'

const module = new URL('free-port.ts', import.meta.url)

/** Starts a process that takes ports and prints them. */
async function portsOfAnother(count: number): Promise<number[]> {
  const script = `import { freePort } from '${module}'
    const ports = []
    for (let at = 0; at < ${count}; at += 1) ports.push(await freePort())
    console.log(JSON.stringify(ports))`
  const words = ['--import', 'tsx', '--input-type=module', '-e', script]
  const { stdout } = await promisify(execFile)(process.execPath, words)
  return JSON.parse(stdout)
}

test('returns ports below those of outgoing connections, each once', async () => {
  const ports = await Promise.all(Array.from({ length: 100 }, () => freePort()))
  expect(new Set(ports).size).toBe(100)
  for (const port of ports) {
    expect(port).toBeGreaterThanOrEqual(20_000)
    expect(port).toBeLessThan(32_000)
  }
})

test('the port can be listened on, closed and listened on again', async () => {
  const port = await freePort()
  for (let round = 0; round < 2; round += 1) {
    const server = createServer().listen(port)
    await once(server, 'listening')
    server.close()
    await once(server, 'close')
  }
})

test('a process does not keep running for its ports, and gives them back', async () => {
  expect(await portsOfAnother(3)).toHaveLength(3)
})
