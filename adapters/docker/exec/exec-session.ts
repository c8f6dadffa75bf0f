import { randomBytes } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { Failure, internalError } from '../../../functions/core/errors.ts'
import type {
  ExecOptions,
  ExecSession,
  TerminalSize,
} from '../../../functions/core/ports/engine-exec.ts'
import { checkedId } from '../names/ids.ts'
import { unlessConflict, unlessMissing } from '../responses/errors.ts'
import { createdExec } from '../responses/response-shapes.ts'
import { atLeast, type EngineClient } from '../transport/client.ts'
import { endProcesses, markName } from './exec-end.ts'
import { translateRefusal } from './refused-start.ts'
import { writeTo } from './socket-chunks.ts'
import { outputOf } from './socket-output.ts'

/**
 * A key sequence that is never typed. The Engine delays bytes that may begin the sequence to
 * detach, by default Ctrl-P.
 */
export const detachKeys = 'ctrl-^,ctrl-_,ctrl-^,ctrl-_,ctrl-^,ctrl-@'
const ctrlC = 3
const ctrlD = 4
/** Milliseconds for a command to exit after its input has ended. */
const exitTimeout = 300
/** Milliseconds for a command to start. */
const startTimeout = 10_000

/**
 * Starts a command in a container over its own connection.
 *
 * @throws 409 if the container is not running
 */
export async function startCommand(
  client: EngineClient,
  container: string,
  options: ExecOptions,
  signal: AbortSignal,
): Promise<ExecSession> {
  const { command, tty, user, workdir, size } = options
  const mark = randomBytes(16).toString('hex')
  const { Id } = await client.json<{ Id: string }>({
    method: 'POST',
    path: `/containers/${checkedId('container', container)}/exec`,
    body: {
      AttachStdin: true,
      AttachStdout: true,
      AttachStderr: true,
      Tty: tty,
      Cmd: command,
      User: user,
      WorkingDir: workdir,
      Env: [`${markName}=${mark}`],
      DetachKeys: detachKeys,
    },
    signal,
    shape: createdExec,
  })
  signal.throwIfAborted()
  const path = `/exec/${checkedId('command', Id)}`
  const knowsSize = atLeast(await client.apiVersion(), '1.42')
  // From here on there is a command to hang up, so the signal must not hide whether it started.
  const socket = await client.hijack({
    method: 'POST',
    path: `${path}/start`,
    body: { Detach: false, Tty: tty, ...(size && tty && knowsSize && consoleSize(size)) },
    deadline: 20_000,
  })
  const place = { client, container, path, socket, mark, tty, user }
  const session = sessionOf(place, signal)
  if (size && tty && !knowsSize) await session.resize(size)
  return session
}

const consoleSize = ({ rows, columns }: TerminalSize) => ({ ConsoleSize: [rows, columns] })

interface Place {
  client: EngineClient
  container: string
  /** The path of the command in the Engine's API. */
  path: string
  socket: Duplex
  mark: string
  tty: boolean
  user: string | undefined
}

interface CommandState {
  Running: boolean
  /** Null until the command has ended. */
  ExitCode: number | null
  /**
   * The process id on the host, or 0 until the command has started. The Engine can hand over the
   * connection before that.
   */
  Pid: number
}

const hasStarted = ({ Pid, ExitCode }: CommandState) => Pid > 0 || ExitCode !== null
const hasEnded = ({ Running, ExitCode }: CommandState) => !Running && ExitCode !== null

function sessionOf(place: Place, signal: AbortSignal): ExecSession {
  const { client, container, path, socket, tty } = place
  /** Returns undefined if the container was removed. */
  const readState = () =>
    unlessMissing(client.json<CommandState>({ method: 'GET', path: `${path}/json` }))
  const exitCode = async () => {
    const state = await pollUntil(hasEnded, readState, 2000)
    if (state && !hasEnded(state))
      throw internalError(`The connection to a command in ${container} was lost`, {
        reason: 'engine-failed',
      })
    return state?.ExitCode ?? null
  }
  return {
    output: translateRefusal(outputOf(place, signal), { tty, exitCode }),
    write: (data) => writeTo(socket, data),
    endInput: () => void socket.end(),
    async resize({ columns, rows }) {
      const call = {
        method: 'POST',
        path: `${path}/resize`,
        query: { w: columns, h: rows },
      } as const
      // For a command that has ended, Engines use several error statuses.
      await client.json({ ...call, deadline: 15_000 }).catch((error) => {
        if (!(error instanceof Failure)) throw error
      })
    },
    exitCode,
    async hangUp() {
      socket.resume()
      if (tty && socket.writable) socket.write(Buffer.from([ctrlC, ctrlD]))
      socket.end()
      try {
        await pollUntil(hasStarted, readState, startTimeout)
        const state = await pollUntil(hasEnded, readState, exitTimeout)
        if (!state) return []
        const left = await unlessConflict(unlessMissing(endProcesses(place, state.Pid)))
        const after = await pollUntil(hasEnded, readState, exitTimeout)
        if (!after?.Running || left?.length) return left ?? []
        return [`process ${after.Pid} of the host`]
      } finally {
        socket.destroy()
      }
    },
  }
}

/**
 * Polls the state of a command until the condition is met or the timeout in milliseconds has
 * passed. Returns the last state, or undefined if there is none.
 */
async function pollUntil(
  isMet: (state: CommandState) => boolean,
  readState: () => Promise<CommandState | undefined>,
  milliseconds: number,
): Promise<CommandState | undefined> {
  const until = performance.now() + milliseconds
  for (let wait = 10; ; wait = Math.min(100, wait * 2)) {
    const state = await readState()
    if (!state || isMet(state) || performance.now() > until) return state
    await pause(wait)
  }
}
