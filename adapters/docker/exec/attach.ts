import { Failure } from '../../../functions/core/errors.ts'
import type { AttachedContainer } from '../../../functions/core/ports/engine-exec.ts'
import { shownContainer } from '../inspect/container.ts'
import type { EngineClient } from '../transport/client.ts'
import { onAbort } from '../transport/deadline.ts'
import { detachKeys } from './exec-session.ts'
import { writeTo } from './socket-chunks.ts'
import { outputOf } from './socket-output.ts'

/**
 * Attaches to the main process of a container over its own connection, which the signal closes.
 *
 * @throws 404 if there is no such container
 */
export async function attachTo(
  client: EngineClient,
  id: string,
  tty: boolean,
  signal: AbortSignal,
): Promise<AttachedContainer> {
  const { Id } = await shownContainer(client, id)
  const path = `/containers/${Id}`
  const socket = await client.hijack({
    method: 'POST',
    path: `${path}/attach`,
    query: { stream: true, stdin: true, stdout: true, stderr: true, detachKeys },
    signal,
    deadline: 20_000,
  })
  onAbort(signal, () => socket.destroy())
  return {
    output: outputOf({ socket, tty }, signal),
    write: (data) => writeTo(socket, data),
    endInput: () => void socket.end(),
    async resize({ columns, rows }) {
      const query = { w: columns, h: rows }
      const call = { method: 'POST', path: `${path}/resize`, query } as const
      // A container that has not started or has ended has no terminal.
      await client.json({ ...call, deadline: 15_000 }).catch((error) => {
        if (!(error instanceof Failure)) throw error
      })
    },
  }
}
