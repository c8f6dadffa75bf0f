import type { EngineBody } from '../../../functions/compose/step.ts'
import { conflict } from '../../../functions/core/errors.ts'
import { checkedId } from '../names/ids.ts'
import { createdExec } from '../responses/response-shapes.ts'
import { frames } from '../streams/frames.ts'
import type { EngineClient } from '../transport/client.ts'
import { refusedStart } from './refused-start.ts'

/** Bytes of the end of a command's output to keep for the error message. */
const outputKept = 4096

/**
 * Runs a command in a container to its end.
 *
 * @throws 409 with the end of its output if the exit code is not 0
 */
export async function runCommand(
  client: EngineClient,
  container: string,
  body: EngineBody,
  signal: AbortSignal,
): Promise<void> {
  const { exitCode, output } = await commandOutput(client, container, body, signal)
  if (exitCode === 0) return
  const said = refusedStart(output, exitCode) ?? output.trim()
  const command = Array.isArray(body.Cmd) ? body.Cmd.join(' ') : ''
  throw conflict(`${command} in ${container} exited with ${exitCode}${said && `: ${said}`}`)
}

/** Runs a command in a container to its end. Returns its exit code and the end of its output. */
export async function commandOutput(
  client: EngineClient,
  container: string,
  body: EngineBody,
  signal: AbortSignal,
): Promise<{ exitCode: number | null; output: string }> {
  const { Id } = await client.json<{ Id: string }>({
    method: 'POST',
    path: `/containers/${checkedId('container', container)}/exec`,
    body: { AttachStdout: true, AttachStderr: true, ...body },
    signal,
    shape: createdExec,
  })
  const path = `/exec/${checkedId('command', Id)}`
  const response = await client.stream({
    method: 'POST',
    path: `${path}/start`,
    body: { Detach: false, Tty: Boolean(body.Tty) },
    signal,
  })
  let output: Buffer = Buffer.alloc(0)
  for await (const { data } of body.Tty ? raw(response) : frames(response)) {
    output = Buffer.concat([output, data]).subarray(-outputKept)
  }
  signal.throwIfAborted()
  const { ExitCode } = await client.json<{ ExitCode: number }>({
    method: 'GET',
    path: `${path}/json`,
    signal,
  })
  return { exitCode: ExitCode, output: output.toString('utf8') }
}

async function* raw(chunks: AsyncIterable<Buffer>) {
  for await (const data of chunks) yield { data }
}
