import type { ExecSession } from '../ports/engine-exec.ts'
import { inputOf } from './exec-channels.ts'

/**
 * Passes the client's messages to a program, as fast as it reads them.
 *
 * @throws 400 if a message is invalid
 */
export async function forwardInput(
  incoming: AsyncIterable<string | Uint8Array>,
  session: Pick<ExecSession, 'write' | 'endInput' | 'resize'>,
): Promise<void> {
  for await (const message of incoming) {
    const input = inputOf(message)
    if (input?.kind === 'data') await session.write(input.data)
    if (input?.kind === 'end') session.endInput()
    if (input?.kind === 'resize') await session.resize(input.size)
  }
}
