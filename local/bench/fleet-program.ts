import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { runAgent } from '../../adapters/agent/run.ts'
import { socketPath } from './engine.ts'

// Runs the agents that the file FLEET lists, all in this process. Mute ones forward to an Engine
// that never answers.
const agents: { directory: string; isMute: boolean }[] = JSON.parse(
  readFileSync(process.env.FLEET ?? '', 'utf8'),
)
const mute = createServer((socket) => socket.on('error', () => {}))
await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
const { port } = mute.address() as AddressInfo
const end = new AbortController()
process.once('SIGTERM', () => end.abort())
await Promise.all(
  agents.map(({ directory, isMute }) =>
    runAgent({
      directory,
      docker: isMute ? { host: '127.0.0.1', port } : { path: socketPath },
      version: '0.0.0',
      signal: end.signal,
      say: (line) => void process.stdout.write(`${line}\n`),
    }),
  ),
)
mute.close()
process.exit()
