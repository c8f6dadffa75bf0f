import { setTimeout as pause } from 'node:timers/promises'
import { hostAgent } from '../../adapters/sidecar/agents/host-agent.ts'
import { type FaultProxy, startFaultProxy } from '../harness/fault-proxy.ts'
import { startBulk } from './agent-slow-line.ts'
import { connectAgent } from './agent-transport.ts'
import { removeLabelled } from './engine.ts'
import { container, feedLabel } from './feed-clients.ts'
import { ratio, short, sized, table } from './numbers.ts'
import { dataDirectory } from './service.ts'

/** The time until the window fits the line, and the time that is measured. */
const [fitting, measured] = sized([15_000, 10_000], [500, 500])

/** Measures a bulk transfer from a host over lines with longer and longer round trips. */
export async function agentLongLine(): Promise<string> {
  const found: [roundTrip: number, rate: number][] = []
  try {
    for (const roundTrip of [0, 50, 200]) found.push([roundTrip, await rateOf(roundTrip)])
  } finally {
    await removeLabelled(feedLabel)
  }
  const [[, base] = [0, Number.NaN]] = found
  const rows = found.map(([roundTrip, rate]) => [`${roundTrip} ms`, short(rate), ratio(rate, base)])
  return [
    `A bulk transfer from a host through a proxy that delays all data (aim: 1 MB/s with a round trip of 200 ms), measured for ${measured / 1000} s after ${fitting / 1000} s.`,
    table(['round trip', 'MB/s', 'ratio'], rows),
  ].join('\n\n')
}

/** Returns the megabytes per second over a line with a round trip of this many milliseconds. */
async function rateOf(roundTrip: number): Promise<number> {
  const { path, remove } = dataDirectory()
  let proxy: FaultProxy | undefined
  const made = await connectAgent(path, undefined, async (port) => {
    proxy = await startFaultProxy(port)
    proxy.latency(roundTrip / 2)
    return proxy.port
  })
  const agent = hostAgent(() => made.connection().open())
  try {
    const id = await container('truncate -s 100G /big; sleep 600')
    await pause(1_000)
    const bulk = await startBulk(agent, id)
    await pause(fitting)
    const before = bulk.bytes()
    await pause(measured)
    const rate = (bulk.bytes() - before) / 1e6 / (measured / 1000)
    bulk.stop()
    return rate
  } finally {
    agent.destroy()
    await made.close()
    await proxy?.close()
    remove()
  }
}
