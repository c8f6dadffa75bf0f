import { onRejection } from '../../../functions/core/promises.ts'
import type { EngineInfo } from '../../../functions/core/records/host-engine.ts'
import { systemInfo } from '../responses/response-shapes.ts'
import type { EngineClient } from '../transport/client.ts'
import type { EngineLists } from './lists.ts'

/** Milliseconds for which the facts about the machine are cached. */
const lifetime = 10_000

/** The fields of `GET /info` that `systemInfo` checks. */
interface SystemInfo {
  ID?: unknown
  ServerVersion: string
  OSType: string
  Architecture: string
  NCPU: number
  MemTotal: number
}

/**
 * Returns a reader of the facts about the Engine and its machine. The numbers of containers come
 * from the list.
 */
export function engineInfo(client: EngineClient, lists: EngineLists): () => Promise<EngineInfo> {
  let kept: { at: number; facts: Promise<Omit<EngineInfo, 'containers'>> } | undefined

  async function read() {
    const [system, apiVersion] = await Promise.all([
      client.json<SystemInfo>({ method: 'GET', path: '/info', shape: systemInfo }),
      client.apiVersion(),
    ])
    return {
      id: typeof system.ID === 'string' && system.ID !== '' ? system.ID : null,
      version: system.ServerVersion,
      apiVersion,
      os: system.OSType,
      arch: system.Architecture,
      cpus: system.NCPU,
      memory: system.MemTotal,
    }
  }

  return async () => {
    if (!kept || performance.now() - kept.at > lifetime) {
      const reading = { at: performance.now(), facts: read() }
      onRejection(reading.facts, () => {
        if (kept === reading) kept = undefined
      })
      kept = reading
    }
    const [facts, all, running] = await Promise.all([
      kept.facts,
      lists.containers(),
      lists.running(),
    ])
    return { ...facts, containers: { running: running.length, total: all.length } }
  }
}
