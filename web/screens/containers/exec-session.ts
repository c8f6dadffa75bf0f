import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { type ContainerRef, entryProblem } from '../../data/containers.ts'
import type { Feed, FeedOptions } from '../../data/feed.ts'
import { openFeed } from '../../data/feeds.ts'
import { sendEarly } from '../../data/send-early.ts'
import { exitCodeOf } from './exit-code.ts'

/** Channels of the feed: the first byte of each message. */
const input = 0
const result = 3
const size = 4
/** A message has at most 64 KiB. */
const mostInput = 32_768

export interface Shell {
  command: readonly string[]
  /** The user in the container, or nothing for its default. */
  user: string
}

/** How a session ended: the exit code, or why it was cut. */
export type Ended = { code: string } | { why: string | undefined }

export interface ExecSession {
  ended: ReadonlySignal<Ended | undefined>
  send(bytes: Uint8Array): void
  resize(columns: number, rows: number): void
  close(): void
}

export interface TerminalSize {
  columns: number
  rows: number
}

type OnOutput = (bytes: Uint8Array) => void

/** A session that was cut cannot be taken up again. */
const once = (container: ContainerRef): Pick<FeedOptions, 'explain' | 'reconnects'> => ({
  reconnects: false,
  explain: () => entryProblem(container),
})

/** Runs a shell in a container, with a terminal. */
export function startExec(
  container: ContainerRef,
  { command, user }: Shell,
  { columns, rows }: TerminalSize,
  onOutput: OnOutput,
): ExecSession {
  const { id, host_id: host } = container
  const params = {
    id,
    host,
    tty: true,
    cmd: command,
    cols: columns,
    rows,
    ...(user && { user }),
  }
  return sessionOf((take) => openFeed('/ws/exec/{id}', params, take, once(container)), onOutput)
}

/** Starts a one-off container that waits for it, with a terminal. */
export function startAttach(
  container: ContainerRef,
  { columns, rows }: TerminalSize,
  onOutput: OnOutput,
): ExecSession {
  const { id, host_id: host } = container
  const params = { id, host, cols: columns, rows }
  return sessionOf((take) => openFeed('/ws/attach/{id}', params, take, once(container)), onOutput)
}

function sessionOf(
  open: (take: (data: string | ArrayBuffer) => void) => Feed,
  onOutput: OnOutput,
): ExecSession {
  const ended: Signal<Ended | undefined> = signal(undefined)
  const feed = open((data) => {
    const bytes = new Uint8Array(data as ArrayBuffer)
    if (bytes[0] === result) ended.value = { code: exitCodeOf(bytes.subarray(1)) }
    else onOutput(bytes.subarray(1))
  })
  const send = sendEarly(feed)
  const stop = effect(() => {
    if (feed.state.value === 'ended' && ended.peek() === undefined) {
      ended.value = { why: feed.problem.value?.error }
    }
  })
  return {
    ended,
    send(bytes) {
      for (let at = 0; at < bytes.length; at += mostInput) {
        send(messageOf(input, bytes.subarray(at, at + mostInput)))
      }
    },
    resize: (width, height) =>
      send(
        messageOf(size, new TextEncoder().encode(JSON.stringify({ Width: width, Height: height }))),
      ),
    close() {
      stop()
      feed.close()
    },
  }
}

function messageOf(channel: number, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const message = new Uint8Array(bytes.length + 1)
  message[0] = channel
  message.set(bytes, 1)
  return message
}
