import { type ReadonlySignal, signal } from '@preact/signals'
import { t } from '../text/text.ts'
import type { components } from './api.types.ts'
import { backoff } from './backoff.ts'
import { asProblem, isTemporary, type Problem } from './problem.ts'

export type FeedState = 'connecting' | 'live' | 'reconnecting' | 'ended'

export interface Feed {
  state: ReadonlySignal<FeedState>
  /** Why it ended, unless its subject did. */
  problem: ReadonlySignal<Problem | undefined>
  /** Why it is not connected, while it tries again. */
  cut: ReadonlySignal<Problem | undefined>
  /** Tries again at once, if it waits to. */
  retry(): void
  /** Replaces a connection that may be lost. Does nothing to one that cannot be taken up again. */
  renew(): void
  send(message: string | Uint8Array<ArrayBuffer>): void
  close(): void
}

/** The part of a WebSocket that feeds use. */
export interface Socket {
  binaryType: BinaryType
  send(message: string | Uint8Array<ArrayBuffer>): void
  close(): void
  onopen: (() => void) | null
  onmessage: ((event: { data: unknown }) => void) | null
  onclose: ((event: { code: number; reason: string }) => void) | null
}

/** What one connection is opened with. */
export interface Ticket {
  ticket: string
  /** Where feeds are, if not at the address of the page. */
  url?: string
}

export interface FeedOptions {
  /** Returns a single-use ticket. */
  ticket: () => Promise<Ticket>
  connect: (ticket: Ticket) => Socket
  onMessage: (data: string | ArrayBuffer) => void
  /** Called for each connection after a failed or a cut one: messages in between are lost. */
  onReconnect?: () => void
  /**
   * Returns why a connection was refused, if trying again would be in vain: browsers do not show
   * the response to an upgrade.
   */
  explain?: () => Promise<Problem | undefined>
  /** False for what cannot be taken up again, such as a shell. */
  reconnects?: boolean
  /** How long a connection may take to open. Milliseconds. */
  openingMax?: number
  /** How long a connection may send nothing before it counts as lost. Milliseconds. */
  silenceMax?: number
  /** Called when one counts as lost. */
  onSilence?: () => void
  setTimer?: (work: () => void, milliseconds: number) => unknown
}

/** Close codes after which a new connection would end the same way. */
const finalCodes: Readonly<Record<number, () => string>> = {
  1000: () => '',
  1008: () => t.parts.noMoreRight,
}

interface Closing {
  code: number
  reason?: string | undefined
  message: string
}

/** Returns why the feed ends, if the message is its last one. */
function closingOf(data: unknown): Closing | undefined {
  if (typeof data !== 'string' || !data.startsWith('{"closing":')) return undefined
  const { closing } = JSON.parse(data) as components['schemas']['FeedClosing']
  const { code, reason, message } = closing
  return { code, reason: reason ?? undefined, message }
}

/** Returns why a feed ended, as the text of its close frame says: `host-offline: …`. */
function endOfClose(code: number, text: string): Closing {
  const [, reason, message = text] = /^([a-z][a-z-]*): (.*)$/s.exec(text) ?? []
  return { code, reason, message }
}

/** Follows a feed over connections that are cut, until it ends or is closed. */
export function followFeed(options: FeedOptions): Feed {
  const { reconnects = true, setTimer = setTimeout } = options
  const state = signal<FeedState>('connecting')
  const problem = signal<Problem | undefined>(undefined)
  let socket: Socket | undefined
  let isOpen = false
  /** Counts the messages. */
  let heard = 0
  let attempt = 0
  const cut = signal<Problem | undefined>(undefined)
  /** The next attempt, while it is waited for. */
  let waiting: object | undefined

  function end(why?: Problem): void {
    if (state.peek() === 'ended') return
    problem.value = why
    cut.value = undefined
    state.value = 'ended'
    socket?.close()
  }

  function retry(why: Problem): void {
    if (state.peek() === 'ended') return
    if (!reconnects) {
      end(why)
      return
    }
    cut.value = why
    state.value = 'reconnecting'
    const own = {}
    waiting = own
    setTimer(() => {
      if (waiting === own) openNext()
    }, backoff(attempt))
    attempt += 1
  }

  function openNext(): void {
    waiting = undefined
    void open()
  }

  async function open(): Promise<void> {
    if (state.peek() === 'ended') return
    try {
      const ticket = await options.ticket()
      // It may have been closed meanwhile.
      if (state.peek() === 'ended') return
      const next = options.connect(ticket)
      attach(next)
      if (options.openingMax !== undefined) watchOpening(next, options.openingMax)
    } catch (error) {
      const why = asProblem(error)
      if (isTemporary(why)) retry(why)
      else end(why)
    }
  }

  /** Gives up a connection that may never say that it is closed. */
  function drop(lost: Socket): void {
    Object.assign(lost, { onopen: null, onmessage: null, onclose: null })
    lost.close()
    socket = undefined
    retry({ status: 0, error: t.parts.cut })
  }

  function watchOpening(next: Socket, openingMax: number): void {
    setTimer(() => {
      if (socket === next && !isOpen && state.peek() !== 'ended') drop(next)
    }, openingMax)
  }

  function watchSilence(opened: Socket, silenceMax: number): void {
    const before = heard
    setTimer(() => {
      if (socket !== opened || state.peek() !== 'live') return
      if (heard !== before) return watchSilence(opened, silenceMax)
      drop(opened)
      options.onSilence?.()
    }, silenceMax)
  }

  async function refused(why: Problem): Promise<void> {
    const lasting = await options.explain?.()
    if (lasting) end(lasting)
    else retry(why)
  }

  function attach(next: Socket): void {
    isOpen = false
    socket = next
    let closing: Closing | undefined
    next.binaryType = 'arraybuffer'
    next.onopen = () => {
      isOpen = true
      state.value = 'live'
      if (cut.peek()) options.onReconnect?.()
      cut.value = undefined
      if (options.silenceMax !== undefined) watchSilence(next, options.silenceMax)
    }
    next.onmessage = ({ data }) => {
      closing = closingOf(data)
      if (closing) return
      attempt = 0
      heard += 1
      if (state.peek() === 'live') options.onMessage(data as string | ArrayBuffer)
    }
    next.onclose = (closed) => {
      const { code, reason, message } = closing ?? endOfClose(closed.code, closed.reason)
      const because = reason !== undefined && { reason }
      const why = finalCodes[code]?.()
      if (why === '') end()
      else if (why !== undefined) end({ status: 403, error: message || why, ...because })
      else {
        const cut = { status: 0, error: message || t.parts.cut, ...because }
        if (isOpen || !options.explain) retry(cut)
        else void refused(cut)
      }
    }
  }

  void open()
  return {
    state,
    problem,
    cut,
    retry() {
      if (waiting) openNext()
    },
    renew() {
      if (socket && reconnects && state.peek() === 'live') drop(socket)
    },
    send: (message) => socket?.send(message),
    close: () => end(),
  }
}
