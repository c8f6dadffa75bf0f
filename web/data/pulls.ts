import { effect, type ReadonlySignal, signal } from '@preact/signals'
import type { HostId } from '../host-ids.ts'
import { api, unwrap } from './api.ts'
import type { components } from './api.types.ts'
import { serviceTime } from './clock.ts'
import { openFeed } from './feeds.ts'
import type { Image } from './images.ts'
import { RequestError } from './problem.ts'
import { type PulledLayer, withChanges } from './pulled-layers.ts'
import { refresh } from './refresh.ts'

type Message = components['schemas']['PullMessage']

/** A pull that this page began. */
export interface Pull {
  image: string
  host: HostId
  /** Milliseconds since the epoch. */
  startedAt: number
  layers: ReadonlySignal<readonly PulledLayer[]>
  cancel(): void
}

const underWay = signal<readonly Pull[]>([])

/** The pulls that are under way. */
export const pulls: ReadonlySignal<readonly Pull[]> = underWay

/**
 * Pulls an image, which is among `pulls` meanwhile. Returns it when the pull is complete, however
 * long that takes, or undefined if the pull is cancelled. It ends with the page.
 */
export async function pullImage(image: string, host: HostId): Promise<Image | undefined> {
  const { pull, ended } = startPull(image, host)
  underWay.value = [...underWay.peek(), pull]
  try {
    return await ended
  } finally {
    underWay.value = underWay.peek().filter((one) => one !== pull)
    refresh('/images')
  }
}

function startPull(image: string, host: HostId): { pull: Pull; ended: Promise<Image | undefined> } {
  const layers = signal<readonly PulledLayer[]>([])
  const stop = new AbortController()
  let last: Exclude<Message, { layers: unknown }> | undefined
  const take = (data: string | ArrayBuffer) => {
    const message = JSON.parse(data as string) as Message
    if ('layers' in message) layers.value = withChanges(layers.peek(), message.layers)
    else last = message
  }
  const feed = openFeed('/ws/images/pull', { image, host }, take, { reconnects: false })
  stop.signal.addEventListener('abort', () => feed.close())

  async function end(): Promise<Image | undefined> {
    const wasOpen = await endOf(feed.state)
    if (stop.signal.aborted) return undefined
    if (last && 'image' in last) return last.image
    if (last) {
      const { status, error, reason } = last
      throw new RequestError({ status, error, ...(reason && { reason }) })
    }
    if (wasOpen) throw new RequestError(feed.problem.peek() ?? { status: 0, error: '' })
    // A browser does not say why a feed was refused, and some proxies forward none: this says why,
    // or pulls without progress.
    const body = { image, host }
    return (
      unwrap(api.POST('/images/pull', { body, signal: stop.signal })) as Promise<Image>
    ).catch((error) => {
      if (stop.signal.aborted) return undefined
      throw error
    })
  }

  const pull = { image, host, startedAt: serviceTime(), layers, cancel: () => stop.abort() }
  return { pull, ended: end() }
}

/** Waits for the end of a feed. Returns whether it was open before. */
function endOf(state: ReadonlySignal<string>): Promise<boolean> {
  return new Promise((resolve) => {
    let wasOpen = false
    const unfollow = effect(() => {
      if (state.value === 'live') wasOpen = true
      if (state.value !== 'ended') return
      resolve(wasOpen)
      queueMicrotask(() => unfollow())
    })
  })
}
