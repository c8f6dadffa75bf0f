import { internalError } from '../../../functions/core/errors.ts'
import { tarOf } from '../../../functions/core/tar/make.ts'
import { type HelperConfig, removeHelper } from '../helper-containers/helper-container.ts'
import { waitResult } from '../responses/response-shapes.ts'
import type { EngineClient } from '../transport/client.ts'

/** A program for a helper container. */
export interface HelperProgram {
  /** Its name, which is also its path at the root of the container. */
  name: string
  content: Uint8Array
  arguments: string[]
  /** A file beside it. */
  file: { path: string; content: Uint8Array }
  /** What fails with it: "Deleting files". */
  what: string
}

/** A container that `create` makes for the program. */
export interface ProgramRun {
  create: (config: HelperConfig) => Promise<string>
  signal: AbortSignal
  /** Milliseconds that the program may take; null for any time. */
  deadline: number | null
}

/**
 * Runs a program in a helper container and removes the container.
 *
 * @param after called with the container's id when the program has ended
 */
export async function runProgram<T>(
  client: EngineClient,
  program: HelperProgram,
  { create, signal, deadline }: ProgramRun,
  after: (id: string) => Promise<T>,
): Promise<T> {
  const { name, content, file, what } = program
  const id = await create({ Entrypoint: [`/${name}`], Cmd: program.arguments, WorkingDir: '/' })
  try {
    const archive = await tarOf([
      { path: name, content, mode: 0o755 },
      { ...file, mode: 0o600 },
    ])
    const own = `/containers/${id}`
    const call = { method: 'POST', signal, deadline } as const
    const into = { path: `${own}/archive`, query: { path: '/' }, file: archive }
    await client.json({ ...call, ...into, method: 'PUT' })
    await client.json({ ...call, path: `${own}/start` })
    const { StatusCode } = await client.json<{ StatusCode: number }>({
      ...call,
      path: `${own}/wait`,
      shape: waitResult,
    })
    if (StatusCode !== 0) {
      const text = `${what} failed with exit code ${StatusCode}`
      throw internalError(text, { reason: 'engine-failed' })
    }
    return await after(id)
  } finally {
    await removeHelper(client, id)
  }
}
