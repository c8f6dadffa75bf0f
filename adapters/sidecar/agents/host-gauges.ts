import type { NetConnectOpts, Socket } from 'node:net'
import { boundedText } from '../../../functions/core/bounded-text.ts'
import { percentOf } from '../../../functions/core/metrics/figures.ts'
import type { HostGauges } from '../../../functions/core/ports/host-gauges.ts'
import { type Gauges, readGauges } from '../../agent/gauges.ts'
import type { Reach } from './reach.ts'

/** Bytes. The longest answer that is accepted from an agent. */
const textMax = 4096

/**
 * Reads the resource usage of hosts. This machine is read directly if the Engine is on a Unix
 * socket of it; other hosts are asked through their agents.
 */
export function hostGauges(local: { id: string; socketPath?: string }, reach: Reach): HostGauges {
  const before = new Map<string, Gauges>()
  const ask = async (hostId: string, signal: AbortSignal): Promise<Gauges | undefined> => {
    if (hostId !== local.id) return parsed(await textOf(await reach(hostId, 'gauges'), signal))
    const docker: NetConnectOpts | undefined = local.socketPath
      ? { path: local.socketPath }
      : undefined
    return docker && readGauges(docker)
  }
  return {
    async read(hostId, signal) {
      const now = await ask(hostId, signal)
      if (!now) return undefined
      const { memory, memoryTotal, disk, diskTotal } = now
      const cpuPercent = usedSince(before.get(hostId), now)
      before.set(hostId, now)
      return { cpuPercent, memory, memoryTotal, disk, diskTotal }
    },
  }
}

/** Returns null for the first reading and after a reboot, which resets the counters. */
function usedSince(before: Gauges | undefined, now: Gauges): number | null {
  if (!before || now.time <= before.time) return null
  return percentOf(Math.max(0, now.busy - before.busy), now.time - before.time)
}

async function textOf(socket: Socket, signal: AbortSignal): Promise<string> {
  const stop = () => socket.destroy()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await boundedText(socket, textMax, 'the response of the agent is too long')
  } finally {
    signal.removeEventListener('abort', stop)
    socket.destroy()
  }
}

/** Validates the answer: an agent runs on another machine and is not trusted. */
function parsed(text: string): Gauges {
  const said = JSON.parse(text) as Record<string, unknown>
  const number = (name: keyof Gauges) => {
    const value = said[name]
    if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) {
      throw new Error(`the agent reports no ${name}`)
    }
    return value
  }
  const numberOrNull = (name: keyof Gauges) => (said[name] === null ? null : number(name))
  return {
    busy: number('busy'),
    time: number('time'),
    memory: number('memory'),
    memoryTotal: number('memoryTotal'),
    disk: numberOrNull('disk'),
    diskTotal: numberOrNull('diskTotal'),
  }
}
