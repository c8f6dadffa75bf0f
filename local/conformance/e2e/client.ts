import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runClient } from '../../harness/client.ts'
import { type FeedWorld, feedWorld } from '../../harness/feeds.ts'
import type { World } from '../../harness/world.ts'
import type { Output } from './output.ts'

/** How a command of the client is run. */
interface ClientRun {
  cwd?: string
  as?: 'admin' | 'viewer'
  /** Makes standard input a terminal on which this is typed when a question appears. */
  keys?: string
}

/** The client of the service, connected to the endpoints and feeds of a stack. */
export interface StackClient {
  /** Runs a command of the client without a terminal. */
  run(argv: readonly string[], options?: ClientRun): Promise<Output>
  close(): Promise<void>
}

/** Starts a listener for the ports of a stack, and returns a client that is logged in there. */
export async function stackClient(ports: World['ports']): Promise<StackClient> {
  const world: FeedWorld = await feedWorld({ ports })
  const home = await mkdtemp(join(tmpdir(), 'container-stacks-e2e-client-'))
  return {
    async run(argv, { as = 'admin', ...options } = {}) {
      const env = {
        CLI_SERVER: `http://127.0.0.1:${world.port}`,
        CLI_TOKEN: await world.token(as),
      }
      const { code, out, err } = await runClient([...argv], home, { ...options, env })
      return { code, stdout: out, stderr: err }
    },
    async close() {
      await world.close(AbortSignal.abort())
      await rm(home, { recursive: true, force: true })
    },
  }
}
