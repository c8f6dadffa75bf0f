import { randomUUID } from 'node:crypto'
import type { EngineClient } from '../transport/client.ts'
import { serveCalls } from './grpc-server.ts'
import { type BuildOffers, buildMethods, fileMethods, methodPaths } from './methods.ts'

/** A connection on which the Engine asks for what a build needs. */
export interface BuildSession {
  /** A random id. A build that names it can ask for what the session offers. */
  id: string
  close(): void
}

/**
 * Opens a session, which lasts until it is closed or the connection ends. Only the Engine can ask
 * for what is offered, and only for a build that was started with the id.
 *
 * @throws Failure if the Engine refuses or does not respond in time
 */
export async function openSession(
  client: EngineClient,
  offers: BuildOffers,
  signal: AbortSignal,
): Promise<BuildSession> {
  const id = randomUUID()
  const connection = await client.hijack({
    method: 'POST',
    path: '/session',
    headers: {
      Upgrade: 'h2c',
      'X-Docker-Expose-Session-Uuid': id,
      'X-Docker-Expose-Session-Name': 'build',
      // BuildKit takes files with the same key, time and length for unchanged ones.
      'X-Docker-Expose-Session-Sharedkey': id,
      'X-Docker-Expose-Session-Grpc-Method': methodPaths,
    },
    // Without a body, the end of a chunked one is sent, which the Engine could take for a frame.
    file: Buffer.alloc(0),
    signal,
  })
  return { id, close: serveCalls(connection, buildMethods(offers), fileMethods(offers)) }
}
