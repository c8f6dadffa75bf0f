import type { Source } from '../feeds/ports.ts'
import { sharedStreams } from '../feeds/streams.ts'
import { started } from '../promises.ts'
import type { EventPiece } from './happening.ts'
import { followHosts, type HostsPorts } from './hosts.ts'
import { pastEvents } from './past.ts'
import type { Happenings } from './ports.ts'
import { followService, type ServicePorts } from './service.ts'
import { viewed } from './viewed.ts'
import { type ViewerPorts, viewerOf } from './viewer.ts'

/**
 * How long a feed waits for hosts that do not answer before it opens without them. Milliseconds.
 */
const openingMax = 1000

/**
 * Opens the event feed of all hosts and of the service. Events are collected once per process for
 * all subscribers, and only while there is one.
 */
export function openHappenings(ports: HostsPorts & ServicePorts & ViewerPorts): Happenings {
  const streams = sharedStreams()
  let opened: Promise<unknown> = Promise.resolve()

  const source: Source<EventPiece> = async (out, signal) => {
    let [service, hosts] = [() => {}, () => {}]
    const all = Promise.all([
      new Promise<void>((resolve) => {
        service = resolve
      }),
      new Promise<void>((resolve) => {
        hosts = resolve
      }),
    ])
    opened = started(Promise.race([all, ports.clock.sleep(openingMax, signal)]))
    await Promise.all([
      followService(out, ports, signal, () => service()),
      followHosts(out, ports, signal, () => hosts()),
    ])
  }

  return {
    async follow(caller, { host, since }) {
      const live = streams.follow('events', source)
      try {
        await opened
        const viewer = viewerOf(caller, host, ports)
        const past = since === undefined ? [] : await pastEvents(since, await viewer.hosts(), ports)
        return viewed(past, live, viewer)
      } catch (error) {
        await live.return()
        throw error
      }
    },
  }
}
