import type { Duplex } from 'node:stream'
import type { ExecOutput } from '../../../functions/core/ports/engine-exec.ts'
import { type Frame, FrameSplitter } from '../streams/frames.ts'
import { joinBuffers } from '../streams/join-buffers.ts'
import { socketChunks } from './socket-chunks.ts'

/** Yields the output of a program from its connection until it ends. Throws the signal's reason. */
export async function* outputOf(
  { socket, tty }: { socket: Duplex; tty: boolean },
  signal: AbortSignal,
): AsyncGenerator<ExecOutput, void, void> {
  const splitter = new FrameSplitter()
  for await (const chunk of socketChunks(socket, signal)) {
    if (tty) yield { stream: 'stdout', data: chunk } satisfies ExecOutput
    else yield* joined(splitter.push(chunk))
  }
}

/**
 * Joins neighbouring frames of the same stream, so that a command that writes single bytes does not
 * flood the client with messages.
 */
function* joined(frames: Frame[]): Generator<ExecOutput, void, void> {
  let parts: Buffer[] = []
  for (const [at, { stream, data }] of frames.entries()) {
    parts.push(data)
    if (frames[at + 1]?.stream === stream) continue
    yield { stream, data: joinBuffers(parts) }
    parts = []
  }
}
