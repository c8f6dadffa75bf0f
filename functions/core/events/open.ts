import { sharedStreams } from '../feeds/shared-streams.ts'
import type { Needs } from '../ports/ports.ts'
import type { EncodedEvent, ServiceEvents } from '../ports/service-events.ts'
import type { Source } from '../ports/streams.ts'
import { markHandled } from '../promises.ts'
import type { Broadcast } from '../streams/broadcast.ts'
import { followHosts, type HostsPorts } from './hosts.ts'
import { pastEvents } from './past.ts'
import { followService, type ServicePorts } from './service.ts'
import { encodeCaughtUp, encodeHeartbeat } from './service-event.ts'
import { type ViewerPorts, viewerOf } from './viewer.ts'
import { visibleEvents } from './visible-events.ts'

/**
 * How long a feed waits for hosts that do not respond before it opens without them. Milliseconds.
 */
const openingMax = 1000

/** Milliseconds between two heartbeats. */
const heartbeatInterval = 30_000

/** Says at intervals that the feed is alive. */
async function beat(
  out: Broadcast<EncodedEvent>,
  { clock }: Needs<'clock'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(heartbeatInterval, signal)
    out.publish(encodeHeartbeat(clock.now()))
    await out.ready()
  }
}

/**
 * Opens the event feed of all hosts and of the service. Events are collected once per process for
 * all subscribers, and only while there is one.
 */
export function openServiceEvents(ports: HostsPorts & ServicePorts & ViewerPorts): ServiceEvents {
  const streams = sharedStreams()
  let opened: Promise<unknown> = Promise.resolve()

  const source: Source<EncodedEvent> = async (out, signal) => {
    let [service, hosts] = [() => {}, () => {}]
    const all = Promise.all([
      new Promise<void>((resolve) => {
        service = resolve
      }),
      new Promise<void>((resolve) => {
        hosts = resolve
      }),
    ])
    opened = markHandled(Promise.race([all, ports.clock.sleep(openingMax, signal)]))
    await Promise.all([
      followService(out, ports, signal, () => service()),
      followHosts(out, ports, signal, () => hosts()),
      beat(out, ports, signal),
    ])
  }

  return {
    async follow(caller, { host, since, marksPast = false, beats = false }) {
      const live = streams.subscribe('events', source)
      try {
        await opened
        const viewer = viewerOf(caller, host, ports)
        const end = marksPast ? encodeCaughtUp(ports.clock.now()) : undefined
        const past = since === undefined ? [] : await pastEvents(since, await viewer.hosts(), ports)
        return visibleEvents({ past, end, live, viewer, beats })
      } catch (error) {
        await live.return()
        throw error
      }
    },
  }
}
