import { CliFailure } from '../failure.ts'
import type { Io, OutputStream } from '../io.ts'
import { linesOf } from './lines.ts'
import { parseMessage, type Request, type RequestId, rpcCodes } from './message.ts'
import { answerFor, type Reply, refusalOf, resultFor } from './protocol.ts'
import { errorResult, failureResult, type ToolResult } from './result.ts'
import type { Tool } from './tool.ts'
import { type Arguments, argumentsOf } from './tool-request.ts'

/** The tools of a server, and what runs them. */
export interface Toolbox {
  /** The tools that it offers. */
  offered: readonly Tool[]
  /** All tools: a call of one that is not offered says why. */
  all: readonly Tool[]
  call(tool: Tool, given: Arguments, signal: AbortSignal): Promise<ToolResult>
}

/** Calls of tools at a time. The service has limits of its own for each caller. */
export const callsAtATime = 16

/**
 * Serves the Model Context Protocol on standard input and output until the input ends. Calls that
 * still run then are aborted.
 */
export async function serve(io: Pick<Io, 'stdin' | 'stdout'>, toolbox: Toolbox): Promise<void> {
  const running = new Map<string, AbortController>()
  const { stdin, stdout } = io
  const write = (id: RequestId | undefined, reply: Reply) =>
    void stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...reply })}\n`)
  for await (const line of linesOf(stdin)) {
    await drained(stdout)
    if (line?.trim() === '') continue
    const message = parseMessage(line)
    if (message.kind === 'invalid') write(undefined, { error: message.error })
    else if (message.kind === 'notification') cancel(message, running)
    else if (message.kind === 'request') receive(message.request, { toolbox, running, write })
  }
  for (const call of running.values()) call.abort()
}

interface Serving {
  toolbox: Toolbox
  running: Map<string, AbortController>
  write(id: RequestId | undefined, reply: Reply): void
}

function receive(request: Request, serving: Serving): void {
  const reply = replyAtOnce(request, serving)
  if (reply) serving.write(request.id, reply)
  else start(request, serving)
}

/** Answers a request. Returns undefined for a call of a tool that begins. */
function replyAtOnce(request: Request, { toolbox, running }: Serving): Reply | undefined {
  const refusal = refusalOf(request)
  if (refusal) return { error: refusal }
  if (request.method !== 'tools/call') return answerFor(request, toolbox.offered)
  if (running.has(keyOf(request.id))) return { error: { code: rpcCodes.request, message: sameId } }
  return running.size >= callsAtATime ? resultFor(request, tooMany) : undefined
}

function start(request: Request, { toolbox, running, write }: Serving): void {
  const key = keyOf(request.id)
  const controller = new AbortController()
  running.set(key, controller)
  const end = (reply: Reply) => {
    running.delete(key)
    // An assistant that cancelled a call does not wait for its result.
    if (!controller.signal.aborted) write(request.id, reply)
  }
  void callOf(request, toolbox, controller.signal).then(end, (error: unknown) =>
    end({ error: { code: rpcCodes.internal, message: String(error) } }),
  )
}

const sameId = 'id: a request with the same id runs'

const tooMany = errorResult({
  error: `${callsAtATime} calls run already`,
  way_out: 'wait for one of them, then call again',
})

/** Runs a call. What the assistant can mend is a result; another error is one of the protocol. */
async function callOf(request: Request, toolbox: Toolbox, signal: AbortSignal): Promise<Reply> {
  const { name, arguments: given } = request.params
  const tool = toolbox.offered.find((one) => one.name === name)
  if (!tool && toolbox.all.some((one) => one.name === name)) return resultFor(request, onlyReads)
  if (!tool) return { error: { code: rpcCodes.params, message: `Unknown tool: ${String(name)}` } }
  try {
    return resultFor(request, await toolbox.call(tool, argumentsOf(given), signal))
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error
    return resultFor(request, failureResult(error))
  }
}

const onlyReads = errorResult({
  error: 'this server only reads',
  way_out: 'the user can start it with: cli mcp --write',
})

/** Aborts the call that a notification cancels. Other notifications need nothing. */
function cancel(
  { method, params }: { method: string; params: Record<string, unknown> },
  running: ReadonlyMap<string, AbortController>,
): void {
  if (method === 'notifications/cancelled') running.get(keyOf(params.requestId))?.abort()
}

/** `1` and `"1"` are ids of two requests. */
const keyOf = (id: unknown): string => JSON.stringify(id) ?? ''

/** Waits while the assistant reads slower than this server answers. */
async function drained(out: OutputStream): Promise<void> {
  if (!out.writableNeedDrain) return
  await new Promise<void>((resolve) => {
    const done = () => {
      out.off('drain', done).off('close', done)
      resolve()
    }
    out.on('drain', done).on('close', done)
  })
}
